/*
 * The names that every /dev has, for who makes them and who tells of them.
 */
#include <stddef.h>
#include <string.h>

#include "plan/plan.h"

static const struct dev_name names[] = {
	{ "/dev/null", NULL, 1, 3 },
	{ "/dev/zero", NULL, 1, 5 },
	{ "/dev/full", NULL, 1, 7 },
	{ "/dev/random", NULL, 1, 8 },
	{ "/dev/urandom", NULL, 1, 9 },
	{ "/dev/tty", NULL, 5, 0 },
	{ "/dev/fd", "/proc/self/fd", 0, 0 },
	{ "/dev/stdin", "/proc/self/fd/0", 0, 0 },
	{ "/dev/stdout", "/proc/self/fd/1", 0, 0 },
	{ "/dev/stderr", "/proc/self/fd/2", 0, 0 },
	{ "/dev/ptmx", "pts/ptmx", 0, 0 },
};

const struct dev_name *plan_dev_name(size_t i)
{
	return i < sizeof(names) / sizeof(*names) ? &names[i] : NULL;
}

const struct dev_name *plan_find_dev(const char *path)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(names[i].path, path) == 0)
			return &names[i];
	}
	return NULL;
}
