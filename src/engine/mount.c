/*
 * Mounts by descriptor. A tree is copied with open_tree, gets its attributes
 * with one recursive mount_setattr and is attached with move_mount; the mount
 * table is never read.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <string.h>
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

int engine_target(struct engine *engine, const char *path)
{
	int fd = resolve_open(engine->root, engine_below(path));

	return fd >= 0 ? fd : engine_fail(engine, "openat2", path, fd);
}

int engine_note_mount(struct engine *engine, const struct op *op, int mount)
{
	struct sys_stat st;
	int err = sys_stat(mount, "", AT_EMPTY_PATH, &st);

	if (err != 0)
		return engine_fail(engine, "statx", op->path, err);
	engine->memos[op - engine->plan->ops].mount = st.mount_id;
	return 0;
}

/* On an object of ours there is no link to follow: nothing but directories has
 * been made above it. What the host backs is resolved without following any. */
int engine_attach_borrowed(struct engine *engine, int mount,
			   const struct op *op)
{
	FD_OWNED int target = -1;
	int err;

	if (op->placed)
		return engine_attach_placed(engine, mount, op);
	if (op->made) {
		err = sys_move_mount(mount, engine->root,
				     engine_below(op->path), 0);
	} else {
		target = engine_target(engine, op->path);
		if (target < 0)
			return target;
		/* checked and covered by one look-up: they cannot differ */
		err = engine_check_target(engine, op, target);
		if (err == 0)
			err = engine_note_mount(engine, op, mount);
		if (err != 0)
			return err;
		err = sys_move_mount(mount, target, "",
				     MOVE_MOUNT_T_EMPTY_PATH);
	}
	return err == 0 ? 0 : engine_fail(engine, "move_mount", op->path, err);
}

int engine_attach(struct engine *engine, int take_mount, const struct op *op)
{
	FD_OWNED int mount = take_mount;

	return engine_attach_borrowed(engine, mount, op);
}

int engine_bind(struct engine *engine, const struct op *op)
{
	int *tree = &engine->memos[op->slot].tree;
	uint64_t attrs = MOUNT_ATTR_NOSUID;
	int err;

	if (!(op->flags & BIND_DEVICE))
		attrs |= MOUNT_ATTR_NODEV;
	if (op->flags & BIND_READ)
		attrs |= MOUNT_ATTR_RDONLY;
	err = sys_mount_setattr(*tree, AT_RECURSIVE, attrs, 0);
	if (err != 0)
		return engine_fail(engine, "mount_setattr", op->path, err);
	if (op->flags & BIND_PROC)
		return engine_old_proc(engine, fd_take(tree), op);
	return engine_attach(engine, fd_take(tree), op);
}

/* What the file-system context says about its last failure: messages of the
 * form "e text", one a read; the first is kept. */
static void add_words(struct fault *fault, int fs)
{
	char line[sizeof(fault->words)];
	ssize_t n = read(fs, line, sizeof(line) - 1);

	if (n <= 2)
		return;
	line[n] = '\0';
	line[strcspn(line, "\n")] = '\0';
	fault_copy(fault->words, sizeof(fault->words), line + 2);
}

int engine_set_option(struct engine *engine, int fs, const char *key,
		      const char *value)
{
	int err = sys_fsconfig_string(fs, key, value);

	if (err == 0)
		return 0;
	add_words(engine->fault, fs);
	return engine_fail(engine, "fsconfig", key, err);
}

int engine_new_mount(struct engine *engine, int fs, const char *type,
		     unsigned attrs)
{
	int mount, err = sys_fsconfig_create(fs);

	if (err != 0) {
		add_words(engine->fault, fs);
		return engine_fail(engine, "fsconfig", type, err);
	}
	mount = sys_fsmount(fs, attrs);
	return mount >= 0 ? mount : engine_fail(engine, "fsmount", type, mount);
}

