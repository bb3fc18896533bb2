/*
 * What a path of the described machine leads to, as a kernel would answer.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/path.h"
#include "tests/golden/canned.h"

enum { MAX_LINKS = 40 };

struct walk {
	const struct canned *canned;
	struct arena *arena;
	struct path_fact *fact; /* links are noted here */
	const char *root;	/* "" or the path of another root */
	uint32_t uid, gid;
	bool missing; /* go on where nothing is */
	unsigned links;
};

static bool may(const struct walk *walk, const struct canned_node *node,
		uint32_t bit)
{
	if (walk->uid == 0)
		return bit != S_IXOTH || S_ISDIR(node->mode) ||
		       (node->mode & 0111) != 0;
	if (node->uid == walk->uid)
		return node->mode >> 6 & bit;
	if (node->gid == walk->gid)
		return node->mode >> 3 & bit;
	return node->mode & bit;
}

static const struct canned_node *node_at(const struct walk *walk,
					 const char *path)
{
	const char *full = path;

	if (*walk->root != '\0')
		full = path_join(walk->arena, walk->root, path + 1);
	return map_get(&walk->canned->nodes, full);
}

static void note_link(struct walk *walk, const char *path, const char *target)
{
	struct path_fact *fact = walk->fact;
	struct link_fact *links = arena_grow(walk->arena,
					     (void *)(uintptr_t)fact->links,
					     fact->link_count, sizeof(*links));

	links[fact->link_count++] = (struct link_fact){ path, target };
	fact->links = links;
}

/* One step from a directory; 0 or -errno. *rest changes at a link. */
static int step(struct walk *walk, const char **done, const char *name,
		const char **rest)
{
	const struct canned_node *dir = node_at(walk, *done), *node;
	const char *next;

	if (dir == NULL && !walk->missing)
		return -ENOENT;
	if (dir != NULL && !S_ISDIR(dir->mode) && !walk->missing)
		return -ENOTDIR;
	if (dir != NULL && !may(walk, dir, S_IXOTH) && !walk->missing)
		return -EACCES;
	if (strcmp(name, "..") == 0) {
		*done = path_parent(walk->arena, *done);
		return 0;
	}
	next = path_join(walk->arena, *done, name);
	node = node_at(walk, next);
	if (node == NULL && !walk->missing)
		return -ENOENT;
	if (node == NULL || !S_ISLNK(node->mode)) {
		*done = next;
		return 0;
	}
	if (++walk->links > MAX_LINKS)
		return -ELOOP;
	note_link(walk, next, node->target);
	*rest = arena_join(walk->arena, node->target, "/", *rest, NULL);
	if (*node->target == '/')
		*done = "/";
	return 0;
}

static int resolve(struct walk *walk, const char *path, const char **real)
{
	const char *done = "/";

	for (;;) {
		const char *name;
		size_t length;
		int err;

		path += strspn(path, "/");
		length = strcspn(path, "/");
		if (length == 0)
			break;
		name = arena_strndup(walk->arena, path, length);
		path += length;
		if (strcmp(name, ".") == 0)
			continue;
		err = step(walk, &done, name, &path);
		if (err != 0)
			return err;
	}
	*real = done;
	return 0;
}

static void fill(struct path_fact *fact, const struct canned_node *node)
{
	fact->dev = node->dev;
	fact->ino = node->ino;
	fact->mode = node->mode;
	fact->nlink = node->nlink;
	fact->uid = node->uid;
	fact->gid = node->gid;
	fact->rdev_major = node->major;
	fact->rdev_minor = node->minor;
}

static bool on_read_only(const struct walk *walk, const char *path)
{
	for (;; path = path_parent(walk->arena, path)) {
		const struct canned_node *node = map_get(&walk->canned->nodes,
							 path);

		if (node != NULL && node->mount)
			return node->read_only;
		if (strcmp(path, "/") == 0)
			return false;
	}
}

/* The name of a child of the directory, or NULL. */
static const char *child_of(const struct walk *walk,
			    const struct canned_node *node, const char *dir)
{
	const char *name;

	if (strcmp(node->path, dir) == 0 || !path_is_under(node->path, dir))
		return NULL;
	name = path_below(node->path, dir);
	return strchr(name, '/') != NULL ||
			       map_get(&walk->canned->nodes, node->path) == NULL
		       ? NULL
		       : name;
}

static void answer_names(const struct walk *walk, const char *dir)
{
	struct map *names = arena_alloc(walk->arena, sizeof(*names));

	map_init(names, walk->arena);
	for (size_t i = 0; i < walk->canned->count; i++) {
		const char *name = child_of(walk, walk->canned->list[i], dir);

		if (name != NULL)
			map_put(names, name, names);
	}
	walk->fact->names = names;
}

