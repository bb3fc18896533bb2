/*
 * cordon --help and --version, and the names kept for later.
 */
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/exitcode.h"
#include "base/io.h"
#include "base/report.h"
#include "base/text.h"
#include "config.h"
#include "policy/options.h"
#include "verbs/verbs.h"

static const char head[] =
	"usage: cordon [run] [RULES] [--] COMMAND [ARG...]\n"
	"       cordon show [--ops|--json|--sets] [RULES] [-- COMMAND...]\n"
	"       cordon explain [--json] [RULES] [--] PATH|HOST:PORT...\n"
	"       cordon features\n"
	"       cordon check [--json] [RULES]\n"
	"       cordon doctor [--json]\n"
	"\n"
	"Runs one command behind a wall that the kernel enforces: nothing is\n"
	"writable but temp and home until a rule says so, there is no network,\n"
	"and everything ends with the command. See cordon(1).\n"
	"\n"
	"rules:\n";

static void add_option(struct text *out, const struct option *option)
{
	size_t begin = out->length;

	if (option->use & USE_LATER)
		return;
	text_printf(out, "  --%s", option->name);
	if (option->argument != NULL)
		text_printf(out, " %s", option->argument);
	do {
		text_add_char(out, ' ');
	} while (out->length - begin < 32);
	text_printf(out, "%s\n", option->help);
}

int verb_say(const struct text *out)
{
	int err = io_write_all(STDOUT_FILENO, out->bytes, out->length);

	arena_done(out->arena);
	return err == 0 ? EXIT_OK : EXIT_REFUSED;
}

int verb_help(char **words)
{
	struct arena arena = { 0 };
	struct text out;

	(void)words;
	text_init(&out, &arena);
	text_add(&out, head);
	for (size_t i = 0; i < option_count; i++)
		add_option(&out, &options[i]);
	return verb_say(&out);
}

int verb_version(char **words)
{
	struct arena arena = { 0 };
	struct text out;

	(void)words;
	text_init(&out, &arena);
	text_printf(&out, "cordon %s\n", PACKAGE_VERSION);
	return verb_say(&out);
}

int verb_later(char **words)
{
	struct arena arena = { 0 };

	report_refused(arena_join(&arena, words[-1],
				  ": this verb is not in this version", NULL),
		       "not_yet",
		       arena_join(&arena, "cordon run -- ", words[-1], NULL));
	arena_done(&arena);
	return EXIT_REFUSED;
}
