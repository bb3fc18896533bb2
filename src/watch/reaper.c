/*
 * The first process: builds, and then is the command, or process 1 that reaps
 * for it and holds its locks. Nothing in it tells what the host's paths or the
 * caller's variables were.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/sys.h"
#include "engine/engine.h"
#include "engine/handshake.h"
#include "plan/plan.h"
#include "watch/cmdline.h"
#include "watch/reaper.h"

struct reaper {
	const struct plan *plan;
	int socket;
	int *held; /* descriptors of locks; the socket, sync */
	size_t held_count;
};

static noreturn void give_up(const struct reaper *reaper,
			     const struct fault *fault)
{
	struct hello_message message = { .kind = HELLO_FAULT };

	message.body.fault = *fault;
	(void)handshake_send(reaper->socket, &message);
	_exit(1);
}

static noreturn void give_up_at(const struct reaper *reaper, const char *call,
				const char *object, int error)
{
	struct fault fault = { .stage = "reaper" };

	(void)fault_set(&fault, call, object, error);
	give_up(reaper, &fault);
}

/* Set before the launcher can die unnoticed: its pidfd tells whether it did.
 * getppid() is 0 in a new pid namespace. */
static void die_with(const struct reaper *reaper, int supervisor)
{
	struct pollfd end = { .fd = supervisor, .events = POLLIN };

	if (!reaper->plan->monitor->die_with_parent)
		return;
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
		give_up_at(reaper, "prctl", "", errno);
	if (poll(&end, 1, 0) != 0)
		_exit(1);
}

static void await_go(const struct reaper *reaper)
{
	struct hello_message message;

	if (handshake_receive(reaper->socket, false, &message) <= 0)
		_exit(1);
}

static void build(const struct reaper *reaper)
{
	struct engine_watch watch = { .names = -1,
				      .probe = -1,
				      .listener = -1 };
	struct fault fault = { 0 };

	if (engine_build(reaper->plan, &watch, &fault) != 0)
		give_up(reaper, &fault);
}

static void prepare(const struct reaper *reaper)
{
	const struct plan_monitor *monitor = reaper->plan->monitor;
	struct fault fault = { .stage = "reaper" };

	for (size_t i = 0; i < monitor->shut_count; i++)
		(void)close(monitor->shut[i]);
	if (monitor->block_fd >= 0)
		io_await_byte(monitor->block_fd);
	if (engine_read_filter(reaper->plan, &fault) != 0)
		give_up(reaper, &fault);
	if (monitor->new_session && setsid() < 0)
		give_up_at(reaper, "setsid", "", errno);
}

static void lock(struct reaper *reaper, const char *path)
{
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		give_up_at(reaper, "open lock", path, errno);
	if (fcntl(fd, F_SETLK, &lock) != 0)
		give_up_at(reaper, "lock", path, errno);
	reaper->held[reaper->held_count++] = fd;
}

static pid_t start(struct reaper *reaper, struct engine_start *how)
{
	const struct plan *plan = reaper->plan;
	struct fault fault = { 0 };
	pid_t pid;

	for (size_t i = 0; i < plan->monitor->lock_count; i++)
		lock(reaper, plan->monitor->locks[i]);
	cmdline_wipe(); /* the plan has copies of what the command needs */
	pid = engine_start(plan, how, &fault);
	if (pid < 0)
		give_up(reaper, &fault);
	return pid;
}

/* Nobody who waits for the other end of something must wait for process 1. */
static void shut_others(struct reaper *reaper)
{
	int *held = reaper->held;
	size_t count = reaper->held_count;

	if (reaper->plan->monitor->sync_fd >= 0)
		held[count++] = reaper->plan->monitor->sync_fd;
	held[count++] = reaper->socket;
	fd_close_all_but(held, count);
}

/* As bubblewrap's: callers look for the sandbox by its /proc/PID. Root needs no
 * such leave, and from inside /proc/1/exe would be its program on the host, to be
 * written to later (CVE-2019-5736). */
static void show(const struct reaper *reaper, bool is_shown)
{
	bool is_root = reaper->plan->monitor->is_root;

	(void)prctl(PR_SET_DUMPABLE, is_shown && !is_root, 0, 0, 0);
}

static void confine(const struct reaper *reaper)
{
	struct fault fault = { .stage = "reaper" };
	int err = sys_capset(0, 0);

	if (err != 0)
		give_up_at(reaper, "capset", "", err);
	if (engine_load_filters(reaper->plan, &fault) != 0)
		give_up(reaper, &fault);
}

static void tell_end(struct reaper *reaper, int status)
{
	struct hello_message message = { .kind = HELLO_ENDED, .value = status };

	/* children that wait for nobody yet, or live on */
	while (waitpid(-1, NULL, WNOHANG) > 0)
		continue;
	message.body.usage.left_over = errno == ECHILD ? 0 : 1;
	(void)handshake_send(reaper->socket, &message);
	fd_close(&reaper->socket);
}

static noreturn void reap(struct reaper *reaper, pid_t command)
{
	int status;

	for (;;) {
		pid_t pid = waitpid(-1, &status, 0);

		if (pid < 0 && errno == ECHILD)
			_exit(0);
		if (pid == command)
			tell_end(reaper, status);
	}
}

noreturn void reaper_main(const struct plan *plan,
			  const struct reaper_start *begin)
{
	struct reaper reaper = { .plan = plan,
				 .socket = begin->socket,
				 .held = plan->monitor->held };
	struct engine_start how = { .witness = -1,
				    .tty = -1,
				    .reaper = getpid() };
	struct fault fault = { 0 };
	sigset_t mask;
	pid_t pid;

	(void)sigprocmask(SIG_SETMASK, NULL, &mask);
	how.mask = &mask;
	die_with(&reaper, begin->supervisor);
	await_go(&reaper);
	build(&reaper);
	/* forgotten where another user namespace was joined */
	die_with(&reaper, begin->supervisor);
	(void)close(begin->supervisor);
	prepare(&reaper);
	if (!plan->monitor->has_reaper) {
		(void)engine_become(plan, &how, &fault);
		give_up(&reaper, &fault);
	}
	show(&reaper, false);
	pid = start(&reaper, &how);
	shut_others(&reaper);
	show(&reaper, true);
	confine(&reaper);
	reap(&reaper, pid);
}
