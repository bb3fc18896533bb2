/*
 * Facts about paths. Each path is opened once, O_PATH, and everything is asked
 * of that descriptor. It is opened without following links: when that works,
 * the name is canonical as it stands. Else the links are expanded one by one,
 * noted, and the name they lead to is opened in the same way.
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
#include "base/number.h"
#include "base/path.h"
#include "base/resolve.h"
#include "base/sys.h"
#include "host/collect.h"
#include "host/facts.h"
#include "host/read.h"

enum { MAX_LINKS = 40 }; /* the kernel's own */

static void add_link(struct path_fact *fact, struct arena *arena,
		     const char *path, const char *target)
{
	struct link_fact *links = arena_grow(arena,
					     (void *)(uintptr_t)fact->links,
					     fact->link_count, sizeof(*links));

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

struct walk {
	struct path_fact *fact;
	struct arena *arena;
	const char *done; /* canonical so far */
	const char *rest; /* what is left of the name */
};

/* Walks to the next link and expands it; false when there is none left. */
static bool expand_link(struct walk *walk)
{
	while (*walk->rest != '\0') {
		size_t length = strcspn(walk->rest, "/");
		const char *name = arena_strndup(walk->arena, walk->rest,
						 length);
		const char *next, *target;

		walk->rest += length;
		walk->rest += strspn(walk->rest, "/");
		if (strcmp(name, "..") == 0) {
			walk->done = path_parent(walk->arena, walk->done);
			continue;
		}
		next = path_join(walk->arena, walk->done, name);
		target = link_text(walk->arena, next);
		if (target == NULL) {
			walk->done = next;
			continue;
		}
		add_link(walk->fact, walk->arena, next, target);
		walk->rest = path_join(
			walk->arena,
			path_absolute(walk->arena, walk->done, target) + 1,
			walk->rest);
		walk->done = "/";
		return true;
	}
	return false;
}

/* Expands until the name opens without a link. A link that changes meanwhile
 * gives another name, whose object is then what the rule means. */
static int open_by_links(struct path_fact *fact, struct arena *arena)
{
	struct walk walk = { fact, arena, "/", fact->asked + 1 };
	int fd = -ELOOP;

	while (fd == -ELOOP && fact->link_count < MAX_LINKS) {
		bool more = expand_link(&walk);

		if (!path_has_dotdot(walk.rest)) {
			fact->real = path_join(arena, walk.done, walk.rest);
			fd = resolve_open(AT_FDCWD, fact->real);
		}
		if (!more)
			break;
	}
	return fd;
}

static int open_absolute(struct path_fact *fact, struct arena *arena)
{
	int fd = -ELOOP;

	/* a ".." behind a link is not what it looks like */
	if (!path_has_dotdot(fact->asked)) {
		fact->real = fact->asked;
		fd = resolve_open(AT_FDCWD, fact->asked);
	}
	return fd == -ELOOP ? open_by_links(fact, arena) : fd;
}

static void fill_stat(struct path_fact *fact, const struct sys_stat *st)
{
	fact->dev = st->dev;
	fact->ino = st->ino;
	fact->mode = st->mode;
	fact->nlink = st->nlink;
	fact->uid = st->uid;
	fact->gid = st->gid;
	fact->rdev_major = st->rdev_major;
	fact->rdev_minor = st->rdev_minor;
}

static void ask_stat(struct path_fact *fact, int fd)
{
	struct sys_stat st;
	int err = sys_stat(fd, "", AT_EMPTY_PATH, &st);

	if (err != 0)
		fact->error = -err;
	else
		fill_stat(fact, &st);
}

/* The directory of the path before. */
struct beside {
	const char *path; /* of something in it */
	size_t length;	  /* of its own name in there */
	int fd;		  /* -1: not opened */
};

static bool is_beside(struct beside *beside, const char *path)
{
	size_t length = (size_t)(strrchr(path, '/') - path);
	bool same = beside->path != NULL && length == beside->length &&
		    memcmp(path, beside->path, length) == 0;

	if (same)
		return true;
	fd_close(&beside->fd);
	beside->path = path;
	beside->length = length;
	return false;
}

/* Thousands of masks lie side by side: one call each, from the second on in a
 * directory, where nothing but the identity is asked for. False where that does
 * not tell: a link, or a directory whose name is not canonical. */
static bool look_beside(struct beside *beside, struct arena *arena,
			struct path_fact *fact)
{
	struct sys_stat st;
	int err;

	if (strstr(fact->asked, "//") != NULL || path_has_dotdot(fact->asked) ||
	    !is_beside(beside, fact->asked))
		return false;
	if (beside->fd < 0)
		beside->fd = resolve_open(AT_FDCWD,
					  path_parent(arena, fact->asked));
	if (beside->fd < 0)
		return false;
	err = sys_stat(beside->fd, fact->asked + beside->length + 1,
		       AT_SYMLINK_NOFOLLOW, &st);
	if (err != 0 || S_ISLNK(st.mode))
		return false;
	fact->real = fact->asked;
	fill_stat(fact, &st);
	return true;
}

static const char *kernel_name(struct arena *arena, int fd)
{
	char link[14 + NUMBER_ROOM] = "/proc/self/fd/", name[PATH_MAX];
	ssize_t length;

	(void)number_write(link + 14, (uint64_t)fd, 10);
	length = readlink(link, name, sizeof(name));
	if (length <= 0 || length == sizeof(name) || name[0] != '/')
		return NULL;
	return arena_strndup(arena, name, (size_t)length);
}

/* ROOT//PATH: what PATH is for somebody whose root directory is ROOT, told
 * without that root. */
static int open_in_root(struct path_fact *fact, struct arena *arena,
			const char *split)
{
	size_t length = (size_t)(split - fact->asked);
	const char *root = arena_strndup(arena, fact->asked, length);
	FD_OWNED int dir = sys_openat(AT_FDCWD, root, O_PATH | O_DIRECTORY, 0);
	int fd;

	if (dir < 0)
		return dir;
	fd = sys_openat2(dir, split + 2, O_PATH, RESOLVE_IN_ROOT);
	if (fd < 0)
		return fd;
	fact->real = kernel_name(arena, fd);
	if (fact->real == NULL || !path_is_under(fact->real, root)) {
		fd_close(&fd);
		return -ENOENT;
	}
	fact->real = path_join(arena, "/", path_below(fact->real, root));
	return fd;
}

static int look(struct path_fact *fact, struct arena *arena)
{
	const char *split = strstr(fact->asked, "//");
	int fd = split != NULL ? open_in_root(fact, arena, split)
			       : open_absolute(fact, arena);

	if (fd < 0)
		fact->error = -fd;
	else
		ask_stat(fact, fd);
	return fd;
}

/* Where the name would come into being: all of its links expanded. */
static void fill_missing(struct path_fact *fact, struct arena *arena)
{
	struct path_fact probe = { 0 };
	struct walk walk = { &probe, arena, "/", fact->asked + 1 };

	while (probe.link_count < MAX_LINKS && expand_link(&walk))
		;
	fact->real = walk.done;
	fact->links = probe.links;
	fact->link_count = probe.link_count;
}

static bool in_group(uint32_t gid)
{
	gid_t groups[NGROUPS_MAX];
	int count = getgroups(NGROUPS_MAX, groups);

	for (int i = 0; i < count; i++) {
		if (groups[i] == gid)
			return true;
	}
	return gid == getegid();
}

/* The command has no capabilities: to a root, too, the bits apply. */
static unsigned access_by_bits(const struct path_fact *fact)
{
	if (fact->uid == geteuid())
		return fact->mode >> 6 & 7;
	return (in_group(fact->gid) ? fact->mode >> 3 : fact->mode) & 7;
}

static unsigned look_access(const struct path_fact *fact, int fd)
{
	static const int modes[] = { R_OK, W_OK, X_OK };
	unsigned access = 0;

	if (geteuid() == 0)
		return access_by_bits(fact);
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		int err = sys_faccessat(fd, "", modes[i], AT_EMPTY_PATH);

		if (err == 0 || err == -EROFS)
			access |= (unsigned)modes[i];
	}
	return access;
}

