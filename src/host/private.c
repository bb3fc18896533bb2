/*
 * What a root caller must not show: with one id mapped, the command is still
 * the owner of root's files, so /etc/shadow would open for it. Everything below
 * the directory that "other" may not read is found here and masked.
 */
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/io.h"
#include "base/path.h"
#include "base/sys.h"
#include "host/collect.h"

enum { MAX_DEPTH = 16, MAX_FOUND = 20000 };

struct walk {
	struct arena *arena;
	const char **found;
	size_t count;
};

struct dirent_head {
	uint64_t ino;
	int64_t offset;
	uint16_t length;
	uint8_t type;
	char name[];
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

	if (sys_stat(dir, name, AT_SYMLINK_NOFOLLOW, &st) != 0)
		return;
	if (S_ISDIR(st.mode)) {
		FD_OWNED int below = -1;

		if ((st.mode & need) != need) {
			add_found(walk, full);
			return;
		}
		below = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
						  O_CLOEXEC);
		if (below >= 0)
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
	_Alignas(8) char buffer[8192];
	ssize_t n;

	if (depth_of(path) > MAX_DEPTH)
		return;
	while ((n = sys_getdents(dir, buffer, sizeof(buffer))) > 0) {
		for (ssize_t at = 0; at < n && walk->count < MAX_FOUND;) {
			struct dirent_head *entry =
				(struct dirent_head *)(void *)(buffer + at);

			if (strcmp(entry->name, ".") != 0 &&
			    strcmp(entry->name, "..") != 0)
				walk_entry(walk, dir, path, entry->name);
			at += entry->length;
		}
	}
}

const char *const *collect_private(struct arena *arena, const char *path)
{
	FD_OWNED int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct walk walk = { .arena = arena };

	if (dir >= 0)
		walk_dir(&walk, dir, path);
	add_found(&walk, NULL);
	return walk.found;
}
