/*
 * The engine does what a plan says, operation by operation, and knows nothing
 * of what was asked. It never prints: a failure is a fault for its caller.
 */
#ifndef CORDON_ENGINE_ENGINE_H
#define CORDON_ENGINE_ENGINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct fault;
struct plan;
struct seccomp_data;

/* In the supervisor: makes init in all new namespaces. Returns its pid, 0 in
 * init itself, or -errno with the fault filled. *pidfd only in the parent. */
pid_t engine_clone(const struct plan *plan, int *pidfd, struct fault *fault);

/* In the supervisor, while the plan's own cgroup is there: how many processes
 * its memory limit has killed; 0 without one. */
uint64_t engine_oom_kills(const struct plan *plan);

/* What the supervisor watches with; each -1 where there is none. */
struct engine_watch {
	int names;    /* UDP, bound to the resolver's port of loopback */
	int probe;    /* UDP, unbound: what the kernel says to an address */
	int listener; /* notifications of the command's filter */
	int error;    /* errno: why there is no listener where one is wanted */
	bool has_filter; /* what listens is the policy's filter, too */
};

/* In init: builds the whole wall, up to dropped capabilities. Returns 0, or
 * -errno with the fault filled; what was built so far dies with init. */
int engine_build(const struct plan *plan, struct engine_watch *watch,
		 struct fault *fault);

/* How the command's process meets the terminal and its signals. */
struct engine_start {
	const sigset_t *mask; /* the caller's signal mask, restored */
	pid_t reaper;	      /* bubblewrap's, whom the command may die with */
	int witness;	      /* sent the new group, answers when it has joined
				 it, before the command runs; or -1 */
	int tty;	      /* terminal to take before exec, or -1 */
	int tty_errno;	      /* out: why taking it failed, not fatal */
	struct engine_watch *watch;
};

/* In init: starts the command in a process group of its own. Returns its pid
 * once exec has succeeded; -errno with the fault filled otherwise. A fault of
 * stage "exec" means that everything stood and only exec itself failed. */
pid_t engine_start(const struct plan *plan, struct engine_start *start,
		   struct fault *fault);

/* In the supervisor: what the plan's filter answers to a call, as SECCOMP_RET_*;
 * *words as of bpf_run. */
uint32_t engine_judge_call(const struct plan *plan,
			   const struct seccomp_data *data, unsigned *words);

/* Whether the shipped filter of that name lets the call through. */
bool engine_allows_call(const char *filter, const struct seccomp_data *data);

/* Whether the listener hears the calls that the plan's filter denies: see
 * engine/watch.c. */
bool engine_hears_denials(const struct plan *plan);

/* engine_start in this process itself; returns only with a fault. */
int engine_become(const struct plan *plan, struct engine_start *start,
		  struct fault *fault);

/* Reads the program of an OP_LATE_FILTER, if there is one. */
int engine_read_filter(const struct plan *plan, struct fault *fault);

/* All filters of the command, for this process. */
int engine_load_filters(const struct plan *plan, struct fault *fault);

/* In init, after the command runs: a filter that leaves only what reaping and
 * the handshake need. */
int engine_seal_init(struct fault *fault);

#endif
