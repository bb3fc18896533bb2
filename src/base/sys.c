/*
 * Raw system calls, in one place.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <linux/stat.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/mount.h>

#include "base/sys.h"

/* Numbers above 423 are the same on every architecture. */
#ifndef SYS_open_tree
#	define SYS_open_tree	  428
#	define SYS_move_mount	  429
#	define SYS_fsopen	  430
#	define SYS_fsconfig	  431
#	define SYS_fsmount	  432
#	define SYS_pidfd_open	  434
#	define SYS_close_range	  436
#	define SYS_faccessat2	  439
#	define SYS_mount_setattr 442
#endif

#ifndef STATX_MNT_ID
#	define STATX_MNT_ID 0x00001000U
#endif
#ifndef AT_STATX_DONT_SYNC
#	define AT_STATX_DONT_SYNC 0x4000
#endif

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#	define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

static int answer(long result)
{
	return result < 0 ? -errno : (int)result;
}

int sys_openat(int dirfd, const char *path, int flags, unsigned mode)
{
	/* a 64-bit kernel sets O_LARGEFILE by itself */
	return answer(
		syscall(SYS_openat, dirfd, path, flags | O_CLOEXEC, mode));
}

enum { AGAIN_MAX = 1000 };

int sys_openat2(int dirfd, const char *path, uint64_t flags, uint64_t resolve)
{
	struct open_how how = { .flags = flags | O_CLOEXEC,
				.resolve = resolve };
	int fd, tries = AGAIN_MAX;

	/* `..' below a root is looked up anew whenever anybody on the machine
	 * renames or mounts meanwhile */
	do {
		fd = answer(
			syscall(SYS_openat2, dirfd, path, &how, sizeof(how)));
	} while (fd == -EAGAIN && tries-- > 0);
	return fd;
}

int sys_stat(int dirfd, const char *path, int flags, struct sys_stat *st)
{
	struct statx sx;
	int at = flags | AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT;

	if (syscall(SYS_statx, dirfd, path, at,
		    STATX_BASIC_STATS | STATX_MNT_ID, &sx) != 0)
		return -errno;
	st->dev = (uint64_t)sx.stx_dev_major << 32 | sx.stx_dev_minor;
	st->ino = sx.stx_ino;
	st->mount_id = sx.stx_mnt_id;
	st->mode = sx.stx_mode;
	st->nlink = sx.stx_nlink;
	st->uid = sx.stx_uid;
	st->gid = sx.stx_gid;
	st->rdev_major = sx.stx_rdev_major;
	st->rdev_minor = sx.stx_rdev_minor;
	return 0;
}

void sys_clock(int clock, struct timespec *now)
{
	/* 64-bit architectures only: there the libc's struct is the kernel's */
	(void)syscall(SYS_clock_gettime, clock, now);
}

int sys_pivot_root(const char *new_root, const char *put_old)
{
	return answer(syscall(SYS_pivot_root, new_root, put_old));
}

int sys_pidfd_open(pid_t pid)
{
	/* pidfds are close-on-exec by birth */
	return answer(syscall(SYS_pidfd_open, pid, 0));
}

int sys_pidfd_send_signal(int pidfd, int signal)
{
	return answer(syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0));
}

int sys_close_range(unsigned first, unsigned last, unsigned flags)
{
	return answer(syscall(SYS_close_range, first, last, flags));
}

int sys_seccomp_load(const struct sock_fprog *program)
{
	return answer(
		syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, program));
}

static int listen_with(const struct sock_fprog *program, unsigned flags)
{
	return answer(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			      flags | SECCOMP_FILTER_FLAG_NEW_LISTENER,
			      program));
}

/* Linux 5.19: a call that has been received waits through signals that do not
 * kill, which the program would see as EINTR. To be removed with the floor
 * below that. */
int sys_seccomp_listen(const struct sock_fprog *program)
{
	int fd = listen_with(program, SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);

	return fd == -EINVAL ? listen_with(program, 0) : fd;
}

int sys_keyctl_join_session(void)
{
	return answer(syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL));
}

int sys_capset_empty(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return answer(syscall(SYS_capset, &header, none));
}

int sys_capset(uint64_t kept, uint64_t inherited)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = { 0 };
	int err = answer(syscall(SYS_capget, &header, sets));

	for (int i = 0; err == 0 && i < _LINUX_CAPABILITY_U32S_3; i++) {
		sets[i].permitted &= (uint32_t)(kept >> 32 * i);
		sets[i].effective = sets[i].permitted;
		sets[i].inheritable = (sets[i].inheritable |
				       sets[i].permitted) &
				      (uint32_t)(inherited >> 32 * i);
	}
	return err == 0 ? answer(syscall(SYS_capset, &header, sets)) : err;
}

int sys_execveat(int fd, const char *path, char *const argv[],
		 char *const envp[], int flags)
{
	return answer(syscall(SYS_execveat, fd, path, argv, envp, flags));
}

int sys_faccessat(int dirfd, const char *path, int mode, int flags)
{
	return answer(syscall(SYS_faccessat2, dirfd, path, mode, flags));
}

ssize_t sys_getdents(int fd, void *buffer, size_t length)
{
	return answer(syscall(SYS_getdents64, fd, buffer, length));
}

int sys_fsopen(const char *type)
{
	return answer(syscall(SYS_fsopen, type, FSOPEN_CLOEXEC));
}

int sys_fsconfig_string(int fsfd, const char *key, const char *value)
{
	return answer(syscall(SYS_fsconfig, fsfd, FSCONFIG_SET_STRING, key,
			      value, 0));
}

int sys_fsconfig_flag(int fsfd, const char *key)
{
	return answer(
		syscall(SYS_fsconfig, fsfd, FSCONFIG_SET_FLAG, key, NULL, 0));
}

int sys_fsconfig_create(int fsfd)
{
	return answer(syscall(SYS_fsconfig, fsfd, FSCONFIG_CMD_CREATE, NULL,
			      NULL, 0));
}

int sys_fsmount(int fsfd, unsigned attrs)
{
	return answer(syscall(SYS_fsmount, fsfd, FSMOUNT_CLOEXEC, attrs));
}

int sys_open_tree(int dirfd, const char *path, unsigned flags)
{
	return answer(
		syscall(SYS_open_tree, dirfd, path, flags | OPEN_TREE_CLOEXEC));
}

int sys_move_mount(int from, int dirfd, const char *path, unsigned flags)
{
	return answer(syscall(SYS_move_mount, from, "", dirfd, path,
			      flags | MOVE_MOUNT_F_EMPTY_PATH));
}

int sys_mount_setattr(int fd, unsigned flags, uint64_t set, uint64_t clear)
{
	struct mount_attr attr = { .attr_set = set,
				   .attr_clr = clear,
				   .propagation = MS_PRIVATE };

	return answer(syscall(SYS_mount_setattr, fd, "", flags | AT_EMPTY_PATH,
			      &attr, sizeof(attr)));
}
