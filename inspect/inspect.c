/*
 * cordon-inspect LAUNCHER check|doctor [WORD...]: started by the launcher.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/sys.h"
#include "inspect/inspect.h"

static const struct {
	const char *name;
	int (*verb)(const char *launcher, char **words);
} verbs[] = {
	{ "check", check_main },
	{ "doctor", doctor_main },
	{ "probe", probe_main },
};

long inspect_now_ms(void)
{
	struct timespec now;

	sys_clock(CLOCK_MONOTONIC, &now);
	return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 2 && i < sizeof(verbs) / sizeof(*verbs);
	     i++) {
		if (strcmp(argv[2], verbs[i].name) == 0)
			return verbs[i].verb(argv[1], argv + 3);
	}
	(void)fputs("cordon-inspect is run by cordon check and cordon doctor\n",
		    stderr);
	return INSPECT_BROKEN;
}
