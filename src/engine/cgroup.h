/*
 * A cgroup for limits that only a cgroup can hold. Made in the host's tree, so
 * it is the one thing that must be taken away again.
 */
#ifndef CORDON_ENGINE_CGROUP_H
#define CORDON_ENGINE_CGROUP_H

#include <sys/types.h>

struct fault;
struct plan;

struct cgroup {
	int parent; /* the delegated directory */
	int group;  /* ours in it: where init is born */
	char name[48];
	pid_t sweeper; /* removes it when the supervisor is killed */
};

/* Makes the group of the plan's OP_CGROUP with its limits, and a process of its
 * own session that outlives the supervisor only to remove it. Returns 0, with
 * group -1 when the plan has none; -errno with the fault filled and nothing
 * left. A limit that cannot be written is a fault: never less than asked. */
int cgroup_make(const struct plan *plan, struct cgroup *cgroup,
		struct fault *fault);

/* Removes it; everything in it must have ended. */
void cgroup_remove(struct cgroup *cgroup);

#endif
