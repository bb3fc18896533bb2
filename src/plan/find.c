/*
 * Finds what a path is inside: walks it over the operations of the plan as the
 * kernel will over the mounts that they make, links included.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/path.h"
#include "plan/build.h"
#include "plan/explain.h"

enum { MAX_LINKS = 40 }; /* MAXSYMLINKS */

/* The operations that decide about one place. */
struct layers {
	const struct op *mount;	 /* the last one at or above it */
	const struct op *object; /* made right there, in that mount */
	const struct op *same;	 /* the mount is another one again */
	bool read_only, at;
};

static bool is_above(const struct op *op, const char *path)
{
	const char *top = op->kind == OP_ROOT || op->kind == OP_ROOT_BIND
				  ? "/"
				  : op->path;

	return top != NULL && path_is_under(path, top);
}

static void lay_mount(struct layers *layers, const struct op *op, bool at)
{
	*layers = (struct layers){ .mount = op, .at = at };
	if (op->kind == OP_BIND || op->kind == OP_ROOT_BIND)
		layers->read_only = (op->flags & BIND_READ) != 0;
	layers->read_only |= op->kind == OP_MASK || op->kind == OP_COVER;
	/* what is in there is the kernel's to say */
	layers->read_only |= op->kind == OP_CGROUPS && at;
}

/* Only the mount that was made right there. */
static void lay_seal(struct layers *layers, const struct op *op)
{
	if (layers->mount->path == NULL ||
	    strcmp(layers->mount->path, op->path) == 0)
		layers->read_only |= layers->mount->kind != OP_ROOT ||
				     strcmp(op->path, "/") == 0;
}

static void lay(struct layers *layers, const struct op *op, const char *path)
{
	bool at = op->path == NULL || strcmp(op->path, path) == 0;

	switch (plan_op_sort(op->kind)) {
	case SORT_KERNEL:
		/* in a root of ours /dev is a directory and no mount */
		at &= op->kind != OP_DEV || (op->flags & DEV_OWN) != 0;
		lay_mount(layers, op, at);
		break;
	case SORT_HOST:
	case SORT_OWN:
	case SORT_MASK:
	case SORT_COVER:
		lay_mount(layers, op, at);
		layers->read_only &= op->kind != OP_DEVICE;
		break;
	case SORT_AGAIN:
		layers->same = op;
		break;
	case SORT_OBJECT:
		if (at)
			layers->object = op;
		break;
	case SORT_SELF:
		layers->at |= at;
		layers->read_only |= op->kind == OP_PROTECT;
		break;
	case SORT_SEAL:
		lay_seal(layers, op);
		break;
	case SORT_NONE:
		break;
	}
}

static struct layers layers_of(const struct build *build, const char *path)
{
	const struct plan *plan = build->plan;
	struct layers layers = { 0 };

	for (size_t i = 0; i < plan->op_count; i++) {
		const struct op *op = &plan->ops[i];

		if (is_above(op, path))
			lay(&layers, op, path);
	}
	return layers;
}

static void own_node(struct node *node, uint32_t mode)
{
	node->mode = mode;
	node->access = mode >> 6 & 7;
	node->mine = true;
}

/* In a mount of ours there is what the plan makes, and nothing else. */
static void made_node(struct node *node, const struct layers *layers)
{
	const struct op *object = layers->object;
	const struct op *mount = layers->mount;

	if (object != NULL && object->kind == OP_LINK) {
		own_node(node, S_IFLNK | 0777);
		node->link = object->source;
	} else if (object != NULL) {
		own_node(node,
			 object->mode |
				 (object->kind == OP_DIR ? S_IFDIR : S_IFREG));
	} else if (mount->kind == OP_ROOT && strcmp(node->place, "/") == 0) {
		own_node(node, S_IFDIR | 0755);
	} else if (mount->path != NULL &&
		   strcmp(mount->path, node->place) == 0) {
		own_node(node, S_IFDIR | mount->mode);
	} else {
		node->error = ENOENT;
	}
}

static const char *host_path(struct build *build, const struct op *mount,
			     const char *place)
{
	const char *top = mount->path != NULL ? mount->path : "/";

	return path_join(build->arena, plan_source(build->plan, mount->slot),
			 path_below(place, top));
}

static bool host_node(struct build *build, struct node *node, const char *path)
{
	const struct path_fact *fact = build_fact(build, path, WANT_ACCESS);

	if (fact == NULL)
		return false;
	node->host = path;
	if (fact->link_count > 0 &&
	    strcmp(fact->links[0].path, fact->asked) == 0) {
		node->link = fact->links[0].target;
		node->mode = S_IFLNK | 0777;
		node->access = R_OK | W_OK | X_OK;
		return true;
	}
	node->error = fact->error;
	node->mode = fact->mode;
	node->access = fact->access;
	node->mine = fact->uid == build->facts->uid;
	return true;
}

/* All of it is known but the terminals. What was made here is sealed. */
static bool dev_node(struct build *build, struct node *node,
		     const struct layers *layers)
{
	const char *below = path_below(node->place, layers->mount->path);
	const struct dev_name *dev = plan_find_dev(node->place);
	bool known = true;

	if (*below == '\0' || layers->object != NULL) {
		own_node(node, S_IFDIR | 0755);
		node->read_only = true;
	} else if (dev != NULL && dev->target != NULL) {
		own_node(node, S_IFLNK | 0777);
		node->link = dev->target;
	} else if (dev != NULL) {
		node->mount_point = true;
		known = host_node(build, node, node->place);
		/* only with a controlling terminal */
		node->opaque = dev->major == 5;
	} else if (strcmp(below, "shm") == 0) {
		own_node(node, S_IFDIR | 01777);
		node->mount_point = true;
	} else if (path_is_under(node->place, "/dev/pts")) {
		own_node(node, S_IFDIR | 0755);
		node->opaque = true;
	} else {
		node->error = ENOENT;
	}
	return known;
}