/* Sorted by name, as the host room promises. */
static void answer_texts(const struct walk *walk, const char *dir)
{
	struct text_fact *texts = arena_alloc(
		walk->arena, (walk->canned->count + 1) * sizeof(*texts));
	size_t count = 0;

	for (size_t i = 0; i < walk->canned->count; i++) {
		const struct canned_node *node = walk->canned->list[i];
		const char *name = child_of(walk, node, dir);
		size_t at = count;

		if (name == NULL || *name == '.' || !S_ISREG(node->mode))
			continue;
		for (; at > 0 && strcmp(texts[at - 1].name, name) > 0; at--)
			texts[at] = texts[at - 1];
		texts[at] = (struct text_fact){
			name, node->text != NULL ? node->text : "", node->length
		};
		count++;
	}
	walk->fact->texts = texts;
	walk->fact->text_count = count;
}

static bool is_private(const struct canned_node *node)
{
	if (S_ISDIR(node->mode))
		return (node->mode & (S_IROTH | S_IXOTH)) !=
		       (S_IROTH | S_IXOTH);
	return S_ISREG(node->mode) && !(node->mode & S_IROTH);
}

static void answer_private(const struct walk *walk, const char *dir)
{
	const char **found = NULL;
	size_t count = 0;

	for (size_t i = 0; i <= walk->canned->count; i++) {
		const struct canned_node *node = i < walk->canned->count
							 ? walk->canned->list[i]
							 : NULL;

		if (node != NULL &&
		    (!path_is_under(node->path, dir) || !is_private(node)))
			continue;
		found = arena_grow(walk->arena, found, count, sizeof(*found));
		found[count++] = node != NULL ? node->path : NULL;
	}
	walk->fact->private = found;
}

static bool has_submounts(const struct walk *walk, const char *dir)
{
	for (size_t i = 0; i < walk->canned->count; i++) {
		const struct canned_node *node = walk->canned->list[i];

		if (node->mount && strcmp(node->path, dir) != 0 &&
		    path_is_under(node->path, dir))
			return true;
	}
	return false;
}

static void answer_file(const struct walk *walk, const struct canned_node *node,
			unsigned flags)
{
	struct path_fact *fact = walk->fact;

	if (flags & WANT_HEAD)
		fact->executable = may(walk, node, S_IXOTH);
	if ((flags & (WANT_HEAD | WANT_TEXT)) && node->text != NULL &&
	    may(walk, node, S_IROTH)) {
		fact->head = node->text;
		fact->head_length = node->length;
	}
}

static void answer_contents(const struct walk *walk,
			    const struct canned_node *node, unsigned flags)
{
	struct path_fact *fact = walk->fact;

	if (flags & WANT_ACCESS)
		fact->access = (may(walk, node, S_IROTH) ? R_OK : 0) |
			       (may(walk, node, S_IWOTH) ? W_OK : 0) |
			       (may(walk, node, S_IXOTH) ? X_OK : 0);
	if (flags & WANT_WRITABLE)
		fact->read_only_mount = on_read_only(walk, node->path);
	if (S_ISREG(node->mode))
		answer_file(walk, node, flags);
	if (!S_ISDIR(node->mode))
		return;
	if (flags & WANT_TEXTS)
		answer_texts(walk, node->path);
	if (flags & WANT_SUBMOUNTS)
		fact->submounts = has_submounts(walk, node->path);
	if (flags & WANT_NAMES)
		answer_names(walk, node->path);
	if (flags & WANT_PRIVATE)
		answer_private(walk, node->path);
}

static const struct canned_node *look(struct walk *walk)
{
	struct path_fact *fact = walk->fact;
	const char *split = strstr(fact->asked, "//");
	const char *path = fact->asked;
	int err;

	if (split != NULL) {
		walk->root = arena_strndup(walk->arena, path,
					   (size_t)(split - path));
		path = split + 1;
	}
	err = resolve(walk, path, &fact->real);
	fact->error = -err;
	if (err != 0 || split != NULL)
		fact->link_count = 0;
	return err != 0 ? NULL : node_at(walk, fact->real);
}

static void answer(struct walk *walk, const struct want *want)
{
	struct path_fact *fact = walk->fact;
	const struct canned_node *node = look(walk);

	if (node != NULL) {
		fill(fact, node);
		answer_contents(walk, node, want->flags | fact->known);
	} else if ((want->flags | fact->known) & WANT_MISSING) {
		walk->missing = true;
		walk->links = 0;
		(void)resolve(walk, fact->asked, &fact->real);
	}
	fact->known |= want->flags;
}

void canned_answer(const struct canned *canned, struct arena *arena,
		   struct facts *facts, const struct wants *wants)
{
	bool found = false;

	for (size_t i = 0; i < wants->count; i++) {
		const struct want *want = &wants->items[i];
		struct path_fact *fact = map_get(&facts->paths, want->path);
		struct walk walk = { .canned = canned,
				     .arena = arena,
				     .root = "",
				     .uid = facts->uid,
				     .gid = facts->gid };

		if (found && (want->flags & WANT_SEARCH))
			continue;
		walk.fact = arena_alloc(arena, sizeof(*walk.fact));
		walk.fact->asked = arena_strdup(arena, want->path);
		walk.fact->known = fact != NULL ? fact->known : 0;
		walk.fact->fd = -1;
		answer(&walk, want);
		map_put(&facts->paths, walk.fact->asked, walk.fact);
		if (want->flags & WANT_SEARCH)
			found = walk.fact->error == 0 && walk.fact->executable;
	}
}
