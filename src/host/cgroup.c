/*
 * A delegated cgroup: some ancestor of ours on cgroup2 below which this user
 * may make a directory, move a process and use a controller. Only looked for
 * when a limit needs one.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/io.h"
#include "base/path.h"
#include "base/sys.h"
#include "host/collect.h"
#include "host/facts.h"

/* Our own group: the line "0::/path". */
static const char *own_group(struct arena *arena)
{
	char *table, *line;
	size_t length;

	if (io_read_file(arena, "/proc/self/cgroup", 65536, &table, &length))
		return NULL;
	line = strncmp(table, "0::", 3) == 0 ? table : strstr(table, "\n0::");
	if (line == NULL)
		return NULL;
	line += *line == '\n';
	line += 3;
	line[strcspn(line, "\n")] = '\0';
	return line;
}

/* Where cgroup2 is mounted: alone, or beside version 1 hierarchies. */
static const char *mount_point(void)
{
	static const char *const places[] = { "/sys/fs/cgroup",
					      "/sys/fs/cgroup/unified" };

	for (size_t i = 0; i < 2; i++) {
		struct statfs fs;

		if (statfs(places[i], &fs) == 0 &&
		    fs.f_type == CGROUP2_SUPER_MAGIC)
			return places[i];
	}
	return NULL;
}

static bool may_use(struct arena *arena, const char *group, char **controllers)
{
	const char *procs = path_join(arena, group, "cgroup.procs");
	size_t length;

	if (sys_faccessat(AT_FDCWD, group, W_OK, AT_EACCESS) != 0 ||
	    sys_faccessat(AT_FDCWD, procs, W_OK, AT_EACCESS) != 0)
		return false;
	if (io_read_file(arena,
			 path_join(arena, group, "cgroup.subtree_control"),
			 4096, controllers, &length) != 0)
		return false;
	(*controllers)[strcspn(*controllers, "\n")] = '\0';
	return **controllers != '\0';
}

void collect_cgroup(struct facts *facts, struct arena *arena)
{
	const char *mount = mount_point();
	const char *own = own_group(arena);
	const char *group;
	char *controllers;

	if (mount == NULL || own == NULL)
		return;
	group = path_join(arena, mount, own + 1);
	/* a move is only allowed below a group that the user may write too */
	while (path_is_under(group, mount)) {
		if (may_use(arena, group, &controllers)) {
			facts->cgroup = group;
			facts->cgroup_controllers = controllers;
			return;
		}
		group = path_parent(arena, group);
	}
}
