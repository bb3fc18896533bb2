/*
 * Raw system calls that a libc of the supported systems lacks: glibc 2.36 has
 * no openat2, clone3, pivot_root or seccomp, musl 1.2.3 none of these. All
 * return the kernel's answer, or -errno.
 */
#ifndef CORDON_BASE_SYS_H
#define CORDON_BASE_SYS_H

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>

#ifndef SYS_openat2
#	define SYS_openat2 437 /* the same on every architecture */
#endif

/* How an open says that it means to write. */
enum { SYS_OPEN_WRITES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC };

struct sock_fprog;

/* Identity of an object: what P4 compares. Read without asking a network or
 * FUSE server (AT_STATX_DONT_SYNC): a hung one must not hang the launcher. */
struct sys_stat {
	uint64_t dev, ino, mount_id;
	uint32_t mode, nlink, uid, gid, rdev_major, rdev_minor;
};

/* Without the fcntl that musl's open adds for O_CLOEXEC; always close-on-exec. */
int sys_openat(int dirfd, const char *path, int flags, unsigned mode);
int sys_openat2(int dirfd, const char *path, uint64_t flags, uint64_t resolve);
int sys_stat(int dirfd, const char *path, int flags, struct sys_stat *st);
/* Without the vDSO, whose first use costs a static program three pages; for
 * times that are asked for once or twice in a run. */
struct timespec;
void sys_clock(int clock, struct timespec *now);

int sys_pivot_root(const char *new_root, const char *put_old);
int sys_pidfd_open(pid_t pid);
int sys_pidfd_send_signal(int pidfd, int signal);
int sys_close_range(unsigned first, unsigned last, unsigned flags);
int sys_seccomp_load(const struct sock_fprog *program);
/* The same, and returns a descriptor on which the filter's notifications are
 * received; close-on-exec. */
int sys_seccomp_listen(const struct sock_fprog *program);
int sys_keyctl_join_session(void);
int sys_capset_empty(void);
/* Effective and permitted become what of `kept` is permitted; inheritable what of
 * `inherited` may be. Bits by number. */
int sys_capset(uint64_t kept, uint64_t inherited);
int sys_execveat(int fd, const char *path, char *const argv[],
		 char *const envp[], int flags);
int sys_faccessat(int dirfd, const char *path, int mode, int flags);
ssize_t sys_getdents(int fd, void *buffer, size_t length);

/* The mount API (Linux 5.2, mount_setattr 5.12). */
int sys_fsopen(const char *type);
int sys_fsconfig_string(int fsfd, const char *key, const char *value);
int sys_fsconfig_flag(int fsfd, const char *key);
int sys_fsconfig_create(int fsfd);
int sys_fsmount(int fsfd, unsigned attrs);
int sys_open_tree(int dirfd, const char *path, unsigned flags);
int sys_move_mount(int from, int dirfd, const char *path, unsigned flags);
int sys_mount_setattr(int fd, unsigned flags, uint64_t set, uint64_t clear);

#endif
