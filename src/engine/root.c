/*
 * Sources, the new root and the pivot into it.
 *
 * Sources are opened by their canonical name in the new mount namespace, before
 * the new root covers / (after that ".." leads into the new root), and must be
 * the object that the facts saw outside. The descriptor outside is still open,
 * so its inode number cannot have been given to another object meanwhile.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/resolve.h"
#include "base/sys.h"
#include "engine/inside.h"
#include "engine/mutant.h"

#ifndef AT_RECURSIVE
#	define AT_RECURSIVE 0x8000
#endif

static int check_identity(struct engine *engine, const struct op *op, int fd)
{
	struct sys_stat st;
	int err = sys_stat(fd, "", AT_EMPTY_PATH, &st);

	if (err != 0)
		return engine_fail(engine, "statx", op->source, err);
	if (st.dev != op->id.dev || st.ino != op->id.ino ||
	    (st.mode & S_IFMT) != op->id.type)
		return engine_fail(engine, FAULT_REPLACED, op->source, ESTALE);
	return 0;
}

int engine_source(struct engine *engine, const struct op *op)
{
	struct plan_memo *source = &engine->memos[op->slot];
	int err;

	source->tree = -1;
	source->place = resolve_open(AT_FDCWD, op->source);
	if (source->place < 0)
		return engine_fail(engine, "openat2", op->source,
				   source->place);
	err = check_identity(engine, op, source->place);
	if (err != 0 || (op->flags & SOURCE_PLACE))
		return err;
	source->tree = sys_open_tree(source->place, "",
				     AT_EMPTY_PATH | AT_RECURSIVE |
					     OPEN_TREE_CLONE);
	if (source->tree < 0)
		return engine_fail(engine, "open_tree", op->source,
				   source->tree);
	return 0;
}

static int cover_root(struct engine *engine, int take_mount)
{
	int err;

	engine->root = take_mount;
	err = sys_move_mount(engine->root, AT_FDCWD, "/", 0);
	return err == 0 ? 0 : engine_fail(engine, "move_mount", "/", err);
}

int engine_root(struct engine *engine, const struct op *op)
{
	int tree = engine_store_tree(engine, 0755);

	(void)op;
	return tree < 0 ? tree : cover_root(engine, tree);
}

int engine_root_bind(struct engine *engine, const struct op *op)
{
	int mount = fd_take(&engine->memos[op->slot].tree);
	uint64_t attrs = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
	int err;

	if (op->flags & BIND_READ)
		attrs |= MOUNT_ATTR_RDONLY;
	engine->root = mount;
	err = sys_mount_setattr(mount, AT_RECURSIVE, attrs, 0);
	if (err != 0)
		return engine_fail(engine, "mount_setattr", "/", err);
	return cover_root(engine, mount);
}

/* Stacks the old root on the new one and detaches it, and with it everything
 * that was only reachable there. pivot_root cannot leave an initramfs. */
int engine_pivot(struct engine *engine, const struct op *op)
{
	int err;

	(void)op;
	if (fchdir(engine->root) != 0)
		return engine_fail(engine, "fchdir", "/", errno);
	err = sys_pivot_root(".", ".");
	if (err != 0)
		return engine_fail(engine, "pivot_root", "/", err);
	if (umount2(".", MNT_DETACH) != 0)
		return engine_fail(engine, "umount2", "/", errno);
	if (chdir("/") != 0)
		return engine_fail(engine, "chdir", "/", errno);
	return 0;
}
