/*
 * The store: one tmpfs for all that is ours. Its directories and files become
 * the new root, temp, home, masks, covers and overlays' upper layers, each by a
 * bind of its own. One super block instead of seven is a tenth of the start-up,
 * and one bound holds for all of them together.
 *
 * It is attached in the old tree, because a detached mount cannot be cloned
 * before 6.15, and goes with it. Never on the old root itself: the pivot would
 * detach the store instead of the root below it, and /.. would be the host.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/sys.h"
#include "engine/inside.h"

/* A directory that the old tree has and nobody needs any more: the first of them.
 * A bare one that bubblewrap is started in may lack /proc. */
static const char *const places[] = { "/proc/sys", "/tmp", "/usr", "/dev" };

static int attach(const struct engine *engine)
{
	int err = -ENOENT;

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (err == -ENOENT)
			err = sys_move_mount(engine->store, AT_FDCWD, places[i],
					     0);
	}
	return err;
}

int engine_store(struct engine *engine, const struct op *op)
{
	int err;

	engine->store = engine_new_tmpfs(engine, 0755, op->a, op->b);
	if (engine->store < 0)
		return engine->store;
	err = attach(engine);
	return err == 0 ? 0 : engine_fail(engine, "move_mount", places[0], err);
}

int engine_store_dir(struct engine *engine, char name[NUMBER_ROOM],
		     uint32_t mode)
{
	(void)number_write(name, engine->made++, 10);
	if (mkdirat(engine->store, name, mode) != 0)
		return engine_fail(engine, "mkdirat", name, errno);
	return 0;
}

int engine_store_tree(struct engine *engine, uint32_t mode)
{
	char name[NUMBER_ROOM];
	int tree, err = engine_store_dir(engine, name, mode);

	if (err != 0)
		return err;
	tree = sys_open_tree(engine->store, name, OPEN_TREE_CLONE);
	return tree >= 0 ? tree : engine_fail(engine, "open_tree", name, tree);
}

int engine_store_file(struct engine *engine, const char *name, uint32_t mode,
		      const struct op *op)
{
	FD_OWNED int fd = sys_openat(engine->store, name,
				     O_WRONLY | O_CREAT | O_EXCL, mode);
	int err = 0;

	if (fd < 0)
		return engine_fail(engine, "openat", name, fd);
	if (op != NULL)
		err = io_write_all(fd, op->data, op->size);
	return err == 0 ? 0 : engine_fail(engine, "write", name, err);
}

int engine_private(struct engine *engine, const struct op *op)
{
	int tree = engine_store_tree(engine, op->mode);

	return tree < 0 ? tree : engine_attach(engine, tree, op);
}
