/*
 * Entries become operations, parents first. A directory of our own tmpfs is
 * made where it is missing; in a host directory nothing is ever made.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/path.h"
#include "base/text.h"
#include "plan/build.h"

/* Bound of the store and of each tmpfs; zero bytes is half of memory. */
enum { INODES = 1 << 20 };

static struct op_id id_of(const struct path_fact *fact)
{
	return (struct op_id){ .dev = fact->dev,
			       .ino = fact->ino,
			       .type = fact->mode & S_IFMT };
}

/* On an overlay an object has another identity than below it. */
static bool behind_overlay(const struct entry *entry)
{
	for (; entry != NULL; entry = entry->parent) {
		if (entry->kind == ENTRY_OVERLAY)
			return true;
		if (entry->kind != ENTRY_PIN && entry->kind != ENTRY_PROTECT)
			return false;
	}
	return false;
}

static bool needs_source(const struct entry *entry)
{
	switch (entry->kind) {
	case ENTRY_READ:
	case ENTRY_WRITE:
	case ENTRY_OVERLAY:
	case ENTRY_DEVICE:
		return true;
	case ENTRY_PROTECT:
	case ENTRY_MASK:
	case ENTRY_TMPFS:
	case ENTRY_PROC:
	case ENTRY_DEV:
	case ENTRY_CGROUPS:
	case ENTRY_PIN:
		return false;
	}
	return false;
}

struct op *build_source(struct build *build, const char *source,
			const struct path_fact *fact)
{
	struct op *op = build_op(build, OP_SOURCE);

	op->slot = (int)build->plan->slots++;
	op->source = source;
	op->fd = fact->fd;
	op->id = id_of(fact);
	return op;
}

void build_sources(struct build *build)
{
	for (size_t i = 0; i < build->entry_count; i++) {
		struct entry *entry = &build->entries[i];
		struct op *op;

		if (!needs_source(entry))
			continue;
		op = build_source(build, entry->source, entry->fact);
		entry->slot = op->slot;
		if (entry->kind == ENTRY_OVERLAY)
			op->flags = SOURCE_PLACE;
	}
}

/* Directories of ours from the covering entry down to the path. */
void build_made_dir(struct build *build, const char *path)
{
	struct op *op;

	if (strcmp(path, "/") == 0 || map_get(&build->made, path) != NULL)
		return;
	build_made_dir(build, path_parent(build->arena, path));
	map_put(&build->made, path, build);
	op = build_op(build, OP_DIR);
	op->path = path;
	op->mode = 0755;
}

/* A mount point in a tmpfs of ours; everything above is made as needed. */
static void make_target(struct build *build, const struct entry *entry)
{
	struct op *op;

	if (strcmp(entry->dest, "/") == 0)
		return;
	if (entry->fact == NULL || S_ISDIR(entry->fact->mode)) {
		build_made_dir(build, entry->dest);
		return;
	}
	build_made_dir(build, path_parent(build->arena, entry->dest));
	map_put(&build->made, entry->dest, build);
	op = build_op(build, OP_FILE);
	op->path = entry->dest;
	op->mode = 0600;
}

static void refuse_target(struct build *build, const struct entry *entry,
			  const char *text, const char *mend)
{
	refuse(build->refusals, REASON_NO_TARGET, &entry->origin, text, mend);
}

static bool is_dir_entry(const struct entry *entry)
{
	return entry->fact == NULL || S_ISDIR(entry->fact->mode);
}

/* In what the host backs the mount point must be there already. */
static bool check_target(struct build *build, const struct entry *entry,
			 const char *outside)
{
	const struct path_fact *fact = build_fact(build, outside, 0);
	bool dir = is_dir_entry(entry);
	struct text mend;

	if (fact == NULL)
		return false;
	if (fact->error == 0 && strcmp(fact->real, outside) == 0 &&
	    S_ISDIR(fact->mode) == dir)
		return true;
	text_init(&mend, build->arena);
	text_add(&mend, dir ? "mkdir -p " : "touch ");
	text_add_quoted(&mend, outside);
	if (fact->error != 0)
		refuse_target(build, entry,
			      arena_join(build->arena, "its place ", outside,
					 " does not exist, and nothing is made "
					 "on the host",
					 NULL),
			      mend.bytes);
	else if (strcmp(fact->real, outside) != 0)
		refuse_target(build, entry,
			      arena_join(build->arena, "its place ", outside,
					 " lies behind a symbolic link; say ",
					 fact->real, NULL),
			      NULL);
	else
		refuse_target(build, entry,
			      arena_join(build->arena, "its place ", outside,
					 dir ? " is not a directory"
					     : " is a directory",
					 NULL),
			      NULL);
	return false;
}

