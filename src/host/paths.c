/*
 * Facts about paths. Each path is opened once, O_PATH, and everything is asked
 * of that descriptor; its canonical name is the kernel's own (the link in
 * /proc/self/fd). Links on the way are only walked when the names differ.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/io.h"
#include "base/path.h"
#include "base/sys.h"
#include "base/text.h"
#include "host/collect.h"
#include "host/facts.h"
#include "host/read.h"

enum { MAX_LINKS = 40 };

/* "/proc/self/fd/N" without printf: this runs for every path. */
static void fd_path(char room[32], int fd)
{
	char digits[12];
	size_t at = sizeof(digits), end = 14;

	memcpy(room, "/proc/self/fd/", 14);
	do {
		digits[--at] = (char)('0' + fd % 10);
		fd /= 10;
	} while (fd != 0);
	memcpy(room + end, digits + at, sizeof(digits) - at);
	room[end + sizeof(digits) - at] = '\0';
}

static const char *real_name(struct arena *arena, int fd)
{
	char link[32], name[PATH_MAX];
	ssize_t length;

	fd_path(link, fd);
	length = readlink(link, name, sizeof(name));
	if (length <= 0 || length == sizeof(name) || name[0] != '/')
		return NULL;
	return arena_strndup(arena, name, (size_t)length);
}

static void add_link(struct path_fact *fact, struct arena *arena,
		     const char *path, const char *target)
{
	struct link_fact *links = arena_grow(
		arena, (void *)(uintptr_t)fact->links, fact->link_count,
		sizeof(*links));

	links[fact->link_count++] = (struct link_fact){ path, target };
	fact->links = links;
}

/* The text of a link, or NULL when the path is none. */
static char *link_text(struct arena *arena, const char *path)
{
	char target[PATH_MAX];
	ssize_t length = readlink(path, target, sizeof(target));

	if (length <= 0 || length == sizeof(target))
		return NULL;
	return arena_strndup(arena, target, (size_t)length);
}

/*
 * Walks the path by name and notes each link. What it finds is only used to
 * make the same links inside; which object a rule means was settled by the
 * descriptor, so a race here can at worst give a link that leads nowhere.
 */
static const char *walk_links(struct path_fact *fact, struct arena *arena,
			      const char *path)
{
	const char *done = "/", *rest = path + 1;

	/* once the rest is the canonical name itself, no link is left in it */
	while (*rest != '\0' && fact->link_count < MAX_LINKS &&
	       (fact->real == NULL || strcmp(rest - 1, fact->real) != 0)) {
		size_t length = strcspn(rest, "/");
		const char *name = arena_strndup(arena, rest, length);
		const char *next, *target;

		rest += length;
		rest += strspn(rest, "/");
		if (strcmp(name, "..") == 0) {
			done = path_parent(arena, done);
			continue;
		}
		next = path_join(arena, done, name);
		target = link_text(arena, next);
		if (target == NULL) {
			done = next;
			continue;
		}
		add_link(fact, arena, next, target);
		rest = path_join(arena,
				 path_absolute(arena, done, target), rest);
		done = "/";
		rest++;
	}
	return done;
}

static void fill_stat(struct path_fact *fact, int fd)
{
	struct sys_stat st;
	int err = sys_stat(fd, "", AT_EMPTY_PATH, &st);

	if (err != 0) {
		fact->error = -err;
		return;
	}
	fact->dev = st.dev;
	fact->ino = st.ino;
	fact->mode = st.mode;
	fact->nlink = st.nlink;
	fact->uid = st.uid;
	fact->gid = st.gid;
	fact->rdev_major = st.rdev_major;
	fact->rdev_minor = st.rdev_minor;
}

static int open_asked(const char *asked)
{
	const char *split = strstr(asked, "//");
	char root[PATH_MAX];
	FD_OWNED int dir = -1;

	if (split == NULL)
		return sys_openat(AT_FDCWD, asked, O_PATH, 0);
	if ((size_t)(split - asked) >= sizeof(root))
		return -ENAMETOOLONG;
	memcpy(root, asked, (size_t)(split - asked));
	root[split - asked] = '\0';
	dir = sys_openat(AT_FDCWD, root, O_PATH | O_DIRECTORY, 0);
	return dir < 0 ? dir : sys_openat2(dir, split + 2, O_PATH, RESOLVE_IN_ROOT);
}

