/*
 * A cgroup for limits that only a cgroup can hold.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/io.h"
#include "base/number.h"
#include "base/proc.h"
#include "base/sys.h"
#include "engine/cgroup.h"
#include "engine/engine.h"
#include "engine/inside.h"

enum { SETTING_ROOM = 64, SWEEP_TRIES = 200, SWEEP_WAIT_MS = 50 };

static int fail(struct fault *fault, const char *call, const char *object,
		int error)
{
	fault_copy(fault->stage, sizeof(fault->stage), plan_op_name(OP_CGROUP));
	return fault_set(fault, call, object, error);
}

/* "FILE=VALUE\n", one after the other. memory.swap.max is not there without
 * swap accounting, and then there is no swap to limit. */
static int write_settings(const struct cgroup *cgroup, const struct op *op,
			  struct fault *fault)
{
	const char *at = op->data;

	while (*at != '\0') {
		char line[SETTING_ROOM], *value;
		size_t length = strcspn(at, "\n");
		int err;

		if (length >= sizeof(line))
			return fail(fault, "cgroup", "setting", E2BIG);
		memcpy(line, at, length);
		line[length] = '\0';
		value = strchr(line, '=');
		*value++ = '\0';
		err = io_write_file(cgroup->group, line, value);
		if (err == -ENOENT && strcmp(line, "memory.swap.max") == 0)
			err = 0;
		if (err != 0)
			return fail(fault, "write", line, err);
		at += length;
		at += *at == '\n';
	}
	return 0;
}

/* The pid alone may be taken: another pid namespace has the same numbers. */
static int make_dir(struct cgroup *cgroup)
{
	for (unsigned try = 0; try < 1000; try++) {
		(void)snprintf(cgroup->name, sizeof(cgroup->name),
			       "cordon-%d-%u", (int)getpid(), try);
		if (mkdirat(cgroup->parent, cgroup->name, 0755) == 0)
			return 0;
		if (errno != EEXIST)
			return -errno;
	}
	return -EEXIST;
}

/* EBUSY while the last processes in it still die. */
static void remove_dir(const struct cgroup *cgroup)
{
	const struct timespec pause = { 0, SWEEP_WAIT_MS * 1000000L };

	for (int i = 0; i < SWEEP_TRIES; i++) {
		if (unlinkat(cgroup->parent, cgroup->name, AT_REMOVEDIR) == 0 ||
		    errno != EBUSY)
			return;
		(void)nanosleep(&pause, NULL);
	}
}

/* Own session: a SIGKILL for the whole process group must not reach it. */
static _Noreturn void sweep_main(const struct cgroup *cgroup, int supervisor)
{
	struct pollfd death = { .fd = 1, .events = POLLIN };
	struct cgroup swept = *cgroup;
	sigset_t all;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, NULL);
	(void)setsid();
	/* holds nothing of the caller's: a pipe it kept would never end */
	(void)dup2(cgroup->parent, 0);
	(void)dup2(supervisor, 1);
	(void)sys_close_range(2, ~0U, 0);
	swept.parent = 0;
	while (poll(&death, 1, -1) < 0 && errno == EINTR)
		;
	remove_dir(&swept);
	_exit(0);
}

static int start_sweeper(struct cgroup *cgroup, struct fault *fault)
{
	FD_OWNED int supervisor = sys_pidfd_open(getpid());
	FD_OWNED int pidfd = -1;

	if (supervisor < 0)
		return fail(fault, "pidfd_open", "", supervisor);
	cgroup->sweeper = proc_clone(0, -1, &pidfd);
	if (cgroup->sweeper == 0)
		sweep_main(cgroup, supervisor);
	return cgroup->sweeper > 0
		       ? 0
		       : fail(fault, "clone3", "", (int)cgroup->sweeper);
}

static int fill(struct cgroup *cgroup, const struct op *op, struct fault *fault)
{
	int err;

	cgroup->group = sys_openat(cgroup->parent, cgroup->name,
				   O_RDONLY | O_DIRECTORY, 0);
	if (cgroup->group < 0)
		return fail(fault, "openat", cgroup->name, cgroup->group);
	err = write_settings(cgroup, op, fault);
	return err == 0 ? start_sweeper(cgroup, fault) : err;
}

int cgroup_make(const struct plan *plan, struct cgroup *cgroup,
		struct fault *fault)
{
	const struct op *op = plan_find(plan, OP_CGROUP);
	int err;

	*cgroup = (struct cgroup){ .parent = -1, .group = -1 };
	if (op == NULL)
		return 0;
	cgroup->parent = sys_openat(AT_FDCWD, op->source,
				    O_RDONLY | O_DIRECTORY, 0);
	if (cgroup->parent < 0)
		return fail(fault, "openat", op->source, cgroup->parent);
	err = make_dir(cgroup);
	if (err != 0)
		return fail(fault, "mkdirat", op->source, err);
	err = fill(cgroup, op, fault);
	if (err != 0)
		cgroup_remove(cgroup);
	return err;
}

void cgroup_remove(struct cgroup *cgroup)
{
	if (cgroup->parent < 0)
		return;
	remove_dir(cgroup);
	if (cgroup->sweeper > 0 && kill(cgroup->sweeper, SIGKILL) == 0)
		(void)waitpid(cgroup->sweeper, NULL, 0);
	fd_close(&cgroup->group);
	fd_close(&cgroup->parent);
}

/* A line "KEY COUNT" of memory.events; the first one is "low". */
static uint64_t event_count(const char *table, const char *key)
{
	const char *line = strstr(table, key);
	char digits[NUMBER_ROOM] = "";
	uint64_t count = 0;
	size_t length;

	if (line == NULL)
		return 0;
	line += strlen(key);
	length = strcspn(line, "\n");
	if (length < sizeof(digits))
		memcpy(digits, line, length);
	return number_parse(digits, UINT64_MAX, &count) == 0 ? count : 0;
}

/* "oom" counts where this limit was hit, "oom_kill" (Linux 4.13) also those who
 * died for a limit further up or for the machine's own lack. */
uint64_t engine_oom_kills(const struct plan *plan)
{
	FD_OWNED int fd = -1;
	char table[512];
	ssize_t length;

	if (plan->cgroup_fd < 0)
		return 0;
	fd = sys_openat(plan->cgroup_fd, "memory.events", O_RDONLY, 0);
	length = fd < 0 ? 0 : read(fd, table, sizeof(table) - 1);
	if (length <= 0)
		return 0;
	table[length] = '\0';
	return event_count(table, "\noom ") == 0
		       ? 0
		       : event_count(table, "\noom_kill ");
}