enum target { TARGET_NONE, TARGET_MADE, TARGET_HOST };

/* Where the entry will be mounted: on an object of ours, or on the host's. */
static enum target place_entry(struct build *build, const struct entry *entry)
{
	const struct entry *parent = entry->parent;
	const char *outside;

	while (parent != NULL && parent->kind == ENTRY_PIN)
		parent = parent->parent;
	if (parent == NULL || parent->source == NULL ||
	    parent->kind == ENTRY_MASK) {
		make_target(build, entry);
		return TARGET_MADE;
	}
	outside = path_join(build->arena, parent->source,
			    path_below(entry->dest, parent->dest));
	/* the object itself: no need to look again */
	if (entry->fact != NULL && entry->source != NULL &&
	    strcmp(outside, entry->source) == 0)
		return TARGET_HOST;
	return check_target(build, entry, outside) ? TARGET_HOST : TARGET_NONE;
}

static void add_bind(struct build *build, const struct entry *entry)
{
	struct op *op;

	if (strcmp(entry->dest, "/") == 0)
		return; /* that is OP_ROOT_BIND */
	op = build_op(build, OP_BIND);
	op->path = entry->dest;
	op->slot = entry->slot;
	op->flags = entry->kind == ENTRY_READ ? BIND_READ : 0;
}

static void add_tmpfs(struct build *build, const struct entry *entry)
{
	struct op *op = build_op(build,
				 entry->size == 0 ? OP_PRIVATE : OP_TMPFS);

	op->path = entry->dest;
	op->mode = entry->mode;
	op->a = entry->size;
	op->b = entry->size == 0 ? 0 : INODES;
}

static void add_overlay(struct build *build, const struct entry *entry)
{
	struct op *op = build_op(build, OP_OVERLAY);

	op->path = entry->dest;
	op->slot = entry->slot;
}

/* A masked directory with something visible below it can be passed through but
 * not listed; all else opens for nobody. */
static void add_mask(struct build *build, const struct entry *entry)
{
	struct op *op;

	if (entry->children) {
		op = build_op(build, OP_PRIVATE);
		op->mode = 0111;
	} else {
		op = build_op(build, OP_MASK);
		op->mode = S_ISDIR(entry->fact->mode) ? S_IFDIR : S_IFREG;
	}
	if (!behind_overlay(entry->parent))
		op->id = id_of(entry->fact);
	op->path = entry->dest;
}

static void add_self_bind(struct build *build, const struct entry *entry,
			  enum op_kind kind)
{
	struct op *op = build_op(build, kind);

	op->path = entry->dest;
	if (entry->fact != NULL && !behind_overlay(entry->parent))
		op->id = id_of(entry->fact);
}

static void add_proc(struct build *build, const struct entry *entry)
{
	struct op *op = build_op(build, OP_PROC);

	op->path = entry->dest;
	if (build->facts->root)
		op->flags = PROC_COVER;
}

static void add_device(struct build *build, const struct entry *entry)
{
	struct op *op = build_op(build, OP_DEVICE);

	op->path = entry->dest;
	op->slot = entry->slot;
}

/* In a root of ours /dev is just a directory; over a host's it is a mount. */
static void add_dev(struct build *build, const struct entry *entry)
{
	struct op *op = build_op(build, OP_DEV);

	op->path = entry->dest;
	if (entry->parent != NULL)
		op->flags = DEV_OWN;
}

