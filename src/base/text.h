/*
 * A growing string in an arena: what `show`, the status stream and the
 * refusals are built of. Always NUL-terminated.
 */
#ifndef CORDON_BASE_TEXT_H
#define CORDON_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct arena;

struct text {
	struct arena *arena;
	char *bytes;
	size_t length, room;
};

void text_init(struct text *text, struct arena *arena);
void text_add(struct text *text, const char *words);
void text_add_bytes(struct text *text, const char *bytes, size_t length);
void text_add_char(struct text *text, char c);
void text_add_number(struct text *text, uint64_t number);
void text_printf(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A word that a POSIX shell reads back as the same word: bare when it is
 * plain, else in single quotes. */
void text_add_quoted(struct text *text, const char *word);

/* `words` and behind them the quoted word: a line to paste. */
char *text_quote_after(struct arena *arena, const char *words,
		       const char *word);

#endif
