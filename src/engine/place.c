/*
 * Places as bubblewrap knows them: below the new root, made where they are
 * missing, with links followed that stay inside. Nothing is found by a path of
 * the old tree (CVE-2026-87766), and a directory on the way need not be readable
 * (its 0.12.0 wants that).
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/path.h"
#include "base/sys.h"
#include "engine/inside.h"

enum { INSIDE = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };

static int open_inside(const struct engine *engine, const char *path)
{
	return sys_openat2(engine->root, path, O_PATH | O_DIRECTORY, INSIDE);
}

/* Makes what is missing of `path`, which is cut at each of its slashes. */
static int make_above(struct engine *engine, char *path, uint32_t mode)
{
	int dir = open_inside(engine, ".");

	for (char *at = path; dir >= 0 && *at != '\0';) {
		char *end = at + strcspn(at, "/"), cut = *end;
		int next;

		*end = '\0';
		next = open_inside(engine, path);
		if (next == -ENOENT && mkdirat(dir, at, mode) != 0)
			next = -errno;
		else if (next == -ENOENT)
			next = open_inside(engine, path);
		*end = cut;
		fd_close(&dir);
		dir = next;
		at = end + (cut == '/');
	}
	return dir;
}

int engine_parent(struct engine *engine, const struct op *op, const char **name)
{
	const char *last = path_name(op->path);
	size_t length = (size_t)(last - op->path);
	char path[PATH_MAX];
	int dir;

	*name = *last == '\0' ? "." : last;
	if (length >= sizeof(path))
		return engine_fail(engine, "parents", op->path, ENAMETOOLONG);
	memcpy(path, op->path, length);
	path[length] = '\0';
	/* its slashes at both ends are no part of it */
	if (length > 1)
		path[length - 1] = '\0';
	dir = open_inside(engine, length > 1 ? path + 1 : ".");
	if (dir == -ENOENT)
		dir = make_above(engine, path + 1, (uint32_t)op->a);
	return dir >= 0 ? dir : engine_fail(engine, "parents", op->path, dir);
}

/* What is at the name, of any type; a link itself. `..` may lead anywhere, but
 * not out. */
static int open_name(const struct engine *engine, int dir, const char *name,
		     const struct op *op)
{
	if (strcmp(name, "..") == 0)
		return sys_openat2(engine->root, engine_below(op->path), O_PATH,
				   INSIDE);
	return sys_openat2(dir, name, O_PATH | O_NOFOLLOW,
			   RESOLVE_NO_MAGICLINKS);
}

static int make_name(struct engine *engine, int dir, const char *name,
		     const struct op *op)
{
	int err = S_ISDIR(op->mode)
			  ? mkdirat(dir, name, op->mode & 07777)
			  : mknodat(dir, name, S_IFREG | (op->mode & 07777), 0);

	if (err == 0)
		return open_name(engine, dir, name, op);
	return engine_fail(engine, S_ISDIR(op->mode) ? "mkdir" : "create",
			   op->path, errno);
}

static int check_type(struct engine *engine, const struct op *op, int fd)
{
	struct sys_stat st;
	int err = sys_stat(fd, "", AT_EMPTY_PATH, &st);

	if (err != 0)
		return engine_fail(engine, "statx", op->path, err);
	if (S_ISLNK(st.mode))
		return engine_fail(engine, "link", op->path, ELOOP);
	if (S_ISDIR(op->mode) && !S_ISDIR(st.mode))
		return engine_fail(engine, "no directory", op->path, ENOTDIR);
	if (S_ISREG(op->mode) && S_ISDIR(st.mode))
		return engine_fail(engine, "no file", op->path, EISDIR);
	return 0;
}

/* By any spelling: /a/.. is the root too. */
static bool is_root(const struct engine *engine)
{
	struct sys_stat place, root;

	return sys_stat(engine->place, "", AT_EMPTY_PATH, &place) == 0 &&
	       sys_stat(engine->root, "", AT_EMPTY_PATH, &root) == 0 &&
	       place.mount_id == root.mount_id && place.ino == root.ino;
}

int engine_place(struct engine *engine, const struct op *op)
{
	const char *name;
	FD_OWNED int dir = engine_parent(engine, op, &name);
	int err;

	if (dir < 0)
		return dir;
	fd_close(&engine->place);
	engine->place = open_name(engine, dir, name, op);
	if (engine->place == -ENOENT && op->mode != 0)
		engine->place = make_name(engine, dir, name, op);
	if (engine->place < 0) {
		err = engine->place;
		engine->place = -1;
		return engine->fault->error != 0
			       ? err
			       : engine_fail(engine, "openat2", op->path, err);
	}
	engine->is_place_root = *name == '.' && is_root(engine);
	return check_type(engine, op, engine->place);
}

/* Nothing is stacked on the root: the pivot would detach what is between, and
 * leave the host where it was. So the old one goes first, with all that was
 * made in it and would be out of reach. */
static int replace_root(struct engine *engine, int mount, const struct op *op)
{
	int err;

	if (fchdir(engine->root) != 0)
		return engine_fail(engine, "fchdir", op->path, errno);
	if (umount2(".", MNT_DETACH) != 0)
		return engine_fail(engine, "umount2", op->path, errno);
	err = sys_move_mount(mount, AT_FDCWD, "/", 0);
	if (err != 0)
		return engine_fail(engine, "move_mount", op->path, err);
	fd_close(&engine->root);
	engine->root = fcntl(mount, F_DUPFD_CLOEXEC, 0);
	return engine->root >= 0 ? 0 : engine_fail(engine, "fcntl", "/", errno);
}

int engine_attach_placed(struct engine *engine, int mount, const struct op *op)
{
	int err;

	if (engine->is_place_root)
		return replace_root(engine, mount, op);
	err = sys_move_mount(mount, engine->place, "", MOVE_MOUNT_T_EMPTY_PATH);
	return err == 0 ? 0 : engine_fail(engine, "move_mount", op->path, err);
}

int engine_remount(struct engine *engine, const struct op *op)
{
	int err = sys_mount_setattr(engine->place, 0, MOUNT_ATTR_RDONLY, 0);

	return err == 0 ? 0
			: engine_fail(engine, "mount_setattr", op->path, err);
}
