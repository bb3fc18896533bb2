/*
 * Process 1 of the sandbox: builds the wall, starts the command, reaps, and
 * reports. Everything inside dies with it, so it must not outlive the
 * supervisor, and nothing inside may read it or stop it.
 *
 * After engine_seal_init it makes these system calls and no others: poll (or
 * ppoll), read, sendto, recvfrom, wait4, kill, ioctl(TIOCSPGRP), getrusage,
 * clock_gettime where the vDSO lacks it, restart_syscall and exit_group.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/exitcode.h"
#include "base/io.h"
#include "base/sys.h"
#include "engine/engine.h"
#include "engine/handshake.h"
#include "plan/plan.h"
#include "watch/cmdline.h"
#include "watch/ear.h"
#include "watch/init.h"

/* How long a killed process may take to die before nobody waits for it. */
enum { DEATH_MS = 1000 };

struct init {
	const struct plan *plan;
	int socket, signals, tty;
	bool is_foreground, is_told;
	struct deadline limit;
	bool is_timed_out;
	pid_t command;
	struct ear ear;
	struct engine_watch watch;
	uint64_t held, held_job; /* signals that came before the command */
};

/* getppid() is 0 here and stays 0, so the parent's death is seen by its pidfd:
 * one that died before PR_SET_PDEATHSIG is found dead now, one that dies later
 * takes this process along. */
static bool is_supervised(int supervisor)
{
	struct pollfd death = { .fd = supervisor, .events = POLLIN };

	return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && poll(&death, 1, 0) == 0;
}

static noreturn void give_up(const struct init *init, enum hello kind,
			     const struct fault *fault)
{
	struct hello_message message = { .kind = kind, .body.fault = *fault };

	(void)handshake_send(init->socket, &message);
	_exit(EXIT_REFUSED);
}

/* All ends by kill(-1), which must mean the sandbox: with its own pid namespace
 * lost, by a fault of ours, it would mean every process of this user. */
static void check_first(const struct init *init)
{
	struct fault fault = { .stage = "init" };

	if (getpid() == 1)
		return;
	(void)fault_set(&fault, "getpid", "", ECHILD);
	give_up(init, HELLO_FAULT, &fault);
}

static void hide(const struct init *init, const struct plan *plan)
{
	struct fault fault = { .stage = "init" };

	if (prctl(PR_SET_DUMPABLE, 0) != 0) {
		(void)fault_set(&fault, "PR_SET_DUMPABLE", "", errno);
		give_up(init, HELLO_FAULT, &fault);
	}
	(void)prctl(PR_SET_NAME, "cordon-init");
	cmdline_wipe_options(plan);
}

/* Signals for a command that does not run yet wait for it, as they would wait
 * in the socket if nobody listened. */
static void wait_for_go(struct init *init)
{
	struct hello_message message = { .kind = HELLO_READY };

	(void)handshake_send(init->socket, &message);
	while (message.kind != HELLO_GO) {
		if (handshake_receive(init->socket, false, &message) <= 0)
			_exit(EXIT_REFUSED);
		if (message.kind == HELLO_SIGNAL)
			init->held |= UINT64_C(1) << (message.value - 1);
		else if (message.kind == HELLO_SIGNAL_JOB)
			init->held_job |= UINT64_C(1) << (message.value - 1);
		else if (message.kind == HELLO_FOREGROUND)
			init->is_foreground = true;
	}
}

static void deliver_held(const struct init *init)
{
	for (int signal = 1; signal < _NSIG; signal++) {
		if (init->held >> (signal - 1) & 1)
			(void)kill(init->command, signal);
		if (init->held_job >> (signal - 1) & 1)
			(void)kill(-init->command, signal);
	}
}

/* For the supervisor alone: init keeps none of them (shut_others). Behind the
 * news of the start, so that no call of the command is told ahead of it. */