static void mount_entry(struct build *build, const struct entry *entry)
{
	switch (entry->kind) {
	case ENTRY_READ:
	case ENTRY_WRITE:
		add_bind(build, entry);
		break;
	case ENTRY_OVERLAY:
		add_overlay(build, entry);
		break;
	case ENTRY_TMPFS:
		add_tmpfs(build, entry);
		break;
	case ENTRY_MASK:
		add_mask(build, entry);
		break;
	case ENTRY_PROTECT:
		add_self_bind(build, entry, OP_PROTECT);
		break;
	case ENTRY_PIN:
		add_self_bind(build, entry, OP_PIN);
		break;
	case ENTRY_DEVICE:
		add_device(build, entry);
		break;
	case ENTRY_PROC:
		add_proc(build, entry);
		break;
	case ENTRY_DEV:
		add_dev(build, entry);
		break;
	case ENTRY_CGROUPS:
		build_op(build, OP_CGROUPS)->path = entry->dest;
		break;
	}
}

static void add_root(struct build *build)
{
	const struct entry *root = build_covering(build, "/");
	struct op *op;

	if (root == NULL) {
		build_op(build, OP_ROOT);
		return;
	}
	op = build_op(build, OP_ROOT_BIND);
	op->slot = root->slot;
	op->flags = root->kind == ENTRY_WRITE ? 0 : BIND_READ;
}

void build_mounts(struct build *build)
{
	build_op(build, OP_STORE)->b = INODES;
	add_root(build);
	for (size_t i = 0; i < build->entry_count; i++) {
		const struct entry *entry = &build->entries[i];
		enum target target = TARGET_HOST;
		size_t before;

		if (entry->kind != ENTRY_PIN)
			target = place_entry(build, entry);
		if (target == TARGET_NONE)
			continue;
		/* what lies in it is made, never it again */
		if (entry->source == NULL ||
		    (entry->kind == ENTRY_MASK && entry->children) ||
		    (entry->own && strcmp(entry->dest, "/proc") == 0 &&
		     entry->kind == ENTRY_TMPFS))
			map_put(&build->made, entry->dest, build);
		before = build->plan->op_count;
		mount_entry(build, entry);
		if (build->plan->op_count != before)
			build->plan->ops[before].made = target == TARGET_MADE;
		/* what is made below it must not make it again */
		if (entry->kind != ENTRY_MASK || entry->children)
			map_put(&build->made, entry->dest, build);
	}
}

/* Made where our own tmpfs is; what the host backs has its links already. */
static void add_link(struct build *build, const struct link_fact *link)
{
	struct entry *covering = build_covering(build, link->path);
	struct op *op;

	if (build_outside(build, link->path) != NULL ||
	    map_get(&build->made, link->path) != NULL)
		return;
	if (covering != NULL && covering->kind == ENTRY_MASK)
		return;
	build_made_dir(build, path_parent(build->arena, link->path));
	map_put(&build->made, link->path, build);
	op = build_op(build, OP_LINK);
	op->path = link->path;
	op->source = link->target;
}

static void add_links_of(struct build *build, const struct path_fact *fact)
{
	for (size_t i = 0; fact != NULL && i < fact->link_count; i++)
		add_link(build, &fact->links[i]);
}

/* Links of every visible rule, dropped entries included: /bin is a link into
 * /usr that no entry of its own stands for. */
void build_links(struct build *build)
{
	const struct policy *policy = build->policy;

	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct rule *rule = &policy->rules[i];
		const struct path_fact *fact;

		if (rule->dest != NULL || rule->kind == RULE_MASK ||
		    rule->kind == RULE_UNMASK || rule->kind == RULE_UNPROTECT)
			continue;
		fact = map_get(&build->facts->paths, rule->path);
		if (fact != NULL &&
		    (fact->error == 0 || rule->kind == RULE_TMPFS))
			add_links_of(build, fact);
	}
	/* HOME is kept as the caller spells it */
	if (build->home != NULL)
		add_links_of(build, map_get(&build->facts->paths,
					    policy->context->home));
}

/* What we made is the caller's own and would be writable. */
void build_seals(struct build *build)
{
	const struct entry *root = build_covering(build, "/");

	for (size_t i = 0; i < build->entry_count; i++) {
		const struct entry *entry = &build->entries[i];

		if ((entry->kind == ENTRY_DEV && entry->parent != NULL) ||
		    (entry->kind == ENTRY_MASK && entry->children))
			build_op(build, OP_SEAL)->path = entry->dest;
	}
	if (root == NULL)
		build_op(build, OP_SEAL)->path = "/";
}