static void answer_contents(struct path_fact *fact, struct arena *arena, int fd,
			    unsigned flags)
{
	if (flags & WANT_WRITABLE)
		fact->read_only_mount = sys_faccessat(fd, "", W_OK,
						      AT_EMPTY_PATH) == -EROFS;
	if (flags & WANT_ACCESS)
		fact->access = look_access(fact, fd);
	if ((flags & WANT_HEAD) && S_ISREG(fact->mode)) {
		fact->executable = sys_faccessat(fd, "", X_OK, AT_EMPTY_PATH) ==
				   0;
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

/* More is asked of a path that was looked at before. */
static int look_again(const struct path_fact *fact)
{
	const char *split = strstr(fact->asked, "//");
	const char *path = fact->real;

	if (fact->fd >= 0)
		return fcntl(fact->fd, F_DUPFD_CLOEXEC, 3);
	if (split != NULL)
		return -ENOENT; /* everything is asked at once there */
	return resolve_open(AT_FDCWD, path);
}

/* Known from now on, with nothing answered yet. */
static struct path_fact *new_fact(struct facts *facts, struct arena *arena,
				  const char *path)
{
	struct path_fact *fact = arena_alloc(arena, sizeof(*fact));

	fact->asked = arena_strdup(arena, path);
	fact->fd = -1;
	map_put(&facts->paths, fact->asked, fact);
	return fact;
}

static void answer(struct facts *facts, struct arena *arena,
		   struct beside *beside, const struct want *want)
{
	struct path_fact *fact = map_get(&facts->paths, want->path);
	FD_OWNED int fd = -1;

	if (fact == NULL) {
		fact = new_fact(facts, arena, want->path);
		if ((want->flags & ~(unsigned)WANT_MISSING) != 0 ||
		    !look_beside(beside, arena, fact))
			fd = look(fact, arena);
	} else if ((fact->known & want->flags) != want->flags &&
		   fact->error == 0) {
		fd = look_again(fact);
	}
	if (fact->error != 0 && (want->flags & WANT_MISSING) &&
	    strstr(fact->asked, "//") == NULL)
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
	struct beside beside = { .fd = -1 };
	bool found = false;

	for (size_t i = 0; i < wants->count; i++) {
		const struct want *want = &wants->items[i];

		if (found && (want->flags & WANT_SEARCH))
			continue;
		answer(facts, arena, &beside, want);
		if (want->flags & WANT_SEARCH)
			found = is_program(facts, want->path);
	}
	fd_close(&beside.fd);
}
