/*
 * The verb table. What is no verb is the command of `run`.
 */
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/exitcode.h"
#include "base/path.h"
#include "base/report.h"
#include "verbs/verbs.h"

static const struct {
	const char *name;
	int (*verb)(char **words);
} verbs[] = {
	{ "run", verb_run },	       { "show", verb_show },
	{ "features", verb_features }, { "--help", verb_help },
	{ "-h", verb_help },	       { "help", verb_help },
	{ "--version", verb_version }, { "explain", verb_explain },
	{ "check", verb_inspect },     { "doctor", verb_inspect },
	{ "bwrap", verb_bwrap },       { "start", verb_later },
	{ "exec", verb_later },	       { "list", verb_later },
	{ "stop", verb_later },	       { "fs", verb_later },
};

/* Called as bwrap; or by what a bwrap (a copy or a hard link) finds as its own
 * file, as bubblewrap's tests start it inside itself. */
static bool is_bwrap(const char *name)
{
	char file[PATH_MAX];
	ssize_t length;

	if (strcmp(path_name(name), "bwrap") == 0)
		return true;
	if (strcmp(name, "/proc/self/exe") != 0)
		return false;
	length = readlink(name, file, sizeof(file) - 1);
	if (length < 0)
		return false;
	file[length] = '\0';
	return strcmp(path_name(file), "bwrap") == 0;
}

int main(int argc, char **argv)
{
	if (argc < 1) /* CVE-2021-4034's way in: nothing to shift */
		return EXIT_REFUSED;
	if (is_bwrap(argv[0]))
		return verb_bwrap_as(argv[0], argv + 1);
	if (argc == 1) {
		(void)verb_help(argv + argc);
		return EXIT_REFUSED;
	}
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		if (strcmp(argv[1], verbs[i].name) == 0)
			return verbs[i].verb(argv + 2);
	}
	return verb_run(argv + 1);
}
