/*
 * bubblewrap's wishes become operations, in the order in which they were spoken.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/path.h"
#include "plan/bwrap.h"
#include "plan/bwrap_making.h"
#include "policy/bwrap.h"

enum { INODES = 1 << 20 };

static const struct bwrap_source no_source = { .slot = -1 };

struct op *bwrap_op(struct making *making, enum op_kind kind)
{
	return build_op(&making->build, kind);
}

static void fail(struct making *making, const char *text, const char *object,
		 int error)
{
	struct arena *arena = making->build.arena;

	if (making->problem != NULL)
		return;
	making->problem = arena_join(arena, text, object,
				     error == 0 ? NULL : ": ",
				     bwrap_reason(error), NULL);
}

enum how { HOW_BIND, HOW_TRY, HOW_LAYER };

/* A source on the host, canonical. Descriptors are asked for by their name in
 * /proc. */
static struct bwrap_source add_source(struct making *making, const char *asked,
				      enum how how)
{
	struct build *build = &making->build;
	const struct facts *facts = build->facts;
	const char *path = path_absolute(build->arena, facts->cwd, asked);
	const struct path_fact *fact = build_fact(build, path, WANT_FD);
	struct op *op;

	if (fact == NULL || (how == HOW_TRY && fact->error == ENOENT))
		return no_source;
	if (fact->error != 0) {
		fail(making, "Can't find source path ", asked, fact->error);
		return no_source;
	}
	op = build_source(build, fact->real, fact);
	op->flags = how == HOW_LAYER ? SOURCE_PLACE : 0;
	return (struct bwrap_source){ op->slot, op->id.type };
}

static bool is_bind(enum bwrap_kind kind)
{
	return kind <= BWRAP_RO_BIND_FD;
}

static const char *source_of(struct making *making,
			     const struct bwrap_wish *wish)
{
	if (wish->fd >= 0 && is_bind(wish->kind))
		return arena_printf(making->build.arena, "/proc/self/fd/%d",
				    wish->fd);
	if (is_bind(wish->kind) || wish->kind == BWRAP_OVERLAY)
		return wish->source;
	/* the host's, bound, where no new one can be */
	if (wish->kind == BWRAP_PROC && !making->bwrap->pid &&
	    making->bwrap->pidns < 0)
		return "/proc";
	return NULL;
}

static enum how how_of(const struct bwrap_wish *wish)
{
	if (wish->kind == BWRAP_OVERLAY)
		return HOW_LAYER;
	return wish->is_optional ? HOW_TRY : HOW_BIND;
}

/* Sources first: when the new root stands, their names lead into it. */
static void add_sources(struct making *making)
{
	const struct bwrap *bwrap = making->bwrap;

	for (size_t i = 0; i < bwrap->wish_count; i++) {
		const struct bwrap_wish *wish = &bwrap->wishes[i];
		const char *source = source_of(making, wish);
		int first = (int)making->build.plan->slots;

		making->sources[i] = no_source;
		for (size_t layer = 0; layer < wish->layer_count; layer++)
			(void)add_source(making, wish->layers[layer],
					 HOW_LAYER);
		if (wish->kind == BWRAP_OVERLAY)
			(void)add_source(making, wish->work, HOW_LAYER);
		if (source != NULL)
			making->sources[i] = add_source(making, source,
							how_of(wish));
		if (wish->layer_count != 0)
			making->sources[i] = (struct bwrap_source){ first,
								    S_IFDIR };
	}
	making->console = no_source;
	if (making->build.facts->terminal != NULL)
		making->console = add_source(
			making, making->build.facts->terminal, HOW_TRY);
}

/* Mode of directories made above: what --perms denies to all others is denied
 * on the way too. */
static uint32_t above(const struct bwrap_wish *wish)
{
	uint32_t mode = 0755;

	if (wish->mode >= 0 && (wish->mode & 0070) == 0)
		mode &= ~(uint32_t)0050;
	if (wish->mode >= 0 && (wish->mode & 0007) == 0)
		mode &= ~(uint32_t)0005;
	return mode;
}

static struct op *add_at(struct making *making, enum op_kind kind,
			 const struct bwrap_wish *wish, uint32_t mode)
{
	struct op *op = bwrap_op(making, kind);

	op->path = path_absolute(making->build.arena, NULL, wish->dest);
	op->mode = wish->mode >= 0 ? (uint32_t)wish->mode : mode;
	op->a = above(wish);
	return op;
}

/* Finds or makes a mount point; the next operation mounts on it. */
static void add_place(struct making *making, const struct bwrap_wish *wish,
		      uint32_t mode)
{
	struct op *op = add_at(making, OP_PLACE, wish, 0);

	op->mode = mode;
}

static struct op *add_placed(struct making *making, enum op_kind kind,
			     const struct bwrap_wish *wish, uint32_t place)
{
	struct op *op;

	add_place(making, wish, place);
	op = add_at(making, kind, wish, 0755);
	op->placed = true;
	op->a = 0;
	return op;
}

enum { DIR_PLACE = S_IFDIR | 0755, FILE_PLACE = S_IFREG | 0444 };

static void add_bind(struct making *making, const struct bwrap_wish *wish,
		     struct bwrap_source source, uint64_t flags)
{
	struct op *op;

	if (source.slot < 0)
		return; /* a -try form whose source is not there */
	op = add_placed(making, OP_BIND, wish,
			source.type == S_IFDIR ? DIR_PLACE : FILE_PLACE);
	op->slot = source.slot;
	op->flags = flags;
}

