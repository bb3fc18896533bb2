/*
 * Tries by system call: each does what the engine does, in the same order and
 * with the same calls, and names what failed as the engine would.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/io.h"
#include "base/sys.h"
#include "inspect/doctor.h"

#ifndef AT_RECURSIVE
#	define AT_RECURSIVE 0x8000
#endif
#ifndef SYS_landlock_create_ruleset
#	define SYS_landlock_create_ruleset 444
#endif

static int fail(struct tried *tried, const char *call, const char *object,
		int error)
{
	return fault_set(&tried->fault, call, object, error);
}

static void stage(struct tried *tried, const char *name)
{
	fault_copy(tried->fault.stage, sizeof(tried->fault.stage), name);
}

static int write_one(struct tried *tried, const char *file, const char *words)
{
	int err = io_write_file(AT_FDCWD, file, words);

	return err == 0 ? 0 : fail(tried, "write", file, err);
}

static int write_map(struct tried *tried, const char *file, unsigned id)
{
	char line[64];

	(void)snprintf(line, sizeof(line), "0 %u 1\n", id);
	return write_one(tried, file, line);
}

int try_maps(struct tried *tried)
{
	int err;

	stage(tried, "map-uid");
	err = write_map(tried, "/proc/self/uid_map", tried->uid);
	if (err != 0)
		return err;
	stage(tried, "map-gid");
	err = write_one(tried, "/proc/self/setgroups", "deny");
	if (err != 0)
		return err;
	return write_map(tried, "/proc/self/gid_map", tried->gid);
}

int try_hostname(struct tried *tried)
{
	stage(tried, "hostname");
	return sethostname("cordon", 6) == 0
		       ? 0
		       : fail(tried, "sethostname", "cordon", errno);
}

int try_loopback(struct tried *tried)
{
	FD_OWNED int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };

	stage(tried, "loopback");
	if (fd < 0)
		return fail(tried, "socket", "lo", errno);
	return ioctl(fd, SIOCSIFFLAGS, &request) == 0
		       ? 0
		       : fail(tried, "SIOCSIFFLAGS", "lo", errno);
}

static int new_mount(struct tried *tried, const char *type, int *mount)
{
	FD_OWNED int fs = sys_fsopen(type);
	int err;

	if (fs < 0)
		return fail(tried, "fsopen", type, fs);
	err = sys_fsconfig_create(fs);
	if (err != 0)
		return fail(tried, "fsconfig", type, err);
	*mount = sys_fsmount(fs, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	return *mount >= 0 ? 0 : fail(tried, "fsmount", type, *mount);
}

/* A copy of the whole tree, read-only, as a source becomes. */
static int copy_tree(struct tried *tried)
{
	FD_OWNED int tree = sys_open_tree(AT_FDCWD, "/",
					  OPEN_TREE_CLONE | AT_RECURSIVE);
	int err;

	stage(tried, "source");
	if (tree < 0)
		return fail(tried, "open_tree", "/", tree);
	stage(tried, "bind");
	err = sys_mount_setattr(
		tree, AT_RECURSIVE,
		MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, 0);
	return err == 0 ? 0 : fail(tried, "mount_setattr", "/", err);
}

/* The place of the engine's store: it must be attached, at a directory that
 * every tree has. */
static int attach_store(struct tried *tried, int *store)
{
	int err;

	stage(tried, "store");
	err = new_mount(tried, "tmpfs", store);
	if (err != 0)
		return err;
	err = sys_move_mount(*store, AT_FDCWD, "/proc/sys", 0);
	return err == 0 ? 0 : fail(tried, "move_mount", "/proc/sys", err);
}

int try_mount_api(struct tried *tried)
{
	FD_OWNED int store = -1;
	int err = copy_tree(tried);

	return err == 0 ? attach_store(tried, &store) : err;
}

int try_openat2(struct tried *tried)
{
	FD_OWNED int fd = sys_openat2(AT_FDCWD, "/", O_PATH,
				      RESOLVE_NO_MAGICLINKS |
					      RESOLVE_NO_SYMLINKS);

	stage(tried, "source");
	return fd >= 0 ? 0 : fail(tried, "openat2", "/", fd);
}

/* And the setting that is written through it. */
int try_proc(struct tried *tried)
{
	static const char limit[] = "sys/user/max_user_namespaces";
	FD_OWNED int proc = -1;
	int err;

	stage(tried, "no-nesting");
	err = new_mount(tried, "proc", &proc);
	if (err != 0)
		return err;
	err = io_write_file(proc, limit, "0");
	return err == 0 ? 0 : fail(tried, "write", limit, err);
}

