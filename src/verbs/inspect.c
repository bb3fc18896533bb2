/*
 * cordon check, cordon doctor: the program cordon-inspect, which links what the
 * launcher must not. It is told where the launcher is and starts it as any user
 * would.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/exitcode.h"
#include "base/fault.h"
#include "base/hint.h"
#include "base/report.h"
#include "host/helper.h"
#include "verbs/verbs.h"

static size_t count_of(char **words)
{
	size_t count = 0;

	while (words[count] != NULL)
		count++;
	return count;
}

/* cordon-inspect LAUNCHER VERB WORD...; the verb stands before the words. */
static char **make_argv(struct arena *arena, const char *program,
			const char *launcher, char **words)
{
	size_t count = count_of(words);
	char **argv = arena_alloc(arena, (count + 4) * sizeof(*argv));

	argv[0] = arena_strdup(arena, program);
	argv[1] = arena_strdup(arena, launcher);
	memcpy(argv + 2, words - 1, (count + 2) * sizeof(*argv));
	return argv;
}

int verb_inspect(char **words)
{
	struct arena arena = { 0 };
	const char *program = helper_find(&arena, "", "cordon-inspect",
					  CORDON_LIBEXECDIR);
	char launcher[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", launcher,
				  sizeof(launcher) - 1);
	struct fault fault = { .stage = "inspect" };

	if (length > 0) {
		launcher[length] = '\0';
		(void)execve(program,
			     make_argv(&arena, program, launcher, words),
			     environ);
	}
	(void)fault_set(&fault, length > 0 ? "execve" : "readlink",
			length > 0 ? program : "/proc/self/exe", errno);
	report_failed(&fault, hint_for(&fault));
	arena_done(&arena);
	return 2;
}
