/*
 * Objects that bubblewrap's caller wants made: directories, files, links, modes,
 * files with data, message queues. What is below a writable bind stays on the
 * host, as there.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/io.h"
#include "base/number.h"
#include "base/sys.h"
#include "engine/inside.h"

/* What setfscreatecon(3) does. */
int engine_file_label(struct engine *engine, const struct op *op)
{
	int err = io_write_file(AT_FDCWD, "/proc/self/attr/fscreate",
				op->source);

	return err == 0 ? 0 : engine_fail(engine, "write", op->source, err);
}

static bool is_dir(int dir, const char *name)
{
	struct sys_stat st;

	return sys_stat(dir, name, AT_SYMLINK_NOFOLLOW, &st) == 0 &&
	       S_ISDIR(st.mode);
}

int engine_make_dir(struct engine *engine, const struct op *op)
{
	const char *name;
	FD_OWNED int dir = engine_parent(engine, op, &name);

	if (dir < 0)
		return dir;
	if (mkdirat(dir, name, op->mode) == 0)
		return 0;
	/* also one that is read-only or not ours */
	if (is_dir(dir, name))
		return 0;
	return engine_fail(engine, "mkdir", op->path, errno);
}

/* All that a descriptor of the caller's has to say, which is closed. */
static int copy(struct engine *engine, int take_from, int to,
		const struct op *op)
{
	FD_OWNED int from = take_from;
	char bytes[16384];
	ssize_t n;
	int err = 0;

	while (err == 0 && (n = read(from, bytes, sizeof(bytes))) != 0) {
		if (n < 0)
			err = errno == EINTR ? 0 : -errno;
		else
			err = io_write_all(to, bytes, (size_t)n);
	}
	return err == 0 ? 0 : engine_fail(engine, "write", op->path, err);
}

int engine_make_file(struct engine *engine, const struct op *op)
{
	const char *name;
	FD_OWNED int dir = engine_parent(engine, op, &name);
	FD_OWNED int fd = -1;

	if (dir < 0)
		return dir;
	fd = sys_openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW,
			op->mode);
	if (fd < 0)
		return engine_fail(engine, "create", op->path, fd);
	return copy(engine, op->fd, fd, op);
}

/* The same link again is no fault. */
int engine_make_link(struct engine *engine, const struct op *op)
{
	const char *name;
	FD_OWNED int dir = engine_parent(engine, op, &name);
	char old[PATH_MAX];
	ssize_t length;

	if (dir < 0)
		return dir;
	if (symlinkat(op->source, dir, name) == 0)
		return 0;
	if (errno != EEXIST)
		return engine_fail(engine, "symlink", op->path, errno);
	length = readlinkat(dir, name, old, sizeof(old) - 1);
	if (length < 0)
		return engine_fail(engine, "no link", op->path, EEXIST);
	old[length] = '\0';
	if (strcmp(old, op->source) == 0)
		return 0;
	fault_copy(engine->fault->words, sizeof(engine->fault->words), old);
	return engine_fail(engine, "other link", op->path, EEXIST);
}

/* By a descriptor: the path is looked up once. What cannot be opened can only
 * be named (fchmodat2 came with 6.6). */
int engine_chmod(struct engine *engine, const struct op *op)
{
	const uint64_t inside = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
	char name[sizeof("/proc/self/fd/") + NUMBER_ROOM] = "/proc/self/fd/";
	FD_OWNED int fd = sys_openat2(engine->root, engine_below(op->path),
				      O_PATH, inside);

	if (fd < 0)
		return engine_fail(engine, "chmod", op->path, fd);
	(void)number_write(name + strlen(name), (uint64_t)fd, 10);
	if (chmod(name, op->mode) != 0)
		return engine_fail(engine, "chmod", op->path, errno);
	return 0;
}

/* A file of the store, bound; its name goes with the store's own mount. */
int engine_data(struct engine *engine, const struct op *op)
{
	uint64_t attrs = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
	char name[NUMBER_ROOM];
	FD_OWNED int fd = -1, tree = -1;
	int err;

	(void)number_write(name, engine->made++, 10);
	fd = sys_openat(engine->store, name, O_WRONLY | O_CREAT | O_EXCL,
			op->mode);
	if (fd < 0)
		return engine_fail(engine, "create", op->path, fd);
	err = copy(engine, op->fd, fd, op);
	if (err != 0)
		return err;
	tree = sys_open_tree(engine->store, name, OPEN_TREE_CLONE);
	if (tree < 0)
		return engine_fail(engine, "open_tree", op->path, tree);
	if (op->flags & BIND_READ)
		attrs |= MOUNT_ATTR_RDONLY;
	err = sys_mount_setattr(tree, 0, attrs, 0);
	if (err != 0)
		return engine_fail(engine, "mount_setattr", op->path, err);
	return engine_attach_placed(engine, tree, op);
}

int engine_mqueue(struct engine *engine, const struct op *op)
{
	FD_OWNED int fs = sys_fsopen("mqueue"), mount = -1;

	if (fs < 0)
		return engine_fail(engine, "fsopen", op->path, fs);
	mount = engine_new_mount(engine, fs, "mqueue",
				 MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV |
					 MOUNT_ATTR_NOEXEC);
	return mount < 0 ? mount : engine_attach_placed(engine, mount, op);
}
