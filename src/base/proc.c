/*
 * The one file that makes processes.
 */
#include <errno.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

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
		.exit_signal = SIGCHLD,
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

enum { STACK_SIZE = 64 * 1024 };

pid_t proc_spawn(int (*body)(void *argument), void *argument, unsigned flags)
{
	static _Alignas(16) unsigned char stack[STACK_SIZE];
	int shared = flags & PROC_SHARE_FILES ? CLONE_FILES : 0;
	pid_t pid = clone(body, stack + sizeof(stack),
			  CLONE_VM | CLONE_VFORK | shared | SIGCHLD, argument);

	return pid < 0 ? -errno : pid;
}
