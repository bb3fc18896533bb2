/*
 * Overlays: a directory of the host below, a directory of the store above. Both
 * lie on attached mounts, which the driver asks for before 6.15.
 */
#include <errno.h>
#include <linux/mount.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/io.h"
#include "base/sys.h"
#include "engine/inside.h"

enum { LAYER_ROOM = 64 };

/* "/proc/self/fd/N/DIR/NAME": the driver takes its layers by path only, and
 * this one cannot be swapped. dir may be empty. */
static void layer_path(char path[LAYER_ROOM], int fd, const char *dir,
		       const char *name)
{
	(void)snprintf(path, LAYER_ROOM, "/proc/self/fd/%d%s%s%s", fd,
		       *dir == '\0' ? "" : "/", dir, name);
}

static int make_layers(struct engine *engine, char dir[NUMBER_ROOM])
{
	char path[LAYER_ROOM];
	int err = engine_store_dir(engine, dir, 0700);

	if (err != 0)
		return err;
	(void)snprintf(path, sizeof(path), "%s/upper", dir);
	if (mkdirat(engine->store, path, 0755) != 0)
		return engine_fail(engine, "mkdirat", "upper", errno);
	(void)snprintf(path, sizeof(path), "%s/work", dir);
	if (mkdirat(engine->store, path, 0755) != 0)
		return engine_fail(engine, "mkdirat", "work", errno);
	return 0;
}

static int configure(struct engine *engine, int fs, int lower, const char *dir)
{
	char path[LAYER_ROOM];
	int err;

	layer_path(path, lower, "", "");
	err = engine_set_option(engine, fs, "lowerdir", path);
	layer_path(path, engine->store, dir, "/upper");
	if (err == 0)
		err = engine_set_option(engine, fs, "upperdir", path);
	layer_path(path, engine->store, dir, "/work");
	if (err == 0)
		err = engine_set_option(engine, fs, "workdir", path);
	if (err != 0)
		return err;
	/* xattrs of the trusted class need a capability outside */
	err = sys_fsconfig_flag(fs, "userxattr");
	return err == 0 ? 0 : engine_fail(engine, "fsconfig", "userxattr", err);
}

int engine_overlay(struct engine *engine, const struct op *op)
{
	FD_OWNED int fs = sys_fsopen("overlay");
	char dir[NUMBER_ROOM];
	int err, mount;

	if (fs < 0)
		return engine_fail(engine, "fsopen", "overlay", fs);
	err = make_layers(engine, dir);
	if (err == 0)
		err = configure(engine, fs, engine->memos[op->slot].place, dir);
	if (err != 0)
		return err;
	mount = engine_new_mount(engine, fs, "overlay",
				 MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	return mount < 0 ? mount : engine_attach(engine, mount, op);
}
