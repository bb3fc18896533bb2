/*
 * What a root caller must not show: with one id mapped, the command is still
 * the owner of root's files, so /etc/shadow would open for it. Everything below
 * the directory that "other" may not read is found here and masked.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/entries.h"
#include "base/io.h"
#include "base/path.h"
#include "base/sys.h"
#include "host/collect.h"

enum { MAX_DEPTH = 16, MAX_FOUND = 20000 };

struct walk {
	bool failed; /* something could not be looked at */
	struct arena *arena;
	const char **found;
	size_t count;
};

static void add_found(struct walk *walk, const char *path)
{
	walk->found = arena_grow(walk->arena, walk->found, walk->count,
				 sizeof(*walk->found));
	walk->found[walk->count++] = path;
}

static void walk_dir(struct walk *walk, int dir, const char *path);

static void walk_entry(struct walk *walk, int dir, const char *path,
		       const char *name)
{
	const char *full = path_join(walk->arena, path, name);
	const uint32_t need = S_IROTH | S_IXOTH;
	struct sys_stat st;

	if (sys_stat(dir, name, AT_SYMLINK_NOFOLLOW, &st) != 0) {
		walk->failed = true;
		return;
	}
	if (S_ISDIR(st.mode)) {
		FD_OWNED int below = -1;

		if ((st.mode & need) != need) {
			add_found(walk, full);
			return;
		}
		below = sys_openat(dir, name,
				   O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
		if (below < 0)
			walk->failed = true;
		else
			walk_dir(walk, below, full);
	} else if (S_ISREG(st.mode) && !(st.mode & S_IROTH)) {
		add_found(walk, full);
	}
}

static unsigned depth_of(const char *path)
{
	unsigned depth = 0;

	for (; *path != '\0'; path++)
		depth += *path == '/';
	return depth;
}

static void walk_dir(struct walk *walk, int dir, const char *path)
{
	struct entries entries;
	const char *name;

	if (depth_of(path) > MAX_DEPTH) {
		walk->failed = true;
		return;
	}
	entries_init(&entries, dir);
	while ((name = entries_next(&entries)) != NULL &&
	       walk->count < MAX_FOUND) {
		/* half of /etc is links, and a link has no secrets */
		if (entries.type != DT_LNK)
			walk_entry(walk, dir, path, name);
	}
	if (entries.failed || walk->count >= MAX_FOUND)
		walk->failed = true;
}

const char *const *collect_private(struct arena *arena, const char *path)
{
	FD_OWNED int dir = sys_openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY,
				      0);
	struct walk walk = { .arena = arena };

	if (dir >= 0)
		walk_dir(&walk, dir, path);
	add_found(&walk, NULL);
	return dir < 0 || walk.failed ? NULL : walk.found;
}