static const char *same_place(struct build *build, const struct op *same,
			      const char *path)
{
	return path_join(build->arena, same->source,
			 path_below(path, same->path));
}

static bool node_at(struct build *build, const char *path, struct node *node)
{
	struct layers layers = layers_of(build, path);
	const struct op *mount = layers.mount;

	if (layers.same != NULL) {
		const char *again = same_place(build, layers.same, path);
		bool known = node_at(build, again, node);

		node->place = path;
		node->mount_point |= strcmp(layers.same->path, path) == 0;
		return known;
	}
	*node = (struct node){ .place = path,
			       .read_only = layers.read_only,
			       .mount_point = layers.at };
	if (mount == NULL) { /* a refused plan may lack its root */
		node->error = ENOENT;
		return true;
	}
	switch (plan_op_sort(mount->kind)) {
	case SORT_HOST:
		node->overlay = mount->kind == OP_OVERLAY;
		return host_node(build, node, host_path(build, mount, path));
	case SORT_MASK:
		own_node(node, mount->mode);
		break;
	case SORT_COVER:
		own_node(node, S_IFREG | mount->mode);
		break;
	case SORT_KERNEL:
		if (mount->kind == OP_DEV)
			return dev_node(build, node, &layers);
		own_node(node, S_IFDIR | 0755);
		node->opaque = true;
		break;
	case SORT_OWN:
	case SORT_NONE: /* this and the rest is no mount */
	case SORT_AGAIN:
	case SORT_OBJECT:
	case SORT_SELF:
	case SORT_SEAL:
		made_node(node, &layers);
		break;
	}
	return true;
}

/* One look-up of a name in a directory; false: facts are wanted. */
static bool step(struct build *build, const struct node *dir, const char *name,
		 struct node *next)
{
	const char *path = path_join(build->arena, dir->place, name);

	if (strcmp(name, "..") == 0)
		path = path_parent(build->arena, dir->place);
	if (!S_ISDIR(dir->mode))
		*next = (struct node){ .place = path, .error = ENOTDIR };
	else if ((dir->access & X_OK) == 0)
		*next = (struct node){ .place = path, .error = EACCES };
	else
		return node_at(build, path, next);
	return true;
}

/* Follows a path from the root; with `last` also a link at its end. */
static bool walk(struct build *build, const char *path, bool last,
		 struct found *found)
{
	const char *rest = path + 1;
	struct node here;
	unsigned links = 0;

	if (!node_at(build, "/", &here))
		return false;
	found->dir = here;
	while (*rest != '\0' && here.error == 0) {
		size_t length = strcspn(rest, "/");
		struct node next;

		found->dir = here;
		if (!step(build, &here,
			  arena_strndup(build->arena, rest, length), &next))
			return false;
		rest += length;
		rest += strspn(rest, "/");
		if (next.error == 0 && next.link != NULL &&
		    (last || *rest != '\0')) {
			const char *target = path_absolute(
				build->arena, here.place, next.link);

			rest = path_join(build->arena, target, rest) + 1;
			if (!node_at(build, "/", &next))
				return false;
			next.error = ++links > MAX_LINKS ? ELOOP : 0;
			found->dir = next;
		}
		here = next;
	}
	/* a name in what is not there has no directory */
	if (*rest != '\0')
		found->dir.error = here.error;
	if (*rest != '\0' && !path_has_dotdot(rest))
		here.place = path_join(build->arena, here.place, rest);
	found->object = here;
	return true;
}

static bool is_mount(enum op_kind kind)
{
	return kind >= OP_BIND && kind <= OP_MASK;
}

/* The host's directory that is seen at a place itself, not through an overlay:
 * asked of the operations, as a read root below an overlay is a protection in
 * the overlay's mount, whatever the entry is called. */
static const char *seen_at(struct build *build, const char *path)
{
	struct layers layers = layers_of(build, path);

	while (layers.same != NULL) {
		path = same_place(build, layers.same, path);
		layers = layers_of(build, path);
	}
	if (layers.mount == NULL || (layers.mount->kind != OP_BIND &&
				     layers.mount->kind != OP_ROOT_BIND))
		return NULL;
	return host_path(build, layers.mount, path);
}

/* A mount makes its place busy under every name that the object has inside:
 * the kernel asks the dentry (is_local_mountpoint), not the path. */
static bool is_busy(struct build *build, const struct node *node)
{
	const struct plan *plan = build->plan;

	if (node->host == NULL || node->overlay || node->error != 0)
		return false;
	for (size_t i = 0; i < plan->op_count; i++) {
		const struct op *op = &plan->ops[i];
		const char *dir;

		if (!is_mount(op->kind) || op->path == NULL ||
		    strcmp(path_name(op->path), path_name(node->host)) != 0)
			continue;
		dir = seen_at(build, path_parent(build->arena, op->path));
		if (dir == NULL)
			continue;
		dir = path_join(build->arena, dir, path_name(op->path));
		if (strcmp(dir, node->host) == 0)
			return true;
	}
	return false;
}

bool find_path(struct build *build, const char *path, struct found *found)
{
	struct found lead = { 0 };

	if (!walk(build, path, false, found))
		return false;
	found->name = found->object;
	if (is_busy(build, &found->name))
		found->name.mount_point = true;
	if (found->name.link == NULL || found->name.error != 0)
		return true;
	if (!walk(build, path, true, &lead))
		return false;
	found->object = lead.object;
	return true;
}