static void add_data(struct making *making, const struct bwrap_wish *wish)
{
	struct op *op = add_placed(making, OP_DATA, wish, FILE_PLACE);

	op->fd = wish->fd;
	op->mode = wish->mode >= 0 ? (uint32_t)wish->mode : 0600;
	op->flags = wish->kind == BWRAP_RO_BIND_DATA ? BIND_READ : 0;
}

static void add_layers(struct making *making, const struct bwrap_wish *wish,
		       int slot)
{
	struct op *op;

	for (size_t i = 0; i < wish->layer_count; i++)
		bwrap_op(making, OP_LAYER)->slot = slot++;
	op = add_placed(making, OP_LAYERED, wish, DIR_PLACE);
	if (wish->kind == BWRAP_TMP_OVERLAY)
		op->flags = LAYERED_STORE;
	if (wish->kind != BWRAP_OVERLAY)
		return;
	op->flags = LAYERED_WRITE;
	op->b = (uint64_t)slot; /* work stands before the upper one */
	op->a = (uint64_t)slot + 1;
}

static void add_proc(struct making *making, const struct bwrap_wish *wish,
		     struct bwrap_source source)
{
	/* only root could write there; for others a cover would forbid what is
	 * inside to mount a /proc of its own */
	bool is_root = making->build.facts->root;
	struct op *op;

	if (source_of(making, wish) != NULL) {
		add_bind(making, wish, source, is_root ? BIND_PROC : 0);
		return;
	}
	op = add_placed(making, OP_PROC, wish, DIR_PLACE);
	op->flags = is_root ? PROC_COVER : 0;
}

static void add_dev(struct making *making, const struct bwrap_wish *wish)
{
	struct bwrap_wish console = *wish;

	add_placed(making, OP_DEV, wish, DIR_PLACE)->flags = DEV_OWN | DEV_CORE;
	console.dest = path_join(making->build.arena, wish->dest, "console");
	add_bind(making, &console, making->console, BIND_DEVICE);
}

static void add_tmpfs(struct making *making, const struct bwrap_wish *wish)
{
	struct op *op = add_placed(making, OP_TMPFS, wish, DIR_PLACE);

	op->a = wish->size;
	op->b = INODES;
}

static void add_wish(struct making *making, const struct bwrap_wish *wish,
		     struct bwrap_source source)
{
	switch (wish->kind) {
	case BWRAP_BIND:
	case BWRAP_BIND_FD:
		add_bind(making, wish, source, 0);
		break;
	case BWRAP_RO_BIND:
	case BWRAP_RO_BIND_FD:
		add_bind(making, wish, source, BIND_READ);
		break;
	case BWRAP_DEV_BIND:
		add_bind(making, wish, source, BIND_DEVICE);
		break;
	case BWRAP_REMOUNT_RO:
		add_place(making, wish, 0);
		(void)add_at(making, OP_REMOUNT, wish, 0);
		break;
	case BWRAP_OVERLAY:
	case BWRAP_TMP_OVERLAY:
	case BWRAP_RO_OVERLAY:
		add_layers(making, wish, source.slot);
		break;
	case BWRAP_PROC:
		add_proc(making, wish, source);
		break;
	case BWRAP_DEV:
		add_dev(making, wish);
		break;
	case BWRAP_TMPFS:
		add_tmpfs(making, wish);
		break;
	case BWRAP_MQUEUE:
		(void)add_placed(making, OP_MQUEUE, wish, DIR_PLACE);
		break;
	case BWRAP_DIR:
		(void)add_at(making, OP_MAKE_DIR, wish, 0755);
		break;
	case BWRAP_FILE:
		add_at(making, OP_MAKE_FILE, wish, 0666)->fd = wish->fd;
		break;
	case BWRAP_BIND_DATA:
	case BWRAP_RO_BIND_DATA:
		add_data(making, wish);
		break;
	case BWRAP_SYMLINK:
		add_at(making, OP_MAKE_LINK, wish, 0)->source = wish->source;
		break;
	case BWRAP_CHMOD:
		(void)add_at(making, OP_CHMOD, wish, 0);
		break;
	case BWRAP_HOSTNAME:
		bwrap_op(making, OP_HOSTNAME)->source = wish->source;
		break;
	case BWRAP_KINDS:
		break;
	}
}

const char *plan_make_bwrap(const struct bwrap *bwrap,
			    const struct facts *facts, struct wants *wants,
			    struct plan *plan)
{
	struct making making = {
		.build = { .arena = wants->arena,
			   .facts = facts,
			   .wants = wants,
			   .plan = plan },
		.bwrap = bwrap,
	};

	*plan = (struct plan){ .status_fd = -1, .cgroup_fd = -1 };
	map_init(&making.build.asked, wants->arena);
	making.sources =
		arena_alloc(wants->arena,
			    (bwrap->wish_count + 1) * sizeof(*making.sources));
	bwrap_spaces(&making);
	if (bwrap->disable_userns)
		bwrap_op(&making, OP_ONE_MORE_USER);
	if (!bwrap->user)
		bwrap_op(&making, OP_PRIVATE_TREE);
	if (bwrap->net)
		bwrap_op(&making, OP_LOOPBACK)->flags = LOOPBACK_NO_PING;
	add_sources(&making);
	if (bwrap->file_label != NULL)
		bwrap_op(&making, OP_FILE_LABEL)->source = bwrap->file_label;
	bwrap_op(&making, OP_STORE)->b = INODES;
	bwrap_op(&making, OP_ROOT);
	for (size_t i = 0; i < bwrap->wish_count; i++)
		add_wish(&making, &bwrap->wishes[i], making.sources[i]);
	bwrap_end(&making);
	bwrap_command(&making);
	bwrap_monitor(&making);
	plan->memos = arena_alloc(wants->arena,
				  plan->op_count * sizeof(*plan->memos));
	return making.problem;
}
