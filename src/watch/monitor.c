/*
 * The launcher of a sandbox of bubblewrap's: makes its first process, tells the
 * caller about it, and waits for the command.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/exitcode.h"
#include "base/io.h"
#include "base/sys.h"
#include "engine/engine.h"
#include "engine/handshake.h"
#include "plan/plan.h"
#include "watch/monitor.h"
#include "watch/reaper.h"

enum { LINE_ROOM = 512 };

struct monitor {
	const struct plan *plan;
	struct monitored *result;
	pid_t first;
	int first_fd, socket;
};

static int fail(const struct monitor *monitor, const char *stage,
		const char *call, int error)
{
	struct fault *fault = &monitor->result->fault;

	fault_copy(fault->stage, sizeof(fault->stage), stage);
	return fault_set(fault, call, "", error);
}

/* A parent that is gone already sends no signal any more. */
static int die_with(const struct monitor *monitor, pid_t parent)
{
	if (!monitor->plan->monitor->die_with_parent)
		return 0;
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
		return fail(monitor, "monitor", "prctl", errno);
	if (getppid() != parent)
		(void)raise(SIGKILL);
	return 0;
}

/* Namespaces of the caller's, in which the first process is then made. */
static int join(const struct monitor *monitor)
{
	const struct op *user = plan_find(monitor->plan, OP_JOIN_USER);
	const struct op *pid = plan_find(monitor->plan, OP_JOIN_PID);

	if (user != NULL && !(user->flags & JOIN_LATER)) {
		if (setns(user->fd, CLONE_NEWUSER) != 0)
			return fail(monitor, "join-user", "setns", errno);
		(void)close(user->fd);
	}
	if (pid == NULL)
		return 0;
	if (setns(pid->fd, CLONE_NEWPID) != 0)
		return fail(monitor, "join-pid", "setns", errno);
	(void)close(pid->fd);
	return 0;
}

static int make_first(struct monitor *monitor)
{
	struct reaper_start start = { .supervisor = sys_pidfd_open(getpid()) };
	int pair[2];

	if (start.supervisor < 0)
		return fail(monitor, "monitor", "pidfd_open", start.supervisor);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return fail(monitor, "monitor", "socketpair", errno);
	monitor->socket = pair[0];
	start.socket = pair[1];
	monitor->first = engine_clone(monitor->plan, &monitor->first_fd,
				      &monitor->result->fault);
	if (monitor->first == 0) {
		fd_close(&monitor->socket);
		reaper_main(monitor->plan, &start);
	}
	fd_close(&start.socket);
	fd_close(&start.supervisor);
	return monitor->first < 0 ? monitor->first : 0;
}

/* Of the namespaces that are its own, in the order of the alphabet; the user
 * namespace is not told. */
static const struct {
	const char *name;
	uint64_t flag;
} told[] = {
	{ "cgroup", CLONE_NEWCGROUP }, { "ipc", CLONE_NEWIPC },
	{ "mnt", CLONE_NEWNS },	       { "net", CLONE_NEWNET },
	{ "pid", CLONE_NEWPID },       { "uts", CLONE_NEWUTS },
};

struct form {
	const char *begin, *between, *end;
};

static void write_about(const struct monitor *monitor, int fd,
			const struct form *form)
{
	const struct op *spaces = plan_find(monitor->plan, OP_SPACES);
	char line[LINE_ROOM], path[64];
	struct stat st;
	int length = snprintf(line, sizeof(line), "%s\"child-pid\": %d",
			      form->begin, (int)monitor->first);

	for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++) {
		(void)snprintf(path, sizeof(path), "/proc/%d/ns/%s",
			       (int)monitor->first, told[i].name);
		if (!(spaces->flags & told[i].flag) || stat(path, &st) != 0)
			continue;
		length += snprintf(line + length, sizeof(line) - (size_t)length,
				   "%s\"%s-namespace\": %llu", form->between,
				   told[i].name, (unsigned long long)st.st_ino);
	}
	length += snprintf(line + length, sizeof(line) - (size_t)length, "%s",
			   form->end);
	(void)io_write_all(fd, line, (size_t)length);
}

