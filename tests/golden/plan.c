/*
 * usage: plan.t [CASE...]       UPDATE=1 plan.t writes what it finds
 *
 * Words and a described machine on one side, the plan or the refusals on the
 * other, compared byte for byte. A case is a file in cases/: what it shows, then
 *
 *     # words        one command line; further lines must give the same
 *     # facts        added to machine.facts (see canned.h)
 *     # environment  instead of HOME, PATH and USER
 *     # profile F, # args N    what --profile F and --args N read
 *     # expect       what `cordon show` prints, or stderr and the exit code;
 *                    of `cordon bwrap` the operations and what is around them
 *
 * Beyond the cases: planning twice gives the same bytes, the order of rules
 * does not matter (bubblewrap's does), and every reason for a refusal is seen.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/io.h"
#include "policy/options.h"
#include "tests/golden/asked.h"
#include "tests/golden/canned.h"
#include "tests/unit/tap.h"

/* What no plan can say. */
static const struct {
	enum reason reason;
	const char *why;
} unreached[] = {
	{ REASON_KEYRING_QUOTA, "only the engine meets it" },
};

static struct {
	struct arena arena;
	const char *dir;  /* tests/golden */
	const char *base; /* machine.facts */
	bool update;
	bool seen[REASON_KINDS];
} run;

static const char *read_file(const char *path)
{
	char *bytes;
	size_t length;

	if (io_read_file(&run.arena, path, 1 << 20, &bytes, &length) != 0)
		return NULL;
	return bytes;
}

static void write_file(const char *path, const struct text *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || io_write_all(fd, text->bytes, text->length) != 0)
		tap_diag("cannot write %s", path);
	(void)close(fd);
}

/* Where two texts begin to differ, for a reader of the log. */
static void show_difference(const char *expected, const char *found)
{
	enum { AROUND = 100 };
	size_t at = 0, begin = 0;
	unsigned line = 1;

	for (; expected[at] != '\0' && expected[at] == found[at]; at++) {
		if (expected[at] != '\n')
			continue;
		line++;
		begin = at + 1;
	}
	if (at - begin > AROUND)
		begin = at - AROUND;
	tap_diag("line %u", line);
	tap_diag("expected: %.*s", (int)strcspn(expected + begin, "\n"),
		 expected + begin);
	tap_diag("found:    %.*s", (int)strcspn(found + begin, "\n"),
		 found + begin);
}

static bool same(const char *what, const char *expected, const char *found)
{
	if (strcmp(expected, found) == 0)
		return true;
	tap_diag("%s", what);
	show_difference(expected, found);
	return false;
}

static const struct outcome *plan_line(const struct asked *asked,
				       const char *line)
{
	return asked_plan(asked,
			  canned_words(asked->arena, line, strlen(line)) + 1);
}

static bool is_path_rule(const char *word)
{
	static const char *const names[] = {
		"--read",      "--write",	"--overlay", "--read-try",
		"--write-try", "--overlay-try", "--mask",    "--protect",
		"--unmask",    "--unprotect",	"--tmpfs",   "--device",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(word, names[i]) == 0)
			return true;
	}
	return false;
}

/* The same words with the path rules in reverse order; NULL when there are
 * fewer than two. */
static char **reversed(char **words)
{
	char **rules[64];
	size_t count = 0;

	for (char **at = words; *at != NULL && strcmp(*at, "--") != 0; at++) {
		if (is_path_rule(*at) && at[1] != NULL && count < 64)
			rules[count++] = at++;
	}
	if (count < 2)
		return NULL;
	for (size_t i = 0; i < count / 2; i++) {
		for (size_t j = 0; j < 2; j++) {
			char *word = rules[i][j];

			rules[i][j] = rules[count - 1 - i][j];
			rules[count - 1 - i][j] = word;
		}
	}
	return words;
}

