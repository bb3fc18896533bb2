/*
 * The one clone.
 */
#include <errno.h>
#include <sched.h>
#include <stdbool.h>

#include "base/proc.h"
#include "engine/engine.h"
#include "engine/inside.h"
#include "engine/mutant.h"

pid_t engine_clone(const struct plan *plan, int *pidfd, struct fault *fault)
{
	const struct op *spaces;
	bool is_below;
	pid_t pid;

	mutant_change(plan);
	spaces = plan_find(plan, OP_SPACES);
	is_below = plan_find(plan, OP_JOIN_PID) != NULL &&
		   spaces->flags & CLONE_NEWPID;
	pid = is_below ? proc_clone_below(spaces->flags, pidfd)
		       : proc_clone(spaces->flags, plan->cgroup_fd, pidfd);
	if (pid >= 0)
		return pid;
	fault_copy(fault->stage, sizeof(fault->stage), plan_op_name(OP_SPACES));
	return fault_set(fault, "clone3", "", (int)pid);
}

/* At the clone the namespace's root is the group of the supervisor; the one that
 * init was born in becomes it here. */
int engine_own_cgroup(struct engine *engine, const struct op *op)
{
	return unshare(CLONE_NEWCGROUP) == 0
		       ? 0
		       : engine_fail(engine, "unshare", op->source, errno);
}