static void hand_over_watch(const struct init *init)
{
	const struct engine_watch *watch = &init->watch;
	const int fds[HELLO_FDS] = { [HELLO_LISTENER] = watch->listener,
				     [HELLO_NAMES] = watch->names,
				     [HELLO_PROBE] = watch->probe };
	struct fault fault = { .stage = "init" };
	int err = 0;

	if (watch->listener >= 0)
		err = handshake_send_watch(init->socket, fds);
	else if (watch->error != 0)
		err = handshake_tell(init->socket, HELLO_WATCH, watch->error);
	if (err == 0)
		return;
	(void)fault_set(&fault, "sendmsg", "listener", err);
	give_up(init, HELLO_FAULT, &fault);
}

static void start_command(struct init *init, const sigset_t *mask)
{
	struct engine_start start = {
		.mask = mask,
		.tty = init->is_foreground ? init->tty : -1,
		.witness = init->ear.fd,
		.watch = &init->watch,
	};
	struct fault fault = { 0 };
	bool is_exec;

	init->command = engine_start(init->plan, &start, &fault);
	if (init->command < 0) {
		is_exec = strcmp(fault.stage, "exec") == 0;
		give_up(init, is_exec ? HELLO_EXEC_FAILED : HELLO_FAULT,
			&fault);
	}
	if (init->is_told)
		(void)handshake_tell(init->socket, HELLO_EXEC, init->command);
	hand_over_watch(init);
	deliver_held(init);
}

/* All but what init needs from here: descriptors of the build, which lead to
 * the host, and the caller's. Whoever reads the other end of the command's
 * stdout must see it end when the command shuts it, not when init does. */
static void shut_others(const struct init *init)
{
	int keep[] = { init->socket, init->signals, init->tty, init->ear.fd };

	fd_close_all_but(keep, sizeof(keep) / sizeof(*keep));
}

static void listen_to_signals(struct init *init)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGCHLD);
	init->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (init->signals < 0) {
		struct fault fault = { .stage = "init" };

		(void)fault_set(&fault, "signalfd", "", errno);
		give_up(init, HELLO_FAULT, &fault);
	}
}

/* One SIGCHLD stands for any number of children. */
static void read_signal(const struct init *init)
{
	struct signalfd_siginfo info;

	(void)!read(init->signals, &info, sizeof(info));
}

static bool has_child_news(const struct init *init, int timeout_ms)
{
	struct pollfd news = { .fd = init->signals, .events = POLLIN };

	if (poll(&news, 1, timeout_ms) == 0)
		return false;
	read_signal(init);
	return true;
}

/* Everything inside has been sent SIGKILL, under the lock that fork takes too,
 * so it becomes no more. What does not die hangs in the kernel: the supervisor
 * decides about that. Returns how many had still been alive. */
static uint64_t reap_killed(const struct init *init)
{
	uint64_t killed = 0;
	int status;
	pid_t pid;

	for (;;) {
		pid = waitpid(-1, &status, WNOHANG);
		if (pid < 0)
			return killed;
		if (pid == 0 && !has_child_news(init, DEATH_MS))
			return killed;
		if (pid > 0 && pid != init->ear.pid && WIFSIGNALED(status) &&
		    WTERMSIG(status) == SIGKILL)
			killed++;
	}
}

static uint64_t microseconds(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000 + (uint64_t)time->tv_usec;
}

static noreturn void finish(const struct init *init, int status)
{
	struct hello_message message = { .kind = HELLO_ENDED, .value = status };
	struct rusage usage;

	if (WIFSIGNALED(status))
		message.body.usage.is_typed = ear_has_heard(&init->ear,
							    WTERMSIG(status));
	/* ESRCH: nobody is left */
	if (kill(-1, SIGKILL) == 0)
		message.body.usage.left_over = reap_killed(init);
	if (getrusage(RUSAGE_CHILDREN, &usage) == 0) {
		message.body.usage.user_us = microseconds(&usage.ru_utime);
		message.body.usage.system_us = microseconds(&usage.ru_stime);
		message.body.usage.peak_kib = (uint64_t)usage.ru_maxrss;
	}
	(void)handshake_send(init->socket, &message);
	_exit(EXIT_OK);
}

