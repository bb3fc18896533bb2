/*
 * Overlays: any number of layers, written to a directory of the host's, to the
 * store, or not at all. The driver takes its layers by path only; these lead by
 * descriptor, so that none can be swapped and none can hold what it takes for its
 * own commas and colons. All lie on attached mounts, which it asks for before
 * 6.15.
 */
#include <errno.h>
#include <linux/mount.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io.h"
#include "base/sys.h"
#include "engine/inside.h"

/* A value of fsconfig's is shorter than 256. */
enum { LAYER_ROOM = 64, VALUE_ROOM = 256 };

static void name_layer(char path[LAYER_ROOM], int fd, const char *below)
{
	(void)snprintf(path, LAYER_ROOM, "/proc/self/fd/%d%s", fd, below);
}

static int layer_fd(const struct engine *engine, uint64_t slot)
{
	return engine->memos[slot].place;
}

/* The layers of an operation stand before its place. */
static const struct op *first_layer(const struct op *op)
{
	op -= 2;
	while (op->kind == OP_LAYER)
		op--;
	return op + 1;
}

/* Topmost first in one word; where that is too long one by one (Linux 6.5). */
static int add_lower(struct engine *engine, int fs, const struct op *op)
{
	const struct op *first = first_layer(op), *at = op - 2;
	char path[LAYER_ROOM], value[VALUE_ROOM] = "";
	size_t length = 0;
	int err = 0;

	for (; at >= first && length < sizeof(value); at--) {
		name_layer(path, layer_fd(engine, (uint64_t)at->slot), "");
		length += (size_t)snprintf(value + length,
					   sizeof(value) - length, "%s%s",
					   length == 0 ? "" : ":", path);
	}
	if (length < sizeof(value))
		return engine_set_option(engine, fs, "lowerdir", value);
	for (at = op - 2; at >= first && err == 0; at--) {
		name_layer(path, layer_fd(engine, (uint64_t)at->slot), "");
		err = engine_set_option(engine, fs, "lowerdir+", path);
	}
	return err;
}

static int add_upper(struct engine *engine, int fs, int upper, int work,
		     const char *const below[2])
{
	char path[LAYER_ROOM];
	int err;

	name_layer(path, upper, below[0]);
	err = engine_set_option(engine, fs, "upperdir", path);
	name_layer(path, work, below[1]);
	return err == 0 ? engine_set_option(engine, fs, "workdir", path) : err;
}

static int add_store(struct engine *engine, int fs)
{
	char dir[NUMBER_ROOM], names[2][LAYER_ROOM];
	const char *const below[] = { names[0], names[1] };
	int err = engine_store_dir(engine, dir, 0700);

	if (err != 0)
		return err;
	for (int i = 0; i < 2; i++) {
		(void)snprintf(names[i], LAYER_ROOM, "/%s/%d", dir, i);
		if (mkdirat(engine->store, names[i] + 1, 0755) != 0)
			return engine_fail(engine, "mkdirat", dir, errno);
	}
	return add_upper(engine, fs, engine->store, engine->store, below);
}

static int mount_layers(struct engine *engine, int fs, const struct op *op)
{
	FD_OWNED int mount = -1;
	int err = sys_fsconfig_flag(fs, "userxattr");

	/* xattrs of the trusted class need a capability outside */
	if (err != 0)
		return engine_fail(engine, "fsconfig", "userxattr", err);
	mount = engine_new_mount(engine, fs, "overlay",
				 MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	return mount < 0 ? mount : engine_attach_borrowed(engine, mount, op);
}

/* One layer, and the store. */
int engine_overlay(struct engine *engine, const struct op *op)
{
	FD_OWNED int fs = sys_fsopen("overlay");
	char path[LAYER_ROOM];
	int err;

	if (fs < 0)
		return engine_fail(engine, "fsopen", "overlay", fs);
	name_layer(path, layer_fd(engine, (uint64_t)op->slot), "");
	err = engine_set_option(engine, fs, "lowerdir", path);
	if (err == 0)
		err = add_store(engine, fs);
	return err == 0 ? mount_layers(engine, fs, op) : err;
}

int engine_layered(struct engine *engine, const struct op *op)
{
	static const char *const itself[] = { "", "" };
	FD_OWNED int fs = sys_fsopen("overlay");
	int err;

	if (fs < 0)
		return engine_fail(engine, "fsopen", op->path, fs);
	err = add_lower(engine, fs, op);
	if (err == 0 && op->flags & LAYERED_WRITE)
		err = add_upper(engine, fs, layer_fd(engine, op->a),
				layer_fd(engine, op->b), itself);
	if (err == 0 && op->flags & LAYERED_STORE)
		err = add_store(engine, fs);
	return err == 0 ? mount_layers(engine, fs, op) : err;
}
