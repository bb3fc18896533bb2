/*
 * The one file that makes processes.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/number.h"
#include "base/proc.h"

#ifndef SYS_clone3
#	define SYS_clone3 435
#endif
#ifndef CLONE_INTO_CGROUP
#	define CLONE_INTO_CGROUP 0x200000000ULL
#endif

/* Inside a sandbox whose filter, like cordon's own with --nested, answers ENOSYS
 * to clone3 because it cannot read its flags. Knows all flags but the cgroup. */
static pid_t clone_by_flags(uint64_t flags, int *pidfd)
{
	/* a stack of NULL is fork's; the third argument takes the pidfd */
	long pid = syscall(SYS_clone, flags | SIGCHLD, NULL, pidfd, 0, 0);

	return pid < 0 ? -errno : (pid_t)pid;
}

pid_t proc_clone(uint64_t namespaces, int cgroup_fd, int *pidfd)
{
	int fd = -1;
	struct clone_args args = {
		.flags = namespaces | CLONE_PIDFD,
		.pidfd = (uint64_t)(uintptr_t)&fd,
		/* the parent's child ends as this process does */
		.exit_signal = namespaces & CLONE_PARENT ? 0 : SIGCHLD,
	};
	long pid;

	if (cgroup_fd >= 0) {
		args.flags |= CLONE_INTO_CGROUP;
		args.cgroup = (uint64_t)cgroup_fd;
	}
	pid = syscall(SYS_clone3, &args, sizeof(args));
	if (pid < 0 && errno == ENOSYS && cgroup_fd < 0)
		pid = clone_by_flags(args.flags, &fd);
	else if (pid < 0)
		pid = -errno;
	if (pid > 0)
		*pidfd = fd;
	return (pid_t)pid;
}

/* What a pidfd's process is called here. */
static pid_t pid_of(int pidfd)
{
	char path[sizeof("/proc/self/fdinfo/") + NUMBER_ROOM] =
		"/proc/self/fdinfo/";
	char text[512];
	const char *line;
	uint64_t pid = 0;
	FD_OWNED int fd = -1;
	ssize_t length;

	(void)number_write(path + strlen(path), (uint64_t)pidfd, 10);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (length < 0)
		return -errno;
	text[length] = '\0';
	line = strstr(text, "\nPid:\t");
	if (line == NULL)
		return -ESRCH;
	for (line += strlen("\nPid:\t"); *line >= '0' && *line <= '9'; line++)
		pid = pid * 10 + (uint64_t)(*line - '0');
	return pid == 0 ? -ESRCH : (pid_t)pid;
}

/* In between: makes the process as a child of its parent, and says its pidfd,
 * which is the parent's too. */
static pid_t middle_main(uint64_t namespaces, int tell)
{
	int answer = -1;
	pid_t pid = proc_clone(namespaces | CLONE_PARENT, -1, &answer);

	if (pid == 0)
		return 0;
	if (pid < 0)
		answer = (int)pid;
	(void)!write(tell, &answer, sizeof(answer));
	_exit(0);
}

/* What it said before its end. */
static pid_t hear(pid_t middle, int fd, int *pidfd)
{
	int answer = -EIO;

	(void)waitpid(middle, NULL, 0);
	if (read(fd, &answer, sizeof(answer)) != sizeof(answer))
		return -EIO;
	if (answer < 0)
		return answer;
	*pidfd = answer;
	return pid_of(answer);
}

pid_t proc_clone_below(uint64_t namespaces, int *pidfd)
{
	FD_OWNED int middle_fd = -1;
	int pair[2];
	pid_t pid;

	/* nothing said is nothing to wait for */
	if (pipe2(pair, O_CLOEXEC | O_NONBLOCK) != 0)
		return -errno;
	pid = proc_clone(CLONE_FILES, -1, &middle_fd);
	if (pid == 0)
		pid = middle_main(namespaces, pair[1]);
	else if (pid > 0)
		pid = hear(pid, pair[0], pidfd);
	(void)close(pair[0]);
	(void)close(pair[1]);
	return pid;
}

enum { STACK_SIZE = 64 * 1024 };

pid_t proc_spawn(int (*body)(void *argument), void *argument, unsigned flags)
{
	static _Alignas(16) unsigned char stack[STACK_SIZE];
	int shared = flags & PROC_SHARE_FILES ? CLONE_FILES : 0;
	pid_t pid = clone(body, stack + sizeof(stack),
			  CLONE_VM | CLONE_VFORK | shared | SIGCHLD, argument);

	return pid < 0 ? -errno : pid;
}
