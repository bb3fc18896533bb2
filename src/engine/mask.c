/*
 * Masks and covers: read-only objects of the store over the host's. What a mask
 * is made of is ours alone; a device or file of the tree that is being masked
 * could be anything (CVE-2025-31133).
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/sys.h"
#include "engine/inside.h"

/* A read-only copy of an object of the store, not attached. */
static int copy_read_only(struct engine *engine, const char *name)
{
	int tree = sys_open_tree(engine->store, name, OPEN_TREE_CLONE);
	int err;

	if (tree < 0)
		return engine_fail(engine, "open_tree", name, tree);
	err = sys_mount_setattr(tree, 0,
				MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC |
					MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV,
				0);
	if (err == 0)
		return tree;
	fd_close(&tree);
	return engine_fail(engine, "mount_setattr", name, err);
}

static int note_masks(struct engine *engine)
{
	struct sys_stat dir, file;
	int err = sys_stat(engine->store, "dir", 0, &dir);

	if (err == 0)
		err = sys_stat(engine->store, "file", 0, &file);
	if (err != 0)
		return engine_fail(engine, "statx", "masks", err);
	engine->mask_dev = dir.dev;
	engine->mask_dir = dir.ino;
	engine->mask_file = file.ino;
	return 0;
}

/* Makes the masks and one read-only mount of them, from which every mask is
 * then cloned with its flags: two calls a mask, whatever their number. */
static int open_masks(struct engine *engine)
{
	int err;

	if (engine->masks >= 0)
		return 0;
	if (mkdirat(engine->store, "masks", 0755) != 0 ||
	    mkdirat(engine->store, "dir", 0) != 0)
		return engine_fail(engine, "mkdirat", "masks", errno);
	err = engine_store_file(engine, "file", 0, NULL);
	if (err != 0)
		return err;
	err = note_masks(engine);
	if (err != 0)
		return err;
	engine->masks = copy_read_only(engine, ".");
	if (engine->masks < 0)
		return engine->masks;
	err = sys_move_mount(engine->masks, engine->store, "masks", 0);
	return err == 0 ? 0 : engine_fail(engine, "move_mount", "masks", err);
}

int engine_check_target(struct engine *engine, const struct op *op, int fd)
{
	struct sys_stat st;
	int err = sys_stat(fd, "", AT_EMPTY_PATH, &st);

	if (err != 0)
		return engine_fail(engine, "statx", op->path, err);
	if (op->id.ino != 0 && (st.dev != op->id.dev || st.ino != op->id.ino))
		return engine_fail(engine, FAULT_REPLACED, op->path, ESTALE);
	return 0;
}

static int attach_mask(struct engine *engine, const struct op *op, int tree)
{
	FD_OWNED int target = engine_target(engine, op->path);
	int err;

	if (target < 0)
		return target;
	err = engine_check_target(engine, op, target);
	if (err != 0)
		return err;
	err = sys_move_mount(tree, target, "", MOVE_MOUNT_T_EMPTY_PATH);
	return err == 0 ? 0 : engine_fail(engine, "move_mount", op->path, err);
}

int engine_mask_tree(struct engine *engine, uint32_t type)
{
	const char *name = type == S_IFDIR ? "dir" : "file";
	int tree, err = open_masks(engine);

	if (err != 0)
		return err;
	tree = sys_open_tree(engine->masks, name, OPEN_TREE_CLONE);
	return tree >= 0 ? tree : engine_fail(engine, "open_tree", name, tree);
}

int engine_mask(struct engine *engine, const struct op *op)
{
	FD_OWNED int tree = engine_mask_tree(engine, op->mode);

	return tree < 0 ? tree : attach_mask(engine, op, tree);
}

/* A file of ours over one of the host's. */
int engine_cover(struct engine *engine, const struct op *op)
{
	char name[NUMBER_ROOM];
	int tree, err;

	(void)number_write(name, engine->made++, 10);
	err = engine_store_file(engine, name, op->mode, op);
	if (err != 0)
		return err;
	tree = copy_read_only(engine, name);
	return tree < 0 ? tree : engine_attach(engine, tree, op);
}

/* A mask is known by its object, which only the store has; a protection and
 * a masked directory that shows something below it by their mounts. */
static bool is_ours(const struct engine *engine, const struct op *op,
		    const struct sys_stat *st)
{
	if (op->kind != OP_MASK)
		return st->mount_id ==
		       engine->memos[op - engine->plan->ops].mount;
	return st->dev == engine->mask_dev &&
	       st->ino == (op->mode == S_IFDIR ? engine->mask_dir
					       : engine->mask_file);
}

static int verify_one(struct engine *engine, const struct op *op)
{
	struct sys_stat st;
	int err = sys_stat(engine->root, engine_below(op->path),
			   AT_SYMLINK_NOFOLLOW, &st);

	if (err == 0 && !is_ours(engine, op, &st))
		err = -ESTALE;
	return err == 0 ? 0 : engine_fail(engine, FAULT_LOST, op->path, err);
}

/* A name may have been renamed by somebody outside between its look-up and its
 * mount: each one is looked up once more and must lead to what was mounted. */
int engine_verify(struct engine *engine, const struct op *op)
{
	const struct plan *plan = engine->plan;
	int err = 0;

	(void)op;
	for (size_t i = 0; i < plan->op_count && err == 0; i++) {
		if (plan->ops[i].kind == OP_MASK || engine->memos[i].mount != 0)
			err = verify_one(engine, &plan->ops[i]);
	}
	return err;
}
