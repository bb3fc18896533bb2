/*
 * Collects what is wrong with a profile, each fault with its place in the
 * file, so that one run tells all of them and nothing prints in passing.
 */
#include "problems.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

int problems_init(struct problems *problems)
{
	*problems = (struct problems){ 0 };
	problems->stream = open_memstream(&problems->text, &problems->size);
	return problems->stream ? 0 : -errno;
}

void problems_done(struct problems *problems)
{
	if (problems->stream && fclose(problems->stream) == 0)
		(void)fwrite(problems->text, 1, problems->size, stderr);
	free(problems->text);
}

/* "profile.json: syscalls[3].args[0].op": the file is the outermost spot.
 * The depth is that of the format, five. NOLINTNEXTLINE(misc-no-recursion) */
static void say_spot(FILE *stream, const struct spot *spot)
{
	if (spot->up)
		say_spot(stream, spot->up);
	if (!spot->up)
		(void)fprintf(stream, "%s:", spot->key);
	else if (!spot->key)
		(void)fprintf(stream, "[%zu]", spot->index);
	else
		(void)fprintf(stream, "%s%s", spot->up->up ? "." : " ",
			      spot->key);
}

__attribute__((format(printf, 3, 0))) static void say(struct problems *problems,
						      const struct spot *spot,
						      const char *format,
						      va_list words)
{
	(void)fputs("cordon-seccomp: ", problems->stream);
	if (spot) {
		say_spot(problems->stream, spot);
		(void)fputs(spot->up ? ": " : " ", problems->stream);
	}
	/* Both callers start it. NOLINTNEXTLINE(clang-analyzer-valist*) */
	(void)vfprintf(problems->stream, format, words);
	(void)fputc('\n', problems->stream);
}

void problems_add(struct problems *problems, const struct spot *spot,
		  const char *format, ...)
{
	va_list words;

	va_start(words, format);
	say(problems, spot, format, words);
	va_end(words);
	problems->errors++;
}

void problems_note(struct problems *problems, const struct spot *spot,
		   const char *format, ...)
{
	va_list words;

	va_start(words, format);
	say(problems, spot, format, words);
	va_end(words);
}