int engine_new_tmpfs(struct engine *engine, uint32_t mode, uint64_t bytes,
		     uint64_t inodes)
{
	FD_OWNED int fs = sys_fsopen("tmpfs");
	char room[NUMBER_ROOM];
	int err;

	if (fs < 0)
		return engine_fail(engine, "fsopen", "tmpfs", fs);
	(void)number_write(room, mode, 8);
	err = engine_set_option(engine, fs, "mode", room);
	(void)number_write(room, bytes, 10);
	if (err == 0 && bytes != 0)
		err = engine_set_option(engine, fs, "size", room);
	(void)number_write(room, inodes, 10);
	if (err == 0)
		err = engine_set_option(engine, fs, "nr_inodes", room);
	if (err != 0)
		return err;
	return engine_new_mount(engine, fs, "tmpfs",
				MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
}

int engine_tmpfs(struct engine *engine, const struct op *op)
{
	int mount = engine_new_tmpfs(engine, op->mode, op->a, op->b);

	return mount < 0 ? mount : engine_attach(engine, mount, op);
}

/* Read-only: what the limit is written in belongs to the caller. */
int engine_cgroups(struct engine *engine, const struct op *op)
{
	FD_OWNED int fs = sys_fsopen("cgroup2");
	int mount;

	if (fs < 0)
		return engine_fail(engine, "fsopen", "cgroup2", fs);
	mount = engine_new_mount(engine, fs, "cgroup2",
				 MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID |
					 MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
	return mount < 0 ? mount : engine_attach(engine, mount, op);
}

int engine_get_proc(struct engine *engine)
{
	FD_OWNED int fs = -1;

	if (engine->proc >= 0)
		return engine->proc;
	if (mutant_lacks("own-proc"))
		return engine->proc = sys_open_tree(AT_FDCWD, "/proc",
						    OPEN_TREE_CLONE |
							    AT_RECURSIVE);
	fs = sys_fsopen("proc");
	if (fs < 0)
		return engine_fail(engine, "fsopen", "proc", fs);
	engine->proc = engine_new_mount(engine, fs, "proc",
					MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV |
						MOUNT_ATTR_NOEXEC);
	return engine->proc;
}

/* A copy of what is mounted at a place, with all below it. */
static int copy_place(struct engine *engine, int place, const char *path,
		      uint64_t attrs)
{
	int err, tree = sys_open_tree(place, "",
				      AT_EMPTY_PATH | AT_RECURSIVE |
					      OPEN_TREE_CLONE);

	if (tree < 0)
		return engine_fail(engine, "open_tree", path, tree);
	if (attrs == 0)
		return tree;
	err = sys_mount_setattr(tree, AT_RECURSIVE, attrs, 0);
	if (err == 0)
		return tree;
	fd_close(&tree);
	return engine_fail(engine, "mount_setattr", path, err);
}

int engine_same(struct engine *engine, const struct op *op)
{
	FD_OWNED int place = engine_target(engine, op->source);
	int tree;

	if (place < 0)
		return place;
	tree = copy_place(engine, place, op->source, 0);
	return tree < 0 ? tree : engine_attach(engine, tree, op);
}

/* One look-up for the copy and for the place it goes to: they cannot differ. */
static int bind_self(struct engine *engine, const struct op *op, uint64_t attrs)
{
	FD_OWNED int place = engine_target(engine, op->path);
	FD_OWNED int tree = -1;
	int err;

	if (place < 0)
		return place;
	err = engine_check_target(engine, op, place);
	if (err != 0)
		return err;
	tree = copy_place(engine, place, op->path, attrs);
	if (tree < 0)
		return tree;
	err = engine_note_mount(engine, op, tree);
	if (err != 0)
		return err;
	err = sys_move_mount(tree, place, "", MOVE_MOUNT_T_EMPTY_PATH);
	return err == 0 ? 0 : engine_fail(engine, "move_mount", op->path, err);
}

/* A mount point cannot be renamed or removed (EBUSY); what lies in it can. */
int engine_pin(struct engine *engine, const struct op *op)
{
	return bind_self(engine, op, 0);
}

int engine_protect(struct engine *engine, const struct op *op)
{
	return bind_self(engine, op, MOUNT_ATTR_RDONLY);
}

int engine_seal(struct engine *engine, const struct op *op)
{
	FD_OWNED int place = -1;
	int err, mount = engine->root;

	if (strcmp(op->path, "/") != 0)
		mount = place = engine_target(engine, op->path);
	if (mount < 0)
		return mount;
	err = sys_mount_setattr(mount, 0, MOUNT_ATTR_RDONLY, 0);
	return err == 0 ? 0
			: engine_fail(engine, "mount_setattr", op->path, err);
}
