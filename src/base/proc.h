/*
 * The one file that makes processes. A new process is known by its pidfd.
 */
#ifndef CORDON_BASE_PROC_H
#define CORDON_BASE_PROC_H

#include <stdint.h>
#include <sys/types.h>

/* A process in new namespaces (CLONE_NEW* flags), optionally born in the
 * cgroup of cgroup_fd (-1: the caller's). Returns twice like fork: 0 in the
 * child, the pid in the parent, or -errno. *pidfd is set in the parent only. */
pid_t proc_clone(uint64_t namespaces, int cgroup_fd, int *pidfd);

/* The same with CLONE_NEWPID for one who has joined another pid namespace: only a
 * process inside that one can make one below it. Needs /proc. */
pid_t proc_clone_below(uint64_t namespaces, int *pidfd);

/* Runs `body` in a new process that shares this one's memory until it execs or
 * exits; the caller sleeps meanwhile (vfork's contract, on a stack of its own,
 * so that what body does to its frames never reaches the caller's). body must
 * end in exec; when it returns, the process exits with 127. What body writes
 * through `argument` is seen by the caller. Returns the pid or -errno.
 * With PROC_SHARE_FILES what body opens stays open here when it execs, and what
 * it closes is closed here too. */
enum { PROC_SHARE_FILES = 1 };
pid_t proc_spawn(int (*body)(void *argument), void *argument, unsigned flags);

#endif
