/*
 * The last steps of a command of bubblewrap's: it is looked for inside, by the
 * PATH that it will have.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/io.h"
#include "engine/birth.h"
#include "engine/engine.h"
#include "plan/plan.h"

/* Read by init, which may load it for itself too. One more than there may be, so
 * that a longer one is known as such and not taken for its beginning. */
static struct {
	struct sock_filter code[BPF_MAXINSNS + 1];
	size_t size;
} late;

int engine_read_filter(const struct plan *plan, struct fault *fault)
{
	const struct op *op = plan_find(plan, OP_LATE_FILTER);
	char *at = (char *)late.code;
	ssize_t n = 1;

	if (op == NULL)
		return 0;
	while (n > 0 && late.size < sizeof(late.code)) {
		n = read(op->fd, at + late.size, sizeof(late.code) - late.size);
		if (n > 0)
			late.size += (size_t)n;
		else if (n < 0 && errno == EINTR)
			n = 1;
	}
	if (n < 0)
		return fault_set(fault, "read seccomp", "", errno);
	if (late.size % sizeof(*late.code) != 0)
		return fault_set(fault, "size of seccomp", "", EINVAL);
	(void)close(op->fd);
	return 0;
}

/* By prctl: that one a filter must let through for the next to be loaded, as
 * bubblewrap says, and seccomp(2) none has to. Its length has 16 bits, which a
 * longer program would wrap round to a short one that lets all through. */
static int load_one(const struct op *op)
{
	bool is_late = op->kind == OP_LATE_FILTER;
	const void *code = is_late ? late.code : op->data;
	size_t length = (is_late ? late.size : op->size) / sizeof(*late.code);
	struct sock_fprog given = {
		.len = (unsigned short)length,
		.filter = (struct sock_filter *)(uintptr_t)code,
	};

	if (length > BPF_MAXINSNS)
		return -EINVAL;
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &given) == 0)
		return 0;
	return -errno;
}

int engine_load_filters(const struct plan *plan, struct fault *fault)
{
	int err = 0;

	for (size_t i = 0; i < plan->op_count && err == 0; i++) {
		const struct op *op = &plan->ops[i];

		if (op->kind == OP_OWN_FILTER || op->kind == OP_LATE_FILTER)
			err = load_one(op);
	}
	return err == 0 ? 0 : fault_set(fault, "seccomp", "", err);
}

int birth_own_filter(const struct birth *birth, const struct op *op)
{
	int err = load_one(op);

	return err == 0 ? 0 : birth_fail(birth, "seccomp", "", err);
}

int birth_leave_reaper(const struct birth *birth)
{
	const struct plan_monitor *monitor = birth->plan->monitor;

	for (int fd = 0; fd < 3; fd++) {
		if (birth->plan->fd_closed[fd])
			(void)close(fd);
	}
	if (!monitor->has_reaper)
		return 0;
	if (monitor->sync_fd >= 0)
		(void)close(monitor->sync_fd);
	if (!monitor->die_with_parent)
		return 0;
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
		return birth_fail(birth, "prctl", "", errno);
	/* dead already: no signal comes any more */
	if (getppid() != birth->start->reaper)
		return birth_fail(birth, "getppid", "", ESRCH);
	return 0;
}

/* Said in the environment as it was asked for, not as it is called inside. */
int birth_find_cwd(const struct birth *birth, const struct op *op)
{
	const struct plan *plan = birth->plan;

	(void)op;
	for (size_t i = 0; i < plan->cwd_count; i++) {
		if (chdir(plan->cwds[i].path) != 0)
			continue;
		plan->envp[plan->pwd_at] = plan->cwds[i].entry;
		return 0;
	}
	return birth_fail(birth, "chdir", plan->cwds[0].path, errno);
}

int birth_label(const struct birth *birth, const struct op *op)
{
	int err = io_write_file(AT_FDCWD, "/proc/self/attr/exec", op->source);

	return err == 0 ? 0 : birth_fail(birth, "label", op->source, err);
}

static const char *find_path(char *const *envp)
{
	for (; *envp != NULL; envp++) {
		if (strncmp(*envp, "PATH=", 5) == 0)
			return *envp + 5;
	}
	return "/bin:/usr/bin"; /* as execvp(3) */
}

/* A script without #! is one of sh's. Returns errno. */
static int run_file(const struct birth *birth, char *file)
{
	const struct plan *plan = birth->plan;

	(void)execve(file, plan->argv, plan->envp);
	if (errno != ENOEXEC)
		return errno;
	plan->script[1] = file;
	(void)execve(plan->script[0], plan->script, plan->envp);
	return errno;
}

static bool may_be_elsewhere(int error)
{
	return error == ENOENT || error == ENOTDIR || error == EACCES ||
	       error == ENODEV || error == ESTALE || error == ETIMEDOUT;
}

/* EACCES of one that was found counts more than not finding another. */
static int search(const struct birth *birth, const char *name)
{
	const char *at = find_path(birth->plan->envp), *end;
	char file[PATH_MAX];
	int error = ENOENT, kept = ENOENT;

	for (;; at = end + 1) {
		size_t length, rest = strlen(name) + 1;

		end = at + strcspn(at, ":");
		length = (size_t)(end - at);
		if (length + 1 + rest <= sizeof(file)) {
			memcpy(file, at, length);
			if (length != 0)
				file[length++] = '/';
			memcpy(file + length, name, rest);
			error = run_file(birth, file);
		}
		if (!may_be_elsewhere(error))
			return error;
		kept = error == EACCES ? EACCES : kept;
		if (*end == '\0')
			return kept;
	}
}

/* No other call than execve: the filters are loaded, and not ours. */
int birth_search(const struct birth *birth, const struct op *op)
{
	int error = ENOENT;

	if (strchr(op->path, '/') != NULL)
		error = run_file(birth, (char *)(uintptr_t)op->path);
	else if (*op->path != '\0')
		error = search(birth, op->path);
	return birth_fail(birth, "execvp", op->path, error);
}
