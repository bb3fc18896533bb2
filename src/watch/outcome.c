/*
 * How a run ended: exit code, cause and limit, decided once for the caller, the
 * status stream and --verbose.
 */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/exitcode.h"
#include "plan/plan.h"
#include "watch/outcome.h"

static const char *const cause_names[] = {
	[CAUSE_COMMAND] = "command", [CAUSE_TIMEOUT] = "timeout",
	[CAUSE_LIMIT] = "limit",     [CAUSE_STOPPED] = "stopped",
	[CAUSE_LOST] = "lost",	     [CAUSE_DENIED] = "denied",
};
static_assert(sizeof(cause_names) / sizeof(*cause_names) == CAUSES,
	      "every cause has its name");

const char *outcome_cause_name(enum cause cause)
{
	return cause_names[cause];
}

int outcome_signal(const struct outcome *outcome)
{
	if (outcome->ending != ENDING_COMMAND || !WIFSIGNALED(outcome->raw))
		return 0;
	return WTERMSIG(outcome->raw);
}

static int command_code(const struct outcome *outcome)
{
	int signal = outcome_signal(outcome);

	return signal != 0 ? EXIT_SIGNAL + signal : WEXITSTATUS(outcome->raw);
}

static bool is_denied(const struct outcome *outcome)
{
	return outcome->is_failed_on_denied && !outcome->is_timed_out &&
	       outcome->ending == ENDING_COMMAND && command_code(outcome) == 0;
}

bool outcome_has_run(const struct outcome *outcome)
{
	return outcome->ending == ENDING_COMMAND ||
	       outcome->ending == ENDING_LOST;
}

int outcome_code(const struct outcome *outcome)
{
	if (outcome->ending == ENDING_FAULT)
		return EXIT_REFUSED;
	if (outcome->ending == ENDING_EXEC_FAILED)
		return outcome->fault.error == ENOENT ? EXIT_NOT_FOUND
						      : EXIT_NOT_EXECUTABLE;
	if (outcome->is_timed_out)
		return EXIT_TIMEOUT;
	if (is_denied(outcome))
		return EXIT_DENIED;
	if (outcome->ending == ENDING_COMMAND)
		return command_code(outcome);
	if (outcome->cut_short != 0)
		return EXIT_SIGNAL + outcome->cut_short;
	return EXIT_REFUSED;
}

bool outcome_is_failure(const struct outcome *outcome, const struct plan *plan)
{
	if (outcome->ending == ENDING_EXEC_FAILED)
		return true;
	return outcome_cause(outcome, plan) == CAUSE_COMMAND &&
	       outcome_signal(outcome) == 0 && outcome->unkillable == 0 &&
	       outcome_code(outcome) != 0;
}

static const struct op *find_limit(const struct plan *plan, uint64_t resource)
{
	for (size_t i = plan->op_count; i > 0; i--) {
		const struct op *op = &plan->ops[i - 1];

		if (op->kind == OP_LIMIT && op->a == resource)
			return op;
	}
	return NULL;
}

/* Where soft and hard limit are the same, the kernel sends SIGKILL at once and
 * SIGXCPU never (check_process_timers in kernel/time/posix-cpu-timers.c). It
 * counts whole ticks for the limit and run time for the usage, which on a loaded
 * machine is a good deal less. */
static bool is_out_of_time(const struct outcome *outcome, const struct op *op)
{
	uint64_t used = outcome->usage.user_us + outcome->usage.system_us;
	int signal = outcome_signal(outcome);

	return signal == SIGXCPU ||
	       (signal == SIGKILL && used >= op->b * (1000000 / 2));
}

const char *outcome_limit(const struct outcome *outcome,
			  const struct plan *plan)
{
	const struct op *cpu = find_limit(plan, RLIMIT_CPU);

	if (outcome_signal(outcome) == 0)
		return NULL;
	if (cpu != NULL && is_out_of_time(outcome, cpu))
		return "cpu-time";
	if (outcome_signal(outcome) == SIGKILL && outcome->oom_kills != 0)
		return "memory";
	if (outcome_signal(outcome) == SIGXFSZ &&
	    find_limit(plan, RLIMIT_FSIZE) != NULL)
		return "file-size";
	return NULL;
}

enum cause outcome_cause(const struct outcome *outcome, const struct plan *plan)
{
	int signal = outcome_signal(outcome);

	if (outcome->is_timed_out)
		return CAUSE_TIMEOUT;
	if (is_denied(outcome))
		return CAUSE_DENIED;
	if (outcome->ending != ENDING_COMMAND)
		return outcome->cut_short != 0 ? CAUSE_STOPPED : CAUSE_LOST;
	if (outcome_limit(outcome, plan) != NULL)
		return CAUSE_LIMIT;
	if (signal != 0 && (outcome->forwarded >> (signal - 1) & 1) != 0)
		return CAUSE_STOPPED;
	return CAUSE_COMMAND;
}