/* A name resolved inside another root is told without that root. */
static void strip_root(struct path_fact *fact)
{
	const char *split = strstr(fact->asked, "//");
	size_t length = (size_t)(split - fact->asked);

	if (strncmp(fact->real, fact->asked, length) == 0 &&
	    fact->real[length] == '/')
		fact->real += length;
	else if (strlen(fact->real) == length)
		fact->real = "/";
}

/* Where the name would come into being. */
static void fill_missing(struct path_fact *fact, struct arena *arena)
{
	struct path_fact probe = { 0 };

	fact->real = walk_links(&probe, arena, fact->asked);
	fact->links = probe.links;
	fact->link_count = probe.link_count;
}

static int look(struct path_fact *fact, struct arena *arena)
{
	int fd = open_asked(fact->asked);

	if (fd < 0) {
		fact->error = -fd;
		return -1;
	}
	fill_stat(fact, fd);
	fact->real = real_name(arena, fd);
	if (fact->real == NULL) {
		fact->error = ENOENT;
		return fd;
	}
	if (strstr(fact->asked, "//") != NULL)
		strip_root(fact);
	else if (strcmp(fact->real, fact->asked) != 0)
		(void)walk_links(fact, arena, fact->asked);
	return fd;
}

static void answer_contents(struct path_fact *fact, struct arena *arena,
			    int fd, unsigned flags)
{
	if (flags & WANT_WRITABLE)
		fact->read_only_mount =
			sys_faccessat(fd, "", W_OK, AT_EMPTY_PATH) == -EROFS;
	if ((flags & WANT_HEAD) && S_ISREG(fact->mode)) {
		fact->executable = sys_faccessat(fd, "", X_OK,
						 AT_EMPTY_PATH) == 0;
		read_head(fact, arena, fd);
	}
	if ((flags & WANT_TEXT) && S_ISREG(fact->mode))
		read_text(fact, arena, fd);
	if ((flags & WANT_TEXTS) && S_ISDIR(fact->mode))
		read_texts(fact, arena, fd);
	if ((flags & WANT_SUBMOUNTS) && S_ISDIR(fact->mode))
		fact->submounts = read_submounts(arena, fact->real);
	if ((flags & WANT_NAMES) && S_ISDIR(fact->mode))
		read_names(fact, arena, fd);
	if ((flags & WANT_PRIVATE) && S_ISDIR(fact->mode))
		fact->private = collect_private(arena, fact->real);
}

static void answer(struct facts *facts, struct arena *arena,
		   const struct want *want)
{
	struct path_fact *fact = map_get(&facts->paths, want->path);
	FD_OWNED int fd = -1;

	if (fact == NULL) {
		fact = arena_alloc(arena, sizeof(*fact));
		fact->asked = arena_strdup(arena, want->path);
		fact->fd = -1;
		map_put(&facts->paths, fact->asked, fact);
		fd = look(fact, arena);
	} else if ((fact->known & want->flags) != want->flags &&
		   fact->error == 0) {
		fd = open_asked(fact->asked);
	}
	if (fact->error != 0 && fact->real == NULL &&
	    (want->flags & WANT_MISSING))
		fill_missing(fact, arena);
	if (fact->error == 0 && fd >= 0)
		answer_contents(fact, arena, fd, want->flags & ~fact->known);
	if ((want->flags & WANT_FD) && fact->fd < 0 && fact->error == 0)
		fact->fd = fd_take(&fd);
	fact->known |= want->flags;
}

static bool is_program(const struct facts *facts, const char *path)
{
	const struct path_fact *fact = map_get(&facts->paths, path);

	return fact->error == 0 && fact->executable;
}

/* The directories of PATH are asked for together; what comes behind the first
 * hit is left alone, and stays unknown to the plan. */
void collect_paths(struct facts *facts, struct arena *arena,
		   const struct wants *wants)
{
	bool found = false;

	for (size_t i = 0; i < wants->count; i++) {
		const struct want *want = &wants->items[i];

		if (found && (want->flags & WANT_SEARCH))
			continue;
		answer(facts, arena, want);
		if (want->flags & WANT_SEARCH)
			found = is_program(facts, want->path);
	}
}
