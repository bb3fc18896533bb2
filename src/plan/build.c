/*
 * Planning: from what was asked and what is there to what will be done.
 */
#include <sched.h>
#include <string.h>

#include "base/arena.h"
#include "base/path.h"
#include "base/text.h"
#include "plan/build.h"
#include "plan/make.h"

enum { GRACE_MS = 5000 };

static const struct path_fact *want(struct build *build, const char *path,
				    unsigned flags)
{
	struct want *item;

	if (map_get(&build->asked, path) == NULL || flags != 0) {
		build->wants->items =
			arena_grow_from(build->arena, build->wants->items,
					build->wants->count, sizeof(*item), 64);
		item = &build->wants->items[build->wants->count++];
		*item = (struct want){ path, flags };
		map_put(&build->asked, path, build);
	}
	return NULL;
}

const struct path_fact *build_fact(struct build *build, const char *path,
				   unsigned flags)
{
	const struct path_fact *fact = map_get(&build->facts->paths, path);

	if (build->is_trial)
		flags &= ~(unsigned)WANT_FD;
	if (fact == NULL || (fact->known & flags) != flags)
		return want(build, path, flags);
	return fact;
}

struct op *build_op(struct build *build, enum op_kind kind)
{
	struct plan *plan = build->plan;
	struct op *op;

	plan->ops = arena_grow_from(build->arena, plan->ops, plan->op_count,
				    sizeof(*op), 128);
	op = &plan->ops[plan->op_count++];
	*op = (struct op){ .kind = kind, .slot = -1, .fd = -1 };
	return op;
}

void build_note(struct build *build, const char *text)
{
	for (size_t i = 0; i < build->note_count; i++) {
		if (strcmp(build->notes[i], text) == 0)
			return;
	}
	build->notes = arena_grow(build->arena, build->notes, build->note_count,
				  sizeof(*build->notes));
	build->notes[build->note_count++] = text;
}

static void build_spaces(struct build *build)
{
	struct op *op = build_op(build, OP_SPACES);

	op->flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC |
		    CLONE_NEWUTS;
	/* where none can be made, inside a run with --nested for one, the
	 * caller's is kept: it cannot be mounted by what it does not own */
	if (!build->facts->no_cgroup_space)
		op->flags |= CLONE_NEWCGROUP;
	if (build->policy->net == NET_NONE)
		op->flags |= CLONE_NEWNET;
	build->plan->host_network = build->policy->net == NET_HOST;
	build->plan->net = build->plan->host_network ? "host" : "none";
}

/* Abstract sockets belong to the network namespace; sharing it shares them. */
static void check_net(struct build *build)
{
	if (build->policy->net != NET_HOST || build->policy->allow_abstract)
		return;
	if (build->facts->landlock < SCOPES_ABI)
		refuse(build->refusals, REASON_UNSUPPORTED,
		       &build->policy->net_origin,
		       "the host's abstract sockets would be open: Landlock "
		       "scopes need Linux 6.12",
		       "--allow-abstract");
	else
		build_op(build, OP_SCOPE);
}

static void build_console(struct build *build)
{
	struct path_fact const *fact;
	struct op *source, *op;

	if (build->facts->terminal == NULL)
		return;
	fact = build_fact(build, build->facts->terminal, WANT_FD);
	if (fact == NULL || fact->error != 0 ||
	    strcmp(fact->real, build->facts->terminal) != 0)
		return;
	source = build_source(build, fact->real, fact);
	op = build_op(build, OP_CONSOLE);
	op->slot = source->slot;
	op->path = "/dev/console";
}

/* The console's operation belongs behind the mounts, its source before. */
static void move_console(struct plan *plan, size_t at)
{
	struct op console = plan->ops[at];

	if (console.kind != OP_CONSOLE)
		return;
	memmove(plan->ops + at, plan->ops + at + 1,
		(plan->op_count - at - 1) * sizeof(console));
	plan->ops[plan->op_count - 1] = console;
}

static void build_root(struct build *build)
{
	size_t console;

	build_spaces(build);
	build_cgroup(build);
	build_identity(build);
	build_op(build, build->policy->nested ? OP_NO_CGROUPS : OP_NO_NESTING);
	if (build->policy->net == NET_NONE)
		build_op(build, OP_LOOPBACK)->a = build_gid(build);
	if (build_is_net_watched(build))
		build_op(build, OP_NAMES);
	build_sources(build);
	build_console(build);
	console = build->plan->op_count - 1;
	build_mounts(build);
	move_console(build->plan, console);
	build_links(build);
	build_files(build);
	build_op(build, OP_VERIFY);
	build_seals(build);
}

