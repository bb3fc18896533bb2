/*
 * Process 1 ends everything by kill(-1), so it does nothing where it is not
 * process 1. Tried in a pid namespace of the test's own: an init without that
 * check kills in there, and nobody else.
 */
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sys.h"
#include "engine/handshake.h"
#include "plan/plan.h"
#include "tests/unit/tap.h"
#include "watch/init.h"

/* Exit statuses: what init said first, or why it could not be asked. */
enum { TRY_SAID, TRY_NOT_SAID, TRY_BROKEN, TRY_NO_NAMESPACE };

static int first_word(int fd)
{
	struct hello_message message = { .kind = HELLO_KINDS };

	if (handshake_receive(fd, true, &message) <= 0)
		return TRY_NOT_SAID;
	return message.kind == HELLO_FAULT &&
			       strcmp(message.body.fault.call, "getpid") == 0
		       ? TRY_SAID
		       : TRY_NOT_SAID;
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
		return TRY_BROKEN;
	start.socket = pair[1];
	pid = fork();
	if (pid == 0)
		init_main(&plan, &start);
	(void)close(pair[1]);
	return pid < 0 ? TRY_BROKEN : first_word(pair[0]);
}

/* The namespace is made in a process of its own: a sanitizer's look for leaks at
 * the end forks, which a process whose children belong elsewhere cannot. */
static int try_namespace(void)
{
	int status = 0;
	pid_t pid;

	if (unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0)
		return TRY_NO_NAMESPACE;
	pid = fork();
	if (pid == 0)
		_exit(try_init());
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status)
		       ? WEXITSTATUS(status)
		       : TRY_BROKEN;
}

int main(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(try_namespace());
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return 1;
	if (WEXITSTATUS(status) == TRY_NO_NAMESPACE) {
		printf("1..0 # SKIP no pid namespace\n");
		return 0;
	}
	tap_ok(WEXITSTATUS(status) == TRY_SAID,
	       "an init that is not process 1 says so and does nothing");
	return tap_done();
}
