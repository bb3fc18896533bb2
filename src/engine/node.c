/*
 * Objects of our own: directories, links, files and the device nodes. They are
 * made in mounts of the store that only init has touched. But where such a mount
 * lies below a directory of the host, somebody outside can rename its mount
 * point while init works, and the same path would lead to the host: there the
 * directory is opened without following links and must be ours by its mount.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/mount.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/path.h"
#include "base/sys.h"
#include "engine/inside.h"

static bool is_our_mount(const struct engine *engine, uint64_t mount)
{
	const struct plan *plan = engine->plan;

	for (size_t i = 0; i < plan->op_count; i++) {
		if (engine->memos[i].mount == mount &&
		    (plan->ops[i].kind == OP_PRIVATE ||
		     plan->ops[i].kind == OP_TMPFS))
			return true;
	}
	return false;
}

int engine_find_spot(struct engine *engine, const struct op *op,
		     struct spot *spot)
{
	const char *slash = strrchr(op->path, '/');
	char parent[PATH_MAX];
	struct sys_stat st;
	int err;

	*spot = (struct spot){ engine->root, -1, engine_below(op->path) };
	if (op->made)
		return 0;
	if ((size_t)(slash - op->path) >= sizeof(parent))
		return engine_fail(engine, "openat", op->path, ENAMETOOLONG);
	memcpy(parent, op->path, (size_t)(slash - op->path));
	parent[slash - op->path] = '\0';
	spot->owned = engine_target(engine, parent);
	if (spot->owned < 0)
		return spot->owned;
	spot->dir = spot->owned;
	spot->name = slash + 1;
	err = sys_stat(spot->dir, "", AT_EMPTY_PATH, &st);
	if (err == 0 && !is_our_mount(engine, st.mount_id))
		err = -ESTALE;
	if (err == 0)
		return 0;
	fd_close(&spot->owned);
	return engine_fail(engine, FAULT_REPLACED, parent, err);
}

int engine_dir(struct engine *engine, const struct op *op)
{
	struct spot spot;
	int err = engine_find_spot(engine, op, &spot);

	if (err != 0)
		return err;
	if (mkdirat(spot.dir, spot.name, op->mode) != 0)
		err = engine_fail(engine, "mkdirat", op->path, errno);
	fd_close(&spot.owned);
	return err;
}

int engine_link(struct engine *engine, const struct op *op)
{
	struct spot spot;
	int err = engine_find_spot(engine, op, &spot);

	if (err != 0)
		return err;
	if (symlinkat(op->source, spot.dir, spot.name) != 0)
		err = engine_fail(engine, "symlinkat", op->path, errno);
	fd_close(&spot.owned);
	return err;
}

int engine_file(struct engine *engine, const struct op *op)
{
	struct spot spot;
	FD_OWNED int fd = -1;
	int err = engine_find_spot(engine, op, &spot);

	if (err != 0)
		return err;
	fd = sys_openat(spot.dir, spot.name,
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, op->mode);
	fd_close(&spot.owned);
	if (fd < 0)
		return engine_fail(engine, "openat", op->path, fd);
	if (op->size != 0)
		err = io_write_all(fd, op->data, op->size);
	return err == 0 ? 0 : engine_fail(engine, "write", op->path, err);
}

/* Read-only does not stop writing to a device. It stops chmod: a root caller is
 * the owner of the host's own nodes. */
enum {
	NODE_ATTRS = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC,
};

/* The node is copied from the old tree and known by type and number, not by
 * its name: a container's /dev may hold anything (CVE-2025-31133). */
static int add_node(struct engine *engine, int dev, const struct dev_name *node)
{
	FD_OWNED int tree = sys_open_tree(
		AT_FDCWD, node->path, OPEN_TREE_CLONE | AT_SYMLINK_NOFOLLOW);
	struct sys_stat st;
	int err;

	if (tree < 0)
		return engine_fail(engine, "open_tree", node->path, tree);
	err = sys_stat(tree, "", AT_EMPTY_PATH, &st);
	if (err == 0 && (!S_ISCHR(st.mode) || st.rdev_major != node->major ||
			 st.rdev_minor != node->minor))
		err = -ENODEV;
	if (err != 0)
		return engine_fail(engine, "statx", node->path, err);
	err = sys_mount_setattr(tree, 0, NODE_ATTRS, 0);
	if (err != 0)
		return engine_fail(engine, "mount_setattr", node->path, err);
	if (mknodat(dev, path_name(node->path), S_IFREG | 0600, 0) != 0)
		return engine_fail(engine, "mknodat", node->path, errno);
	err = sys_move_mount(tree, dev, path_name(node->path), 0);
	return err == 0 ? 0
			: engine_fail(engine, "move_mount", node->path, err);
}