int try_pivot(struct tried *tried)
{
	FD_OWNED int root = -1;
	int err;

	stage(tried, "root");
	err = new_mount(tried, "tmpfs", &root);
	if (err != 0)
		return err;
	err = sys_move_mount(root, AT_FDCWD, "/", 0);
	if (err != 0)
		return fail(tried, "move_mount", "/", err);
	stage(tried, "pivot");
	if (fchdir(root) != 0)
		return fail(tried, "fchdir", "/", errno);
	err = sys_pivot_root(".", ".");
	if (err != 0)
		return fail(tried, "pivot_root", "/", err);
	return umount2(".", MNT_DETACH) == 0
		       ? 0
		       : fail(tried, "umount2", "/", errno);
}

static int set_layer(struct tried *tried, int fs, int store, const char *key,
		     const char *dir)
{
	char path[64];
	int err;

	if (mkdirat(store, dir, 0755) != 0)
		return fail(tried, "mkdirat", dir, errno);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d/%s", store, dir);
	err = sys_fsconfig_string(fs, key, path);
	return err == 0 ? 0 : fail(tried, "fsconfig", key, err);
}

static int mount_overlay(struct tried *tried, int store)
{
	FD_OWNED int fs = sys_fsopen("overlay");
	FD_OWNED int mount = -1;
	int err;

	if (fs < 0)
		return fail(tried, "fsopen", "overlay", fs);
	err = set_layer(tried, fs, store, "lowerdir", "lower");
	if (err == 0)
		err = set_layer(tried, fs, store, "upperdir", "upper");
	if (err == 0)
		err = set_layer(tried, fs, store, "workdir", "work");
	if (err != 0)
		return err;
	err = sys_fsconfig_flag(fs, "userxattr");
	if (err == 0)
		err = sys_fsconfig_create(fs);
	if (err != 0)
		return fail(tried, "fsconfig", "overlay", err);
	mount = sys_fsmount(fs, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	return mount >= 0 ? 0 : fail(tried, "fsmount", "overlay", mount);
}

static bool is_older(const char *release, int major, int minor)
{
	char *end;
	long a = strtol(release, &end, 10);
	long b = *end == '.' ? strtol(end + 1, NULL, 10) : 0;

	return a < major || (a == major && b < minor);
}

int try_overlay(struct tried *tried)
{
	FD_OWNED int store = -1;
	struct utsname system = { 0 };
	int err = attach_store(tried, &store);

	if (err != 0)
		return err;
	stage(tried, "overlay");
	(void)uname(&system);
	/* before, a directory of the lower layer cannot be removed */
	if (is_older(system.release, 6, 6))
		return fail(tried, "uname", system.release, ENOSYS);
	return mount_overlay(tried, store);
}

/* A kernel without keys has none to keep. */
int try_keyring(struct tried *tried)
{
	int err = sys_keyctl_join_session();

	stage(tried, "keyring");
	return err >= 0 || err == -ENOSYS
		       ? 0
		       : fail(tried, "keyctl", "session keyring", err);
}

static int load_filter(struct tried *tried, unsigned flags)
{
	struct sock_filter allow[] = { BPF_STMT(BPF_RET | BPF_K,
						SECCOMP_RET_ALLOW) };
	struct sock_fprog program = { .len = 1, .filter = allow };
	long fd;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return fail(tried, "PR_SET_NO_NEW_PRIVS", "", errno);
	fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
	return fd >= 0 ? 0 : fail(tried, "seccomp", "", errno);
}

int try_seccomp(struct tried *tried)
{
	stage(tried, "filter");
	return load_filter(tried, 0);
}

int try_notify(struct tried *tried)
{
	stage(tried, "notify");
	return load_filter(tried, SECCOMP_FILTER_FLAG_NEW_LISTENER);
}

int try_landlock(struct tried *tried)
{
	enum { SCOPES_ABI = 6 };
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0,
			   LANDLOCK_CREATE_RULESET_VERSION);

	stage(tried, "scope");
	if (abi < 0)
		return fail(tried, "landlock_create_ruleset", "", errno);
	(void)snprintf(tried->note, sizeof(tried->note), "ABI %ld", abi);
	return abi >= SCOPES_ABI ? 0
				 : fail(tried, "landlock_create_ruleset",
					tried->note, ENOSYS);
}
