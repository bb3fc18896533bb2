/*
 * The one clone, and the cgroup to be born in.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/proc.h"
#include "engine/engine.h"
#include "engine/inside.h"

static int clone_fault(struct fault *fault, const char *stage, const char *call,
		       const char *object, int err)
{
	fault_copy(fault->stage, sizeof(fault->stage), stage);
	return fault_set(fault, call, object, err);
}

pid_t engine_clone(const struct plan *plan, int *pidfd, struct fault *fault)
{
	const struct op *spaces = plan_find(plan, OP_SPACES);
	pid_t pid = proc_clone(spaces->flags, plan->cgroup_fd, pidfd);

	if (pid < 0)
		return clone_fault(fault, "spaces", "clone3", "", (int)pid);
	return pid;
}
