/*
 * The caller's terminal. The command runs in a process group of its own, so
 * that `kill 0` stays inside, and a group can only read the terminal while it
 * is the foreground group. All calls here are made with SIGTTOU blocked: that
 * is what lets a background group give the terminal away (tty_check_change in
 * drivers/tty/tty_jobctrl.c). Errors mean that the terminal has hung up, and
 * there is nobody left to tell.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/io.h"
#include "watch/terminal.h"

/* Standard input and output both: `cordon prog | less' must leave the keyboard
 * to less, and a harness that reads the terminal itself runs its commands on
 * pipes. Whoever else wants the terminal is stopped by the kernel when it tries
 * (SIGTTIN, SIGTTOU), and gets it then. TIOCGPGRP answers for the controlling
 * terminal only. */
static bool is_interactive(void)
{
	return tcgetpgrp(0) >= 0 && tcgetpgrp(1) >= 0;
}

void terminal_open(struct terminal *terminal)
{
	terminal->fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal->fd < 0)
		return;
	terminal->ours = getpgrp();
	terminal->is_asked = is_interactive();
	for (int fd = 0; fd < 3; fd++)
		terminal->flags[fd] = fcntl(fd, F_GETFL);
}

/* O_NONBLOCK belongs to the open file, which the caller's shell shares: left on,
 * its next read would fail. */
static void restore_flags(const struct terminal *terminal)
{
	for (int fd = 0; fd < 3; fd++) {
		int flags = fcntl(fd, F_GETFL);

		if (flags >= 0 && terminal->flags[fd] >= 0 &&
		    flags != terminal->flags[fd])
			(void)fcntl(fd, F_SETFL, terminal->flags[fd]);
	}
}

void terminal_close(struct terminal *terminal)
{
	fd_close(&terminal->fd);
}

bool terminal_is_ours(const struct terminal *terminal)
{
	return terminal->fd >= 0 && tcgetpgrp(terminal->fd) == terminal->ours;
}

void terminal_lend(struct terminal *terminal)
{
	if (tcgetattr(terminal->fd, &terminal->outer) != 0)
		return;
	terminal->is_lent = terminal->was_lent = true;
	if (terminal->has_inner)
		(void)tcsetattr(terminal->fd, TCSANOW, &terminal->inner);
	terminal->has_inner = false;
}

void terminal_lose(struct terminal *terminal)
{
	terminal->is_lent = false;
}

void terminal_leave(struct terminal *terminal)
{
	if (!terminal->is_lent)
		return;
	terminal->has_inner = tcgetattr(terminal->fd, &terminal->inner) == 0;
	(void)tcsetpgrp(terminal->fd, terminal->ours);
	(void)tcsetattr(terminal->fd, TCSANOW, &terminal->outer);
	terminal->is_lent = false;
}

bool terminal_reclaim(struct terminal *terminal)
{
	if (!terminal->is_lent)
		return false;
	terminal->is_lent = terminal->is_asked = false;
	return tcsetpgrp(terminal->fd, terminal->ours) == 0;
}

/* The group that the dead left in the foreground has no members any more;
 * every other one belongs to whoever took the terminal meanwhile. */
static bool is_deserted(pid_t foreground)
{
	return foreground > 0 && kill(-foreground, 0) != 0 && errno == ESRCH;
}

/* Takes it back where the command had it to the last; false where someone else
 * has it and may have set its modes. */
static bool take_back(const struct terminal *terminal, bool left_over)
{
	pid_t foreground = tcgetpgrp(terminal->fd);

	if (foreground == terminal->ours)
		return terminal->is_lent;
	if (!left_over && !is_deserted(foreground))
		return false;
	return tcsetpgrp(terminal->fd, terminal->ours) == 0;
}

void terminal_restore(struct terminal *terminal, bool left_over)
{
	if (terminal->fd < 0)
		return;
	restore_flags(terminal);
	/* exclusive use would shut the caller's own next open out */
	(void)ioctl(terminal->fd, TIOCNXCL);
	if (!terminal->was_lent || !take_back(terminal, left_over))
		return;
	/* TCOON: a command that stopped the output (TCOOFF) froze the shell.
	 * TCSANOW: TCSADRAIN waits for output that may be stopped. */
	(void)tcflow(terminal->fd, TCOON);
	(void)tcsetattr(terminal->fd, TCSANOW, &terminal->outer);
}