static int add_name(struct engine *engine, int dev, const struct dev_name *name)
{
	if (name->target == NULL)
		return add_node(engine, dev, name);
	if (symlinkat(name->target, dev, path_name(name->path)) != 0)
		return engine_fail(engine, "symlinkat", name->path, errno);
	return 0;
}

static int add_pts(struct engine *engine, int dev)
{
	FD_OWNED int fs = sys_fsopen("devpts"), mount = -1;
	int err;

	if (fs < 0)
		return engine_fail(engine, "fsopen", "devpts", fs);
	err = sys_fsconfig_string(fs, "ptmxmode", "0666");
	if (err == 0)
		err = sys_fsconfig_string(fs, "mode", "0620");
	if (err == 0)
		err = sys_fsconfig_create(fs);
	if (err != 0)
		return engine_fail(engine, "fsconfig", "devpts", err);
	mount = sys_fsmount(fs, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
	if (mount < 0)
		return engine_fail(engine, "fsmount", "devpts", mount);
	err = sys_move_mount(mount, dev, "pts", 0);
	return err == 0 ? 0 : engine_fail(engine, "move_mount", "devpts", err);
}

static int add_shm(struct engine *engine, int dev)
{
	FD_OWNED int mount = engine_store_tree(engine, 01777);
	int err;

	if (mount < 0)
		return mount;
	err = sys_move_mount(mount, dev, "shm", 0);
	return err == 0 ? 0 : engine_fail(engine, "move_mount", "shm", err);
}

static int fill_dev(struct engine *engine, int dev, bool with_core)
{
	const struct dev_name *name;
	int err = 0;

	for (size_t i = 0; (name = plan_dev_name(i)) != NULL && err == 0; i++)
		err = add_name(engine, dev, name);
	if (err != 0)
		return err;
	if (with_core && symlinkat("/proc/kcore", dev, "core") != 0)
		return engine_fail(engine, "symlinkat", "core", errno);
	if (mkdirat(dev, "pts", 0755) != 0 || mkdirat(dev, "shm", 0755) != 0)
		return engine_fail(engine, "mkdirat", "/dev/shm", errno);
	err = add_pts(engine, dev);
	return err == 0 ? add_shm(engine, dev) : err;
}

int engine_dev(struct engine *engine, const struct op *op)
{
	FD_OWNED int dev = -1;
	int err = 0;

	if (op->flags & DEV_OWN) {
		dev = engine_store_tree(engine, 0755);
		if (dev < 0)
			return dev;
		err = engine_attach_borrowed(engine, dev, op);
	} else {
		dev = engine_target(engine, op->path);
	}
	if (err != 0)
		return err;
	return dev < 0 ? dev
		       : fill_dev(engine, dev, (op->flags & DEV_CORE) != 0);
}

/* No nodev: this one is meant to work. Its type was checked by the facts and
 * its identity by OP_SOURCE. */
int engine_device(struct engine *engine, const struct op *op)
{
	int *tree = &engine->memos[op->slot].tree;
	int err = sys_mount_setattr(*tree, 0, NODE_ATTRS, 0);

	if (err != 0)
		return engine_fail(engine, "mount_setattr", op->path, err);
	return engine_attach(engine, fd_take(tree), op);
}

/* ttyname(3) looks for the caller's terminal by device number; in the new
 * devpts it is not, here it is. */
int engine_console(struct engine *engine, const struct op *op)
{
	if (mknodat(engine->root, engine_below(op->path), S_IFREG | 0600, 0))
		return engine_fail(engine, "mknodat", op->path, errno);
	return engine_device(engine, op);
}
