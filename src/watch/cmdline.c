/*
 * What ps shows of init is the launcher's whole command line, with the host's
 * paths in it, and /proc/1/cmdline asks for no permission. The kernel laid the
 * words out as one block: arguments, environment, then the name of the
 * executable (create_elf_tables in fs/binfmt_elf.c).
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>

#include "plan/plan.h"
#include "watch/cmdline.h"

static char *words_begin(void)
{
	return program_invocation_name;
}

static char *words_end(void)
{
	return (char *)getauxval(
		AT_EXECFN); // NOLINT(performance-no-int-to-ptr)
}

static const char *lower(const char *word, const char *from, const char *to)
{
	return word != NULL && word >= from && word < to ? word : to;
}

/* The lowest of the words that lies in the block from `from` to `to`. */
static const char *lowest(char *const *words, const char *from, const char *to)
{
	for (; *words != NULL; words++)
		to = lower(*words, from, to);
	return to;
}

/* The same for what the command's own process reads of the plan. */
static const char *lowest_op(const struct plan *plan, const char *from,
			     const char *to)
{
	for (size_t i = plan->op_count; i > 0; i--) {
		const struct op *op = &plan->ops[i - 1];

		if (op->kind < OP_LIMIT)
			break;
		to = lower(op->path, from, lower(op->source, from, to));
	}
	return to;
}

void cmdline_wipe_options(const struct plan *plan)
{
	char *from = words_begin();
	const char *to = lowest(plan->argv, from, words_end());

	while (from < to) {
		const char *kept = lowest_op(plan, from, to);

		kept = lowest(plan->envp, from, kept);
		memset(from, 0, (size_t)(kept - from));
		from += kept - from;
		if (from < to)
			from += strlen(from) + 1;
	}
}

void cmdline_wipe(void)
{
	memset(words_begin(), 0, (size_t)(words_end() - words_begin()));
}
