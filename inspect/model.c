/*
 * What a plan will have mounted. The operations are followed in their order, as
 * the manual describes them and not as the engine does them: what a bind brings
 * along comes from the table outside, what it is worth from the plan.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/path.h"
#include "inspect/plan.h"
#include "inspect/table.h"

enum { PROC_COVER = 1, DEV_OWN = 1, NOWHERE = -1 };

enum {
	PLAIN = MOUNT_NOSUID | MOUNT_NODEV,
	CLOSED = MOUNT_RO | MOUNT_NOSUID | MOUNT_NODEV | MOUNT_NOEXEC,
	NODE = MOUNT_RO | MOUNT_NOSUID | MOUNT_NOEXEC,
	INHERITED = CLOSED | MOUNT_NOSYMFOLLOW,
};

struct build {
	struct table *model;
	const struct shown *plan;
	const struct table *outer;
};

/* Where a look-up of the path ends: each mount point on the way leads on. */
static int top_of(const struct table *model, const char *path)
{
	int at = model->count == 0 ? NOWHERE : 0;

	for (;;) {
		int next = NOWHERE;

		for (size_t i = 0; i < model->count; i++) {
			const struct mounted *mounted = &model->mounts[i];

			if (mounted->parent == at &&
			    path_is_under(path, mounted->target) &&
			    (next == NOWHERE ||
			     strlen(mounted->target) <
				     strlen(model->mounts[next].target)))
				next = (int)i;
		}
		if (next == NOWHERE)
			return at;
		at = next;
	}
}

static int add_below(struct table *model, int parent, struct mounted mounted)
{
	mounted.id = (int)model->count;
	mounted.parent = parent;
	(void)table_add(model, &mounted);
	return (int)model->count - 1;
}

static int add(struct table *model, struct mounted mounted)
{
	return add_below(model, top_of(model, mounted.target), mounted);
}

static void add_own(struct table *model, const char *path, const char *type,
		    unsigned flags)
{
	(void)add(model,
		  (struct mounted){ .target = path,
				    .type = type,
				    .flags = flags,
				    .is_new = strcmp(type, "cgroup2") != 0 });
}

/* The kernel leaves out files of mount namespaces, which could hold each other,
 * and no others. */
static bool is_mount_space(const struct mounted *mounted)
{
	static const char name[] = "mnt:[";

	return strcmp(mounted->type, "nsfs") == 0 && mounted->root != NULL &&
	       strncmp(mounted->root, name, sizeof(name) - 1) == 0;
}

/* A tree to copy from, outside or in the model, and what is added to its
 * flags. */
struct copying {
	const struct table *from;
	const char *source, *target;
	unsigned flags;
};

static struct mounted copy_of(struct table *model,
			      const struct copying *copying,
			      const struct mounted *mounted)
{
	struct mounted made = *mounted;

	made.target = path_join(model->arena, copying->target,
				path_below(mounted->target, copying->source));
	made.flags = (mounted->flags & INHERITED) | copying->flags;
	made.may_lack |= (mounted->flags & MOUNT_UNBINDABLE) != 0;
	return made;
}

/* All that is mounted on a mount that was copied, and on that, and so on. Only
 * as many as there were: a copy may be made below its own source. */
static void copy_children(struct table *model, const struct copying *copying,
			  int id, int parent)
{
	size_t count = copying->from->count;

	for (size_t i = 0; i < count; i++) {
		const struct mounted *mounted = &copying->from->mounts[i];
		int made;

		if (mounted->parent != id || mounted->id == id ||
		    is_mount_space(mounted) ||
		    !path_is_under(mounted->target, copying->source))
			continue;
		made = add_below(model, parent,
				 copy_of(model, copying, mounted));
		model->mounts[made].may_lack |= model->mounts[parent].may_lack;
		copy_children(model, copying, copying->from->mounts[i].id,
			      made);
	}
}

/* Where in its file system a path on a mount is. */
static const char *root_at(struct arena *arena, const struct mounted *mounted,
			   const char *path)
{
	if (mounted->root == NULL)
		return NULL;
	return path_join(arena, mounted->root,
			 path_below(path, mounted->target));
}

static int copy_tree(struct table *model, const struct copying *copying,
		     const struct mounted *top, bool with_children)
{
	struct mounted made = *top;
	struct table before = *copying->from;
	struct copying given = *copying;
	int id = top->id, at;

	given.from = &before;
	made.root = root_at(model->arena, top, copying->source);
	made.target = copying->target;
	made.flags = (top->flags & INHERITED) | copying->flags;
	at = add(model, made);
	if (with_children)
		copy_children(model, &given, id, at);
	return at;
}

/* Of something outside. */
static int bind(struct build *build, const struct copying *copying,
		bool with_children)
{
	const struct mounted *top = table_at(build->outer, copying->source);

	if (top == NULL)
		return -ESTALE;
	(void)copy_tree(build->model, copying, top, with_children);
	return 0;
}

static int bind_source(struct build *build, const struct shown_op *op,
		       unsigned flags, bool with_children)
{
	struct copying copying = {
		.from = build->outer,
		.source = shown_source(build->plan, op),
		.target = op->path == NULL ? "/" : op->path,
		.flags = flags,
	};

	if (shown_is_read(op))
		copying.flags |= MOUNT_RO;
	return copying.source == NULL ? -ESTALE
				      : bind(build, &copying, with_children);
}

