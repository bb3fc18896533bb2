/*
 * The one voice. Each line is put together first and written with one call, so
 * that lines of parallel runs do not mix.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fault.h"
#include "base/io.h"
#include "base/report.h"
#include "base/text.h"

/* A path can hold anything; a terminal must see none of it act. */
static void add_safe(struct text *line, const char *words)
{
	for (; *words != '\0'; words++) {
		unsigned char c = (unsigned char)*words;

		if (c < 0x20 || c == 0x7f)
			text_printf(line, "\\x%02x", c);
		else
			text_add_char(line, *words);
	}
}

static void say(struct text *line)
{
	text_add_char(line, '\n');
	/* a closed or full stderr must not change what the run does */
	(void)io_write_all(STDERR_FILENO, line->bytes, line->length);
}

void report_refused(const char *what, const char *token, const char *mend)
{
	struct arena arena = { 0 };
	struct text line;

	text_init(&line, &arena);
	text_add(&line, "cordon: refused: ");
	add_safe(&line, what);
	text_printf(&line, " (%s)", token);
	if (mend != NULL) {
		text_add(&line, "\n  mend: ");
		add_safe(&line, mend);
	}
	say(&line);
	arena_done(&arena);
}

void report_failed(const struct fault *fault, const char *hint)
{
	struct arena arena = { 0 };
	struct text line;

	text_init(&line, &arena);
	text_printf(&line, "cordon: failed: %s: %s", fault->stage, fault->call);
	if (fault->object[0] != '\0') {
		text_add(&line, " ");
		add_safe(&line, fault->object);
	}
	text_printf(&line, ": %s (%s)", strerror(fault->error),
		    fault_errno_name(fault->error));
	if (fault->words[0] != '\0') {
		text_add(&line, "; the kernel says: ");
		add_safe(&line, fault->words);
	}
	if (hint != NULL) {
		text_add(&line, "\n  mend: ");
		add_safe(&line, hint);
	}
	say(&line);
	arena_done(&arena);
}

void report_line(const char *kind, const char *text)
{
	struct arena arena = { 0 };
	struct text line;

	text_init(&line, &arena);
	text_printf(&line, "cordon: %s: ", kind);
	add_safe(&line, text);
	say(&line);
	arena_done(&arena);
}

void report_usage(const char *text)
{
	(void)io_write_all(STDERR_FILENO, text, strlen(text));
}