static void build_rest(struct build *build)
{
	const struct limit_rule *procs = &build->policy->limits[LIMIT_PROCS];
	struct op *op;

	build_op(build, OP_PIVOT);
	op = build_op(build, OP_HOSTNAME);
	op->source = build_hostname(build);
	build_op(build, OP_KEYRING);
	if (procs->set && !build->facts->root)
		build_op(build, OP_PROCS)->a = procs->value;
	build_op(build, OP_DROP);
}

static void build_process(struct build *build)
{
	build_cwd(build);
	if (build->cwd != NULL)
		build_op(build, OP_CWD)->path = build->cwd;
	if (build->wants->count == 0)
		build_environment(build);
	build_fds(build);
	check_net(build);
	build_watch(build);
	/* behind what opens a descriptor: the limit may be of those */
	build_limits(build);
	build_filter(build);
	build_command(build);
}

static void count_entries(struct build *build)
{
	struct plan_counts *counts = &build->plan->counts;
	unsigned *const count_of[] = {
		[ENTRY_MASK] = &counts->mask,
		[ENTRY_TMPFS] = &counts->tmpfs,
		[ENTRY_READ] = &counts->read,
		[ENTRY_PROTECT] = &counts->protect,
		[ENTRY_OVERLAY] = &counts->overlay,
		[ENTRY_WRITE] = &counts->write,
		[ENTRY_DEVICE] = &counts->device,
	};

	for (size_t i = 0; i < build->entry_count; i++) {
		const struct entry *entry = &build->entries[i];

		if (!entry->own && entry->kind <= ENTRY_DEVICE)
			(*count_of[entry->kind])++;
	}
}

static const char *const *closed_list(struct build *build, const char **items,
				      size_t count)
{
	const char **list = arena_alloc(build->arena,
					(count + 1) * sizeof(*list));

	if (count != 0)
		memcpy(list, items, count * sizeof(*list));
	return list;
}

/* Nobody outside can rename what lies on the way. Below a directory of the host
 * somebody can, and the engine must look twice. */
static bool is_ours(const struct build *build, const char *dir)
{
	const struct entry *entry = build_covering(build, dir);

	for (; entry != NULL; entry = entry->parent) {
		if (entry->source != NULL)
			return false;
	}
	return true;
}

static void mark_made(struct build *build)
{
	for (size_t i = 0; i < build->plan->op_count; i++) {
		struct op *op = &build->plan->ops[i];

		if (op->kind == OP_DIR || op->kind == OP_LINK ||
		    op->kind == OP_FILE || op->kind == OP_CONSOLE)
			op->made = true;
		if (op->made)
			op->made = is_ours(build,
					   path_parent(build->arena, op->path));
	}
}

static void finish(struct build *build)
{
	const struct policy *policy = build->policy;
	struct plan *plan = build->plan;

	mark_made(build);

	count_entries(build);
	plan->memos = arena_alloc(build->arena,
				  plan->op_count * sizeof(*plan->memos));
	plan->timeout_ms = policy->timeout.set ? policy->timeout.value : 0;
	plan->grace_ms = GRACE_MS;
	plan->status_fd = policy->status_fd.set ? (int)policy->status_fd.value
						: -1;
	plan->id = policy->id.word;
	plan->verbose = policy->verbose;
	plan->quiet = policy->quiet;
	plan->report = policy->report.set;
	plan->fail_on_denied = policy->fail_on_denied.set;
	plan->skipped = closed_list(build, build->skipped,
				    build->skipped_count);
	plan->dropped_env = closed_list(build, build->dropped,
					build->dropped_count);
	plan->notes = closed_list(build, build->notes, build->note_count);
	plan->limits = closed_list(build, build->limits, build->limit_count);
}

void build_tree(struct build *build)
{
	build_rules(build);
	build_groups(build);
	build_places(build);
	build_root_masks(build);
	build_outers(build);
	build_order(build);
	if (build->wants->count == 0)
		build_holes(build);
}

void build_walls(struct build *build)
{
	build_tree(build);
	build_named(build);
	build_root(build);
}

void plan_make(const struct policy *policy, const struct facts *facts,
	       struct wants *wants, struct refusals *refusals,
	       struct plan *plan)
{
	struct build build = {
		.arena = wants->arena,
		.policy = policy,
		.facts = facts,
		.wants = wants,
		.refusals = refusals,
		.plan = plan,
	};

	*plan = (struct plan){ .status_fd = -1, .cgroup_fd = -1 };
	map_init(&build.made, build.arena);
	map_init(&build.asked, build.arena);
	build_walls(&build);
	build_rest(&build);
	build_process(&build);
	build_explain(&build);
	finish(&build);
}
