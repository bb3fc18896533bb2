/*
 * Process 1 ends everything by kill(-1), so it does nothing where it is not
 * process 1. Tried in a pid namespace of the test's own: an init without that
 * check kills in there, and nobody else.
 */
#include <errno.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sys.h"
#include "engine/handshake.h"
#include "plan/plan.h"
#include "tests/unit/tap.h"
#include "watch/init.h"

/* What init says first, as the exit status: 0 for the fault, 1 for another
 * message or none. */
static int first_word(int fd)
{
	struct hello_message message = { .kind = HELLO_KINDS };

	if (handshake_receive(fd, true, &message) <= 0)
		return 1;
	return message.kind != HELLO_FAULT ||
	       strcmp(message.body.fault.call, "getpid") != 0;
}

/* In the new namespace, as process 1. */
static int try_init(void)
{
	const struct plan plan = { .cgroup_fd = -1 };
	struct init_start start = { .tty = -1 };
	sigset_t mask;
	int pair[2];
	pid_t pid;

	(void)sigemptyset(&mask);
	start.mask = &mask;
	start.supervisor = sys_pidfd_open(getpid());
	if (start.supervisor < 0 ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) != 0)
		return 2;
	start.socket = pair[1];
	pid = fork();
	if (pid == 0)
		init_main(&plan, &start);
	(void)close(pair[1]);
	return pid < 0 ? 2 : first_word(pair[0]);
}

int main(void)
{
	int status = 0;
	pid_t pid;

	if (unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) {
		printf("1..0 # SKIP no pid namespace: %s\n", strerror(errno));
		return 0;
	}
	pid = fork();
	if (pid == 0)
		_exit(try_init());
	tap_ok(pid > 0 && waitpid(pid, &status, 0) == pid &&
		       WIFEXITED(status) && WEXITSTATUS(status) == 0,
	       "an init that is not process 1 says so and does nothing");
	return tap_done();
}