static void tell(const struct monitor *monitor)
{
	static const struct form info = { "{\n    ", ",\n    ", "\n}\n" };
	static const struct form status = { "{ ", ", ", " }\n" };
	const struct plan_monitor *given = monitor->plan->monitor;

	if (given->info_fd >= 0) {
		write_about(monitor, given->info_fd, &info);
		(void)close(given->info_fd);
	}
	if (given->json_fd >= 0)
		write_about(monitor, given->json_fd, &status);
	if (given->userns_block_fd >= 0)
		io_await_byte(given->userns_block_fd);
	(void)handshake_tell(monitor->socket, HELLO_GO, 0);
}

/* Nobody who waits for the other end of something must wait for us. */
static void shut_others(const struct monitor *monitor)
{
	int keep[] = { 0,
		       1,
		       2,
		       monitor->plan->monitor->json_fd,
		       monitor->socket,
		       monitor->first_fd };

	fd_close_all_but(keep, sizeof(keep) / sizeof(*keep));
}

static int code_of(int raw)
{
	return WIFSIGNALED(raw) ? EXIT_SIGNAL + WTERMSIG(raw)
				: WEXITSTATUS(raw);
}

/* Returns whether there is more to hear. */
static bool hear(struct monitor *monitor)
{
	struct hello_message message;
	int answer = handshake_receive(monitor->socket, true, &message);

	if (answer <= 0) {
		fd_close(&monitor->socket);
		return true;
	}
	if (message.kind == HELLO_FAULT || message.kind == HELLO_EXEC_FAILED)
		monitor->result->fault = message.body.fault;
	if (message.kind != HELLO_ENDED)
		return message.kind != HELLO_FAULT &&
		       message.kind != HELLO_EXEC_FAILED;
	monitor->result->code = code_of(message.value);
	/* nobody is left: it is about to end, and no zombie of the caller's */
	if (message.body.usage.left_over == 0)
		(void)waitpid(monitor->first, NULL, 0);
	return false;
}

/* A command without a reaper is our own child. */
static void collect(struct monitor *monitor)
{
	int raw = 0;

	if (waitpid(monitor->first, &raw, 0) == monitor->first)
		monitor->result->code = code_of(raw);
}

static void wait_for_end(struct monitor *monitor)
{
	struct pollfd fds[] = {
		{ .events = POLLIN },
		{ .fd = monitor->first_fd, .events = POLLIN },
	};
	bool is_open = true;

	while (is_open) {
		fds[0].fd = monitor->socket;
		if (poll(fds, 2, -1) < 0)
			continue;
		/* its last words before its death */
		if (fds[0].revents != 0) {
			is_open = hear(monitor);
		} else if (fds[1].revents != 0) {
			collect(monitor);
			is_open = false;
		}
	}
}

static void tell_end(const struct monitor *monitor)
{
	int fd = monitor->plan->monitor->json_fd;
	char line[64];
	int length;

	if (fd < 0 || monitor->result->fault.error != 0)
		return;
	length = snprintf(line, sizeof(line), "{ \"exit-code\": %d }\n",
			  monitor->result->code);
	(void)io_write_all(fd, line, (size_t)length);
}

void monitor_run(const struct plan *plan, pid_t parent,
		 struct monitored *result)
{
	struct monitor monitor = {
		.plan = plan, .result = result, .first_fd = -1, .socket = -1
	};
	struct sigaction by_default = { .sa_handler = SIG_DFL };

	*result = (struct monitored){ .code = 1 };
	/* one that is ignored loses how its children ended */
	(void)sigaction(SIGCHLD, &by_default, NULL);
	/* joined first: a change of ids forgets the parent's death */
	if (join(&monitor) != 0 || die_with(&monitor, parent) != 0 ||
	    make_first(&monitor) != 0)
		return;
	tell(&monitor);
	shut_others(&monitor);
	wait_for_end(&monitor);
	tell_end(&monitor);
}
