/*
 * The command's process, from its birth in init to exec.
 *
 * Needs: the wall complete, capabilities gone, no_new_privs set, every signal
 * blocked.
 * Does: own process group, terminal, limits, descriptors, filter, exec, in the
 * order of the plan.
 * Must not: touch memory that init needs; they share it until exec.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <unistd.h>

#include "base/io.h"
#include "base/proc.h"
#include "base/sys.h"
#include "engine/birth.h"
#include "engine/engine.h"
#include "engine/filter.h"
#include "engine/inside.h"
#include "engine/watch.h"

int birth_fail(const struct birth *birth, const char *call, const char *object,
	       int error)
{
	return fault_set(birth->fault, call, object, error);
}

static int set_limit(const struct birth *birth, const struct op *op)
{
	struct rlimit limit = { .rlim_cur = op->b, .rlim_max = op->b };
	struct rlimit old;

	/* SIGXCPU at the limit, SIGKILL a second later: told apart by signal */
	if (op->a == RLIMIT_CPU)
		limit.rlim_max++;
	if (op->flags & LIMIT_SOFT) {
		if (getrlimit((int)op->a, &old) != 0)
			return birth_fail(birth, "getrlimit", "", errno);
		limit.rlim_max = old.rlim_max;
	}
	if (setrlimit((int)op->a, &limit) != 0)
		return birth_fail(birth, "setrlimit", "limit", errno);
	return 0;
}

/* Landlock's scope for abstract sockets, ABI 6 (Linux 6.12). The structure is
 * written out because the headers of the build may be older. */
static int set_scope(const struct birth *birth, const struct op *op)
{
	struct {
		uint64_t handled_fs, handled_net, scoped;
	} attr = { .scoped = 1 };
	FD_OWNED int ruleset = -1;

	(void)op;
	/* 444 and 446 on every architecture */
	ruleset = (int)syscall(444, &attr, sizeof(attr), 0);
	if (ruleset < 0)
		return birth_fail(birth, "landlock_create_ruleset", "", errno);
	if (syscall(446, ruleset, 0) != 0)
		return birth_fail(birth, "landlock_restrict_self", "", errno);
	return 0;
}

static int set_cwd(const struct birth *birth, const struct op *op)
{
	if (chdir(op->path) != 0)
		return birth_fail(birth, "chdir", op->path, errno);
	return 0;
}

/* The host's nodes that a root caller owns: through a descriptor that was opened
 * outside it could chmod them (fchmod of stdin was how /dev/null lost its
 * mode). The same node of the new /dev is on a read-only mount. */
static int reopen_node(const struct birth *birth, int fd)
{
	static const struct {
		unsigned minor;
		const char *path;
	} nodes[] = { { 3, "/dev/null" },
		      { 5, "/dev/zero" },
		      { 7, "/dev/full" },
		      { 8, "/dev/random" },
		      { 9, "/dev/urandom" } };
	int flags = fcntl(fd, F_GETFL);
	FD_OWNED int opened = -1;
	struct stat st;

	if (flags < 0 || fstat(fd, &st) != 0 || !S_ISCHR(st.st_mode) ||
	    major(st.st_rdev) != 1)
		return 0;
	for (size_t i = 0; i < sizeof(nodes) / sizeof(*nodes); i++) {
		if (minor(st.st_rdev) != nodes[i].minor)
			continue;
		opened = sys_openat(AT_FDCWD, nodes[i].path,
				    flags & (O_ACCMODE | O_NONBLOCK | O_APPEND),
				    0);
		if (opened < 0)
			return birth_fail(birth, "openat", nodes[i].path,
					  opened);
		if (dup2(opened, fd) < 0)
			return birth_fail(birth, "dup2", nodes[i].path, errno);
	}
	return 0;
}

static int reopen_nodes(const struct birth *birth)
{
	int err = 0;

	for (int fd = 0; fd < 3 && err == 0; fd++)
		err = reopen_node(birth, fd);
	for (size_t i = 0; i < birth->plan->keep_count && err == 0; i++)
		err = reopen_node(birth, birth->plan->keep_fds[i]);
	return err;
}

static int set_fds(const struct birth *birth, const struct op *op)
{
	const struct plan *plan = birth->plan;
	int err = sys_close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);

	if (err != 0)
		return birth_fail(birth, "close_range", "", err);
	if (op->flags & FDS_REOPEN)
		err = reopen_nodes(birth);
	if (err != 0)
		return err;
	for (size_t i = 0; i < plan->keep_count; i++) {
		if (fcntl(plan->keep_fds[i], F_SETFD, 0) != 0)
			return birth_fail(birth, "fcntl", "kept descriptor",
					  errno);
	}
	for (int fd = 0; fd < 3; fd++) {
		if (plan->fd_closed[fd])
			(void)close(fd);
	}
	return 0;
}

