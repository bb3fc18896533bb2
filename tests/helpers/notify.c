/*
 * notify COMMAND [ARG...]: runs a command under a filter that has a listener
 * and notifies of nothing, as an outer program that watches would.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int listen_to_nothing(void)
{
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = { .len = 1, .filter = &allow };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			    SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

/* The listener stays open here, the command has none of it. */
int main(int argc, char **argv)
{
	pid_t child;
	int status = 0;

	if (argc < 2 || listen_to_nothing() < 0) {
		(void)fprintf(stderr, "notify: %s\n", strerror(errno));
		return 2;
	}
	child = fork();
	if (child == 0) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return 2;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