/* Of something inside. */
static int bind_inside(struct build *build, const char *source,
		       const char *target, unsigned flags)
{
	struct copying copying = { .from = build->model,
				   .source = source,
				   .target = target,
				   .flags = flags };
	int top = top_of(build->model, source);

	if (top == NOWHERE)
		return -ESTALE;
	(void)copy_tree(build->model, &copying, &build->model->mounts[top],
			true);
	return 0;
}

static int dev(struct build *build, const struct shown_op *op)
{
	static const char *const nodes[] = { "/dev/null",    "/dev/zero",
					     "/dev/full",    "/dev/random",
					     "/dev/urandom", "/dev/tty" };
	struct arena *arena = build->model->arena;
	int err = 0;

	if (op->flags & DEV_OWN)
		add_own(build->model, op->path, "tmpfs", PLAIN);
	for (size_t i = 0; i < sizeof(nodes) / sizeof(*nodes) && err == 0;
	     i++) {
		struct copying copying = {
			.from = build->outer,
			.source = nodes[i],
			.target = path_join(arena, op->path,
					    path_name(nodes[i])),
			.flags = NODE,
		};

		err = bind(build, &copying, false);
	}
	add_own(build->model, path_join(arena, op->path, "pts"), "devpts",
		MOUNT_NOSUID | MOUNT_NOEXEC);
	add_own(build->model, path_join(arena, op->path, "shm"), "tmpfs",
		PLAIN);
	return err;
}

/* Of these a kernel has what it has. */
static void cover_proc(struct build *build, const char *path)
{
	static const struct {
		const char *name, *type;
	} covers[] = {
		{ "sys", "proc" },
		{ "sysrq-trigger", "proc" },
		{ "irq", "proc" },
		{ "bus", "proc" },
		{ "fs", "proc" },
		{ "acpi", "proc" },
		{ "scsi", "proc" },
		{ "timer_list", "tmpfs" },
		{ "vmallocinfo", "tmpfs" },
		{ "slabinfo", "tmpfs" },
		{ "pagetypeinfo", "tmpfs" },
		{ "kpagecount", "tmpfs" },
		{ "kpageflags", "tmpfs" },
		{ "kpagecgroup", "tmpfs" },
		{ "latency_stats", "tmpfs" },
		{ "sched_debug", "tmpfs" },
	};
	struct arena *arena = build->model->arena;

	for (size_t i = 0; i < sizeof(covers) / sizeof(*covers); i++) {
		const char *name = covers[i].name;

		if (access(path_join(arena, "/proc", name), F_OK) == 0)
			add_own(build->model, path_join(arena, path, name),
				covers[i].type, CLOSED);
	}
}

static int proc(struct build *build, const struct shown_op *op)
{
	add_own(build->model, op->path, "proc",
		MOUNT_NOSUID | MOUNT_NODEV | MOUNT_NOEXEC);
	if (op->flags & PROC_COVER)
		cover_proc(build, op->path);
	return 0;
}

static int mask(struct build *build, const struct shown_op *op)
{
	(void)add(
		build->model,
		(struct mounted){ .target = op->path,
				  .type = "tmpfs",
				  .root = S_ISDIR(op->mode) ? "/dir" : "/file",
				  .flags = CLOSED });
	return 0;
}

static int own(struct build *build, const struct shown_op *op)
{
	static const struct {
		const char *kind, *type;
		unsigned flags;
	} kinds[] = {
		{ "root", "tmpfs", PLAIN },
		{ "private", "tmpfs", PLAIN },
		{ "tmpfs", "tmpfs", PLAIN },
		{ "overlay", "overlay", PLAIN },
		{ "cgroups", "cgroup2", CLOSED },
		{ "cover", "tmpfs", CLOSED },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (shown_is(op, kinds[i].kind))
			add_own(build->model, op->path == NULL ? "/" : op->path,
				kinds[i].type, kinds[i].flags);
	}
	return 0;
}

static int follow(struct build *build, const struct shown_op *op)
{
	if (shown_is(op, "bind") || shown_is(op, "root-bind"))
		return bind_source(build, op, PLAIN, true);
	if (shown_is(op, "device") || shown_is(op, "console"))
		return bind_source(build, op, NODE, false);
	if (shown_is(op, "dev"))
		return dev(build, op);
	if (shown_is(op, "proc"))
		return proc(build, op);
	if (shown_is(op, "mask"))
		return mask(build, op);
	if (shown_is(op, "same"))
		return bind_inside(build, op->source, op->path, 0);
	if (shown_is(op, "pin"))
		return bind_inside(build, op->path, op->path, 0);
	if (shown_is(op, "protect"))
		return bind_inside(build, op->path, op->path, MOUNT_RO);
	if (shown_is(op, "seal")) {
		build->model
			->mounts[strcmp(op->path, "/") == 0
					 ? 0
					 : top_of(build->model, op->path)]
			.flags |= MOUNT_RO;
		return 0;
	}
	return own(build, op);
}

int model_make(struct table *model, const struct shown *plan,
	       const struct table *outer)
{
	struct build build = { model, plan, outer };
	int err = 0;

	for (size_t i = 0; i < plan->count && err == 0; i++)
		err = follow(&build, &plan->ops[i]);
	return err;
}