static void tell_stopped(const struct init *init, int signal)
{
	struct hello_message message = { .kind = HELLO_STOPPED,
					 .value = signal };

	message.body.usage.is_typed = ear_has_heard(&init->ear, signal);
	(void)handshake_send(init->socket, &message);
}

static void reap(const struct init *init)
{
	int status;
	pid_t pid;

	for (;;) {
		pid = waitpid(-1, &status, WNOHANG | WUNTRACED);
		if (pid <= 0)
			return;
		if (pid != init->command)
			continue;
		if (!WIFSTOPPED(status))
			finish(init, status);
		tell_stopped(init, WSTOPSIG(status));
	}
}

static void obey(const struct init *init)
{
	struct hello_message message;

	/* no supervisor, no sandbox: also where PR_SET_PDEATHSIG was lost */
	if (handshake_receive(init->socket, false, &message) <= 0)
		_exit(EXIT_REFUSED);
	if (message.kind == HELLO_SIGNAL) {
		(void)kill(init->command, message.value);
	} else if (message.kind == HELLO_SIGNAL_JOB) {
		(void)kill(-init->command, message.value);
	} else if (message.kind == HELLO_FOREGROUND) {
		(void)tcsetpgrp(init->tty, init->command);
		(void)kill(-init->command, SIGCONT);
	}
}

/* The time limit is kept here and not by the supervisor: that one may be
 * stopped, by job control or by whoever started it. SIGCONT, because a stopped
 * process does not see SIGTERM. */
static void end_in_time(struct init *init)
{
	if (!deadline_has_passed(&init->limit))
		return;
	if (init->is_timed_out) {
		(void)kill(-1, SIGKILL);
		return;
	}
	init->is_timed_out = true;
	(void)handshake_tell(init->socket, HELLO_TIMEOUT, 0);
	(void)kill(-1, SIGTERM);
	(void)kill(-1, SIGCONT);
	deadline_set(&init->limit, init->plan->grace_ms);
}

static noreturn void watch_command(struct init *init)
{
	const struct deadline none = { 0 };
	struct pollfd fds[] = {
		{ .fd = init->socket, .events = POLLIN },
		{ .fd = init->signals, .events = POLLIN },
	};

	for (;;) {
		(void)poll(fds, 2, deadline_poll(&init->limit, &none));
		if (fds[0].revents != 0)
			obey(init);
		if (fds[1].revents != 0) {
			read_signal(init);
			reap(init);
		}
		end_in_time(init);
	}
}

noreturn void init_main(const struct plan *plan, const struct init_start *start)
{
	struct init init = {
		.plan = plan,
		.socket = start->socket,
		.tty = start->tty,
		.is_foreground = start->is_foreground,
		.ear = { .fd = -1 },
		.watch = { .names = -1, .probe = -1, .listener = -1 },
		.is_told = start->is_told,
		.limit = start->limit,
	};
	struct fault fault = { 0 };
	int supervisor = start->supervisor;

	if (!is_supervised(supervisor))
		_exit(EXIT_REFUSED);
	fd_close(&supervisor);
	check_first(&init);
	if (engine_build(plan, &init.watch, &fault) != 0)
		give_up(&init, HELLO_FAULT, &fault);
	hide(&init, plan);
	listen_to_signals(&init);
	if (init.is_told)
		wait_for_go(&init);
	if (init.tty >= 0)
		ear_start(&init.ear);
	start_command(&init, start->mask);
	cmdline_wipe();
	shut_others(&init);
	if (engine_seal_init(&fault) != 0)
		give_up(&init, HELLO_FAULT, &fault);
	watch_command(&init);
}
