/*
 * The new /proc and what is written through it. Settings are written through
 * the new procfs's own descriptor: a container's /proc may be masked, read-only
 * or not a procfs at all (CVE-2019-16884).
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/sys.h"
#include "engine/inside.h"

/* Where an id inside is the host's root, these would be writable: the kernel's
 * checks see the owner, not capabilities. Read-only binds of themselves. */
static const char *const covered[] = { "sys", "sysrq-trigger", "irq", "bus",
				       "fs",  "acpi",	       "scsi" };

/* Files of mode 0400 that tell of the whole machine; some mind capabilities,
 * these only their owner. */
static const char *const hidden[] = { "timer_list",  "vmallocinfo",
				      "slabinfo",    "pagetypeinfo",
				      "kpagecount",  "kpageflags",
				      "kpagecgroup", "latency_stats",
				      "sched_debug" };

static int hide(struct engine *engine, int proc, const char *name)
{
	FD_OWNED int tree = -1;
	int err;

	if (faccessat(proc, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
		return 0; /* this kernel has none */
	tree = engine_mask_tree(engine, S_IFREG);
	if (tree < 0)
		return tree;
	err = sys_move_mount(tree, proc, name, 0);
	return err == 0 ? 0 : engine_fail(engine, "move_mount", name, err);
}

static int cover(struct engine *engine, int proc, const char *name)
{
	FD_OWNED int tree = sys_open_tree(proc, name, OPEN_TREE_CLONE);
	int err;

	if (tree == -ENOENT)
		return 0; /* this kernel has none */
	if (tree < 0)
		return engine_fail(engine, "open_tree", name, tree);
	err = sys_mount_setattr(tree, 0, MOUNT_ATTR_RDONLY, 0);
	if (err != 0)
		return engine_fail(engine, "mount_setattr", name, err);
	err = sys_move_mount(tree, proc, name, 0);
	return err == 0 ? 0 : engine_fail(engine, "move_mount", name, err);
}

static int cover_all(struct engine *engine, int proc)
{
	int err = 0;

	for (size_t i = 0; i < sizeof(covered) / sizeof(*covered) && err == 0;
	     i++)
		err = cover(engine, proc, covered[i]);
	for (size_t i = 0; i < sizeof(hidden) / sizeof(*hidden) && err == 0;
	     i++)
		err = hide(engine, proc, hidden[i]);
	return err;
}

int engine_old_proc(struct engine *engine, int take_mount, const struct op *op)
{
	FD_OWNED int mount = take_mount;
	int err = engine_attach_placed(engine, mount, op);

	return err == 0 ? cover_all(engine, mount) : err;
}

/* Each time a new one: an attached mount would only move. */
static int place_proc(struct engine *engine, const struct op *op)
{
	int err, proc;

	fd_close(&engine->proc);
	proc = engine_get_proc(engine);
	if (proc < 0)
		return proc;
	err = engine_attach_placed(engine, proc, op);
	return err == 0 && op->flags & PROC_COVER ? cover_all(engine, proc)
						  : err;
}

int engine_proc(struct engine *engine, const struct op *op)
{
	FD_OWNED int target = -1;
	int err, proc;

	if (op->placed)
		return place_proc(engine, op);
	proc = engine_get_proc(engine);
	if (proc < 0)
		return proc;
	target = engine_target(engine, op->path);
	if (target < 0)
		return target;
	err = engine_note_mount(engine, op, proc);
	if (err != 0)
		return err;
	err = sys_move_mount(proc, target, "", MOVE_MOUNT_T_EMPTY_PATH);
	if (err != 0)
		return engine_fail(engine, "move_mount", op->path, err);
	return op->flags & PROC_COVER ? cover_all(engine, proc) : 0;
}

static int limit_to_none(struct engine *engine, const char *limit)
{
	int err, proc = engine_get_proc(engine);

	if (proc < 0)
		return proc;
	err = io_write_file(proc, limit, "0");
	return err == 0 ? 0 : engine_fail(engine, "write", limit, err);
}

/* No user namespace below ours: the way to most kernel holes starts with one.
 * The filter says no as well; this also holds for a user's own filter. */
int engine_no_nesting(struct engine *engine, const struct op *op)
{
	(void)op;
	return limit_to_none(engine, "sys/user/max_user_namespaces");
}

/* A cgroup file system of a namespace of its own would show the caller's group
 * writable, its files being the caller's: freeze and kill reach the processes
 * outside. Mounting one takes a cgroup namespace made in there. */
int engine_no_cgroups(struct engine *engine, const struct op *op)
{
	(void)op;
	return limit_to_none(engine, "sys/user/max_cgroup_namespaces");
}

static int raise_loopback(struct engine *engine)
{
	FD_OWNED int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };

	if (fd < 0)
		return engine_fail(engine, "socket", "lo", errno);
	if (ioctl(fd, SIOCSIFFLAGS, &request) != 0)
		return engine_fail(engine, "SIOCSIFFLAGS", "lo", errno);
	return 0;
}

/* 127.0.0.1 and ::1 come with the flag; ping to them is allowed to the one
 * group there is. */
int engine_loopback(struct engine *engine, const struct op *op)
{
	static const char range[] = "sys/net/ipv4/ping_group_range";
	char line[2 * NUMBER_ROOM], *at;
	int proc, err = raise_loopback(engine);

	if (err != 0 || op->flags & LOOPBACK_NO_PING)
		return err;
	proc = engine_get_proc(engine);
	if (proc < 0)
		return proc;
	at = number_write(line, op->a, 10);
	*at++ = ' ';
	(void)number_write(at, op->a, 10);
	err = io_write_file(proc, range, line);
	return err == 0 ? 0 : engine_fail(engine, "write", range, err);
}
