/*
 * Growing strings.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/number.h"
#include "base/text.h"

void text_init(struct text *text, struct arena *arena)
{
	text->arena = arena;
	text->room = 128;
	text->length = 0;
	text->bytes = arena_alloc(arena, text->room);
}

static void reserve(struct text *text, size_t more)
{
	size_t need = text->length + more + 1;
	char *larger;

	if (need <= text->room)
		return;
	while (text->room < need)
		text->room *= 2;
	larger = arena_alloc(text->arena, text->room);
	memcpy(larger, text->bytes, text->length + 1);
	text->bytes = larger;
}

void text_add_bytes(struct text *text, const char *bytes, size_t length)
{
	reserve(text, length);
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = '\0';
}

void text_add(struct text *text, const char *words)
{
	text_add_bytes(text, words, strlen(words));
}

void text_add_char(struct text *text, char c)
{
	text_add_bytes(text, &c, 1);
}

void text_add_number(struct text *text, uint64_t number)
{
	char digits[NUMBER_ROOM];

	text_add_bytes(text, digits,
		       (size_t)(number_write(digits, number, 10) - digits));
}

void text_printf(struct text *text, const char *format, ...)
{
	va_list args, again;
	int length;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length > 0) {
		reserve(text, (size_t)length);
		(void)vsnprintf(text->bytes + text->length, (size_t)length + 1,
				format, again);
		text->length += (size_t)length;
	}
	va_end(again);
}

static bool is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789@%_+=:,./-";

	return *word != '\0' && word[strspn(word, plain)] == '\0';
}

void text_add_quoted(struct text *text, const char *word)
{
	if (is_plain(word)) {
		text_add(text, word);
		return;
	}
	text_add_char(text, '\'');
	for (; *word != '\0'; word++) {
		if (*word == '\'')
			text_add(text, "'\\''");
		else
			text_add_char(text, *word);
	}
	text_add_char(text, '\'');
}

char *text_quote_after(struct arena *arena, const char *words, const char *word)
{
	struct text line;

	text_init(&line, arena);
	text_add(&line, words);
	text_add_quoted(&line, word);
	return line.bytes;
}
