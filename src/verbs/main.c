/*
 * The verb table. What is no verb is the command of `run`.
 */
#include <stdlib.h>
#include <string.h>

#include "base/exitcode.h"
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
	{ "bwrap", verb_later },       { "start", verb_later },
	{ "exec", verb_later },	       { "list", verb_later },
	{ "stop", verb_later },	       { "fs", verb_later },
};

int main(int argc, char **argv)
{
	if (argc < 1) /* CVE-2021-4034's way in: nothing to shift */
		return EXIT_REFUSED;
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