/* The files are shared with init, who hands the listener over: this process may
 * make no call that waits for an answer. */
static int set_watch(const struct birth *birth, const struct op *op)
{
	struct engine_watch *watch = birth->start->watch;
	const struct op *filter = engine_hears_denials(birth->plan)
					  ? plan_find(birth->plan, OP_FILTER)
					  : NULL;
	int listener = watch_listen(op, filter);

	if (listener >= 0) {
		watch->listener = listener;
		watch->has_filter = filter != NULL;
	} else if (op->flags & WATCH_REQUIRED) {
		return birth_fail(birth, "seccomp", "listener", listener);
	} else {
		watch->error = -listener;
	}
	return 0;
}

/* Unless what listens is that filter. */
static int set_filter(const struct birth *birth, const struct op *op)
{
	int err = birth->start->watch->has_filter ? 0 : filter_load(op);

	return err == 0 ? 0 : birth_fail(birth, "seccomp", op->source, err);
}

/* Last of all: a signal that waits is now delivered, to the command. */
static int run(const struct birth *birth, const struct op *op)
{
	if (sigprocmask(SIG_SETMASK, birth->start->mask, NULL) != 0)
		return birth_fail(birth, "sigprocmask", "", errno);
	(void)execve(op->path, birth->plan->argv, birth->plan->envp);
	return birth_fail(birth, "execve", op->path, errno);
}

static int (*const actions[OP_KINDS])(const struct birth *,
				      const struct op *) = {
	[OP_LIMIT] = set_limit,
	[OP_SCOPE] = set_scope,
	[OP_CWD] = set_cwd,
	[OP_FDS] = set_fds,
	[OP_FILTER] = set_filter,
	[OP_EXEC] = run,
	[OP_WATCH] = set_watch,
	[OP_FIND_CWD] = birth_find_cwd,
	[OP_LABEL] = birth_label,
	[OP_LATE_FILTER] = birth_own_filter,
	[OP_OWN_FILTER] = birth_own_filter,
	[OP_SEARCH] = birth_search,
};

/* Nobody to wait for any more is no fault. */
static void wait_for_witness(int witness)
{
	pid_t group = getpid();

	if (witness >= 0 &&
	    send(witness, &group, sizeof(group), MSG_NOSIGNAL) == sizeof(group))
		(void)recv(witness, &group, sizeof(group), 0);
}

/* Own group first: `kill 0` inside must not reach the caller's. Taking the
 * terminal fails when the caller is no longer in front, which is no fault. */
static int take_group(const struct birth *birth)
{
	struct engine_start *start = birth->start;

	if (setpgid(0, 0) != 0)
		return birth_fail(birth, "setpgid", "", errno);
	wait_for_witness(start->witness);
	start->tty_errno = 0;
	if (start->tty >= 0 && tcsetpgrp(start->tty, getpid()) != 0)
		start->tty_errno = errno;
	return 0;
}

static int be_born(void *argument)
{
	const struct birth *birth = argument;
	const struct plan *plan = birth->plan;
	int err = plan->monitor == NULL ? take_group(birth)
					: birth_leave_reaper(birth);

	for (size_t i = 0; i < plan->op_count && err == 0; i++) {
		const struct op *op = &plan->ops[i];

		if (actions[op->kind] == NULL)
			continue;
		err = actions[op->kind](birth, op);
		if (err != 0)
			fault_copy(birth->fault->stage,
				   sizeof(birth->fault->stage),
				   plan_op_name(op->kind));
	}
	return 127;
}

pid_t engine_start(const struct plan *plan, struct engine_start *start,
		   struct fault *fault)
{
	struct birth birth = { plan, start, fault };
	bool is_watched = plan_find(plan, OP_WATCH) != NULL;
	pid_t pid;

	fault->error = 0;
	pid = proc_spawn(be_born, &birth, is_watched ? PROC_SHARE_FILES : 0);
	if (pid < 0) {
		fault_copy(fault->stage, sizeof(fault->stage), "start");
		return fault_set(fault, "clone", "", (int)pid);
	}
	/* exec has happened, or the process has written why not and ended */
	return fault->error == 0 ? pid : -fault->error;
}

int engine_become(const struct plan *plan, struct engine_start *start,
		  struct fault *fault)
{
	struct birth birth = { plan, start, fault };

	fault->error = 0;
	(void)be_born(&birth);
	return -fault->error;
}
