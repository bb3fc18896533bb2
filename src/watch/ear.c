/*
 * A command that dies of Ctrl-C ends the caller's loop, and one that Ctrl-Z
 * stops takes the rest of the caller's job along. A `kill' inside must do
 * neither, and a wait status does not tell them apart. Only a signal's siginfo
 * does: the terminal's come from the kernel (SI_KERNEL), which no process can
 * forge (rt_sigqueueinfo), and it takes a member of the group to get one.
 *
 * Init cannot be that member: a process group holds the number of its leader,
 * and zap_pid_ns_processes in kernel/pid_namespace.c waits until init's own is
 * the only number left; it would wait for ever. So, where there is a terminal,
 * one more process listens. It joins the group before that can be typed to, so
 * that it misses nothing. What is inside can kill it, and then has nothing typed
 * to its own group count as such.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdnoreturn.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/exitcode.h"
#include "base/fault.h"
#include "base/io.h"
#include "base/proc.h"
#include "engine/engine.h"
#include "watch/cmdline.h"
#include "watch/ear.h"

/* Something inside may have stopped it. */
enum { ANSWER_MS = 500 };

static bool is_heard(int signal)
{
	return signal == SIGINT || signal == SIGQUIT || signal == SIGTSTP;
}

static uint32_t hear(int signals)
{
	struct signalfd_siginfo info[3];
	ssize_t n = read(signals, info, sizeof(info));
	uint32_t typed = 0;

	for (ssize_t i = 0; i < n / (ssize_t)sizeof(*info); i++) {
		if (info[i].ssi_code == SI_KERNEL)
			typed |= UINT32_C(1) << info[i].ssi_signo;
	}
	return typed;
}

/* The command's process is its group's first member and waits for this one. */
static bool join(int fd)
{
	pid_t group;

	return recv(fd, &group, sizeof(group), 0) == sizeof(group) &&
	       setpgid(0, group) == 0 &&
	       send(fd, &group, sizeof(group), MSG_NOSIGNAL) == sizeof(group);
}

static noreturn void ear_main(int signals, int fd)
{
	struct pollfd fds[] = {
		{ .fd = fd, .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};
	struct fault unsaid = { 0 };
	uint32_t typed = 0;
	char question;

	fd_close_all_but((int[]){ signals, fd }, 2);
	cmdline_wipe();
	if (!join(fd) || engine_seal_init(&unsaid) != 0)
		_exit(EXIT_REFUSED);
	for (;;) {
		(void)poll(fds, 2, -1);
		/* also when only asked: what is asked about came before */
		typed |= hear(signals);
		if (fds[0].revents == 0)
			continue;
		if (recv(fd, &question, 1, 0) <= 0)
			_exit(EXIT_OK);
		(void)send(fd, &typed, sizeof(typed), MSG_NOSIGNAL);
		typed = 0;
	}
}

static int open_signals(void)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGQUIT);
	(void)sigaddset(&set, SIGTSTP);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void ear_start(struct ear *ear)
{
	FD_OWNED int signals = open_signals();
	FD_OWNED int theirs = -1;
	FD_OWNED int pidfd = -1;
	int pair[2];

	if (signals < 0 ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return;
	ear->fd = pair[0];
	theirs = pair[1];
	ear->pid = proc_clone(0, -1, &pidfd);
	if (ear->pid == 0)
		ear_main(signals, theirs);
	if (ear->pid < 0)
		fd_close(&ear->fd);
}

bool ear_has_heard(const struct ear *ear, int signal)
{
	struct pollfd answer = { .fd = ear->fd, .events = POLLIN };
	uint32_t typed = 0;

	if (ear->fd < 0 || !is_heard(signal))
		return false;
	if (send(ear->fd, "?", 1, MSG_NOSIGNAL | MSG_DONTWAIT) != 1 ||
	    poll(&answer, 1, ANSWER_MS) != 1 ||
	    recv(ear->fd, &typed, sizeof(typed), 0) != sizeof(typed))
		return false;
	return (typed >> signal & 1) != 0;
}