static bool check_order(const struct asked *asked, const char *line,
			const struct outcome *first)
{
	char **words = canned_words(asked->arena, line, strlen(line)) + 1;

	/* bubblewrap's words mean something by their order */
	if (first->is_bwrap || first->policy.refusals.count != 0 ||
	    reversed(words) == NULL)
		return true;
	return same("with its rules in reverse order", asked_say(first),
		    asked_say(asked_plan(asked, words)));
}

static bool check_lines(const struct asked *asked, const char *first)
{
	bool good = true;

	for (size_t i = 0; i < asked->line_count; i++)
		good &= same(asked->lines[i], first,
			     asked_say(plan_line(asked, asked->lines[i])));
	return good;
}

static void note_reasons(const struct refusals *refusals)
{
	for (size_t i = 0; i < refusals->count; i++)
		run.seen[refusals->items[i].reason] = true;
}

static void write_case(const char *path, const struct asked *asked,
		       const char *found)
{
	struct text whole;

	text_init(&whole, &run.arena);
	text_add_bytes(&whole, asked->head, asked->head_length);
	if (strstr(whole.bytes, "# expect\n") == NULL)
		text_add(&whole, "\n# expect\n");
	text_add(&whole, found);
	write_file(path, &whole);
}

static bool check_case(const char *path, struct asked *asked)
{
	const struct outcome *first = plan_line(asked, asked->lines[0]);
	const char *found = asked_say(first);
	bool good;

	note_reasons(&first->policy.refusals);
	if (run.update)
		write_case(path, asked, found);
	else if (!same("the plan", asked->expect, found))
		return false;
	if (first->rounds >= MOST_ROUNDS) {
		tap_diag("the plan never has all it wants");
		return false;
	}
	/* the first line is planned again: the same input, the same bytes */
	good = check_lines(asked, found);
	return check_order(asked, asked->lines[0], first) && good;
}

static void run_case(const char *name)
{
	const char *path = arena_join(&run.arena, run.dir, "/cases/", name,
				      NULL);
	const char *text = read_file(path);
	struct asked asked;

	if (text == NULL) {
		tap_ok(false, "%s: cannot be read", name);
		return;
	}
	asked_read(&asked, &run.arena, run.base, text);
	if (asked.problem != NULL)
		tap_ok(false, "%s: %s", name, asked.problem);
	else
		tap_ok(check_case(path, &asked), "%s", name);
}

static int is_case(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 5 && strcmp(entry->d_name + length - 5, ".case") == 0;
}

static void run_all(void)
{
	struct dirent **entries;
	int count = scandir(arena_join(&run.arena, run.dir, "/cases", NULL),
			    &entries, is_case, alphasort);

	for (int i = 0; i < count; i++) {
		run_case(entries[i]->d_name);
		free(entries[i]);
	}
	if (count > 0)
		free(entries);
	tap_ok(count >= 60, "%d cases", count);
}

static void check_reasons(void)
{
	for (unsigned i = 0; i < REASON_KINDS; i++) {
		const char *why = NULL;

		for (size_t j = 0; j < sizeof(unreached) / sizeof(*unreached);
		     j++) {
			if ((unsigned)unreached[j].reason == i)
				why = unreached[j].why;
		}
		if (run.seen[i] == (why == NULL))
			continue;
		tap_ok(false, "%s is %s", reason_name((enum reason)i),
		       why == NULL ? "in no expectation"
				   : "in an expectation, and listed as "
				     "unreached");
		return;
	}
	tap_ok(true, "every reason is in an expectation");
}

int main(int argc, char **argv)
{
	const char *top = getenv("TOP_SRCDIR");

	run.dir = arena_join(&run.arena, top != NULL ? top : ".",
			     "/tests/golden", NULL);
	run.base = read_file(
		arena_join(&run.arena, run.dir, "/machine.facts", NULL));
	run.update = getenv("UPDATE") != NULL;
	if (run.base == NULL) {
		tap_ok(false, "machine.facts: cannot be read");
		return tap_done();
	}
	for (int i = 1; i < argc; i++)
		run_case(argv[i]);
	if (argc > 1)
		return tap_done();
	run_all();
	check_reasons();
	return tap_done();
}
