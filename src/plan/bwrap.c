/*
 * bubblewrap's wishes become operations, in the order in which they were spoken.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/path.h"
#include "plan/build.h"
#include "plan/bwrap.h"
#include "policy/bwrap.h"

enum { INODES = 1 << 20 };

/* A source, or slot -1: there is none. */
struct source {
	int slot;
	uint32_t type; /* S_IFMT */
};

struct making {
	struct build build;
	const struct bwrap *bwrap;
	struct source *sources; /* of each wish, or the first of its layers */
	struct source console;
	const char *problem;
};

static const struct source no_source = { .slot = -1 };

static struct op *add(struct making *making, enum op_kind kind)
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
				     error == 0 ? NULL : ": ", bwrap_reason(error),
				     NULL);
}

enum how { HOW_BIND, HOW_TRY, HOW_LAYER };

/* A source on the host, canonical. Descriptors are asked for by their name in
 * /proc. */
static struct source add_source(struct making *making, const char *asked,
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
	op = add(making, OP_SOURCE);
	op->slot = (int)build->plan->slots++;
	op->source = fact->real;
	op->fd = fact->fd;
	op->id = (struct op_id){ fact->dev, fact->ino, fact->mode & S_IFMT };
	op->flags = how == HOW_LAYER ? SOURCE_PLACE : 0;
	return (struct source){ op->slot, op->id.type };
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
			making->sources[i] = (struct source){ first, S_IFDIR };
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
	struct op *op = add(making, kind);

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
		     struct source source, uint64_t flags)
{
	struct op *op;

	if (source.slot < 0)
		return; /* a -try form whose source is not there */
	op = add_placed(making, OP_BIND, wish,
			source.type == S_IFDIR ? DIR_PLACE : FILE_PLACE);
	op->slot = source.slot;
	op->flags = flags;
	if (making->bwrap->not_a_boundary)
		op->flags |= BIND_LOOSE;
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
		add(making, OP_LAYER)->slot = slot++;
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
		     struct source source)
{
	struct op *op;

	if (source_of(making, wish) != NULL) {
		add_bind(making, wish, source, BIND_PROC);
		return;
	}
	op = add_placed(making, OP_PROC, wish, DIR_PLACE);
	op->flags = PROC_COVER;
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
		     struct source source)
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
		add(making, OP_HOSTNAME)->source = wish->source;
		break;
	case BWRAP_KINDS:
		break;
	}
}

static uint64_t id_or(int64_t id, uint32_t own)
{
	return id >= 0 ? (uint64_t)id : own;
}

static void add_spaces(struct making *making)
{
	const struct bwrap *bwrap = making->bwrap;
	const struct {
		bool wanted;
		uint64_t flag;
	} spaces[] = {
		{ true, CLONE_NEWNS },
		{ bwrap->user, CLONE_NEWUSER },
		{ bwrap->ipc, CLONE_NEWIPC },
		{ bwrap->pid, CLONE_NEWPID },
		{ bwrap->net, CLONE_NEWNET },
		{ bwrap->uts, CLONE_NEWUTS },
		{ bwrap->cgroup, CLONE_NEWCGROUP },
	};
	struct op *op;

	if (bwrap->userns >= 0) {
		op = add(making, OP_JOIN_USER);
		op->fd = bwrap->userns;
		op->a = id_or(bwrap->uid, UINT32_MAX);
		op->b = id_or(bwrap->gid, UINT32_MAX);
	}
	if (bwrap->pidns >= 0)
		add(making, OP_JOIN_PID)->fd = bwrap->pidns;
	op = add(making, OP_SPACES);
	for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++)
		op->flags |= spaces[i].wanted ? spaces[i].flag : 0;
}

static void add_ids(struct making *making)
{
	const struct bwrap *bwrap = making->bwrap;
	const struct facts *facts = making->build.facts;
	struct op *op;

	if (!bwrap->user || bwrap->userns_block_fd >= 0)
		return;
	op = add(making, OP_MAP_UID);
	op->a = id_or(bwrap->uid, facts->uid);
	op->b = facts->uid;
	op = add(making, OP_MAP_GID);
	op->a = id_or(bwrap->gid, facts->gid);
	op->b = facts->gid;
}

/* uid 0 keeps what it has, others nothing; then the words, in their order. */
static uint64_t caps_of(const struct making *making)
{
	const struct bwrap *bwrap = making->bwrap;
	uint64_t caps = making->build.facts->root ? making->build.facts->caps
						  : 0;

	for (size_t i = 0; i < bwrap->cap_count; i++) {
		const struct bwrap_cap *cap = &bwrap->caps[i];
		uint64_t bits = cap->number < 0 ? ~UINT64_C(0)
						: UINT64_C(1) << cap->number;

		caps = cap->add ? caps | bits : caps & ~bits;
	}
	return caps;
}

static void add_end(struct making *making)
{
	const struct bwrap *bwrap = making->bwrap;
	const struct facts *facts = making->build.facts;
	struct op *op;

	add(making, OP_PIVOT);
	if (bwrap->userns2 >= 0) {
		op = add(making, OP_JOIN_USER);
		op->fd = bwrap->userns2;
		op->flags = JOIN_LATER;
	} else if (bwrap->disable_userns) {
		op = add(making, OP_NO_MORE_USERS);
		op->a = id_or(bwrap->uid, facts->uid);
		op->b = id_or(bwrap->gid, facts->gid);
	}
	if (bwrap->disable_userns || bwrap->assert_userns_disabled)
		add(making, OP_NO_USERS_LEFT);
	op = add(making, OP_CAPS);
	op->a = caps_of(making);
	if (bwrap->user || bwrap->userns >= 0)
		op->flags = CAPS_AMBIENT | CAPS_BOUNDING;
	else if (bwrap->cap_count != 0)
		op->flags = CAPS_AMBIENT;
}

static const char *get_env(const struct bwrap *bwrap, const char *name)
{
	size_t length = strlen(name);

	for (char *const *entry = bwrap->env; *entry != NULL; entry++) {
		if (strncmp(*entry, name, length) == 0 &&
		    (*entry)[length] == '=')
			return *entry + length + 1;
	}
	return NULL;
}

static void add_cwd(struct making *making, struct plan_cwd *cwds,
		    const char *path)
{
	struct plan *plan = making->build.plan;
	struct plan_cwd *cwd = &cwds[plan->cwd_count];

	if (path == NULL || *path == '\0')
		return;
	cwd->entry = arena_join(making->build.arena, "PWD=", path, NULL);
	cwd->path = cwd->entry + strlen("PWD=");
	plan->cwd_count++;
}

/* What was asked for, or the old one, or the home, or the root. */
static void add_cwds(struct making *making)
{
	const struct bwrap *bwrap = making->bwrap;
	struct plan *plan = making->build.plan;
	struct plan_cwd *cwds = arena_alloc(making->build.arena,
					    3 * sizeof(*cwds));

	plan->cwds = cwds;
	add_cwd(making, cwds, bwrap->chdir);
	if (bwrap->chdir == NULL) {
		add_cwd(making, cwds, making->build.facts->cwd);
		add_cwd(making, cwds, get_env(bwrap, "HOME"));
		add_cwd(making, cwds, "/");
	}
	add(making, OP_FIND_CWD);
}

/* The variables, and PWD among them at a place that is known. */
static void add_env(struct making *making)
{
	const struct bwrap *bwrap = making->bwrap;
	struct plan *plan = making->build.plan;
	size_t count = 0;

	plan->envp = arena_alloc(making->build.arena,
				 (bwrap->env_count + 2) * sizeof(*plan->envp));
	for (char *const *entry = bwrap->env; *entry != NULL; entry++) {
		if (strncmp(*entry, "PWD=", 4) != 0)
			plan->envp[count++] = *entry;
	}
	plan->pwd_at = count;
	plan->envp[count] = plan->cwds[0].entry;
}

static void add_filters(struct making *making)
{
	const struct bwrap *bwrap = making->bwrap;

	for (size_t i = 0; i < bwrap->program_count; i++) {
		struct op *op = add(making, OP_OWN_FILTER);

		op->data = bwrap->programs[i].code;
		op->size = bwrap->programs[i].size;
	}
	if (bwrap->seccomp_fd >= 0)
		add(making, OP_LATE_FILTER)->fd = bwrap->seccomp_fd;
}

/* The soft limit of descriptors was raised for the sources. */
static void give_back(struct making *making)
{
	struct op *op;

	if (making->build.facts->nofile_soft == 0)
		return;
	op = add(making, OP_LIMIT);
	op->a = RLIMIT_NOFILE;
	op->b = making->build.facts->nofile_soft;
	op->flags = LIMIT_SOFT;
}

static void add_command(struct making *making)
{
	const struct bwrap *bwrap = making->bwrap;
	struct plan *plan = making->build.plan;
	size_t count = 0;

	while (bwrap->command[count] != NULL)
		count++;
	plan->argv = arena_alloc(making->build.arena,
				 (count + 1) * sizeof(*plan->argv));
	memcpy(plan->argv, bwrap->command, count * sizeof(*plan->argv));
	if (bwrap->argv0 != NULL)
		plan->argv[0] = arena_strdup(making->build.arena, bwrap->argv0);
	add_cwds(making);
	add_env(making);
	if (bwrap->exec_label != NULL)
		add(making, OP_LABEL)->source = bwrap->exec_label;
	add_filters(making);
	give_back(making);
	add(making, OP_SEARCH)->path = bwrap->command[0];
}

/* What was meant for us and not for the command. */
static void set_shut(struct making *making, struct plan_monitor *monitor)
{
	const struct bwrap *bwrap = making->bwrap;
	const int own[] = { bwrap->info_fd, bwrap->json_status_fd,
			    bwrap->userns_block_fd, bwrap->userns2 };
	size_t room = sizeof(own) / sizeof(*own) + bwrap->wish_count;
	int *shut = arena_alloc(making->build.arena, room * sizeof(*shut));
	size_t count = 0;

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++) {
		if (own[i] >= 0)
			shut[count++] = own[i];
	}
	for (size_t i = 0; i < bwrap->wish_count; i++) {
		if (bwrap->wishes[i].fd >= 0 && is_bind(bwrap->wishes[i].kind))
			shut[count++] = bwrap->wishes[i].fd;
	}
	monitor->shut = shut;
	monitor->shut_count = count;
}

static void set_monitor(struct making *making)
{
	const struct bwrap *bwrap = making->bwrap;
	struct plan *plan = making->build.plan;
	struct plan_monitor *monitor = arena_alloc(making->build.arena,
						   sizeof(*monitor));

	*monitor = (struct plan_monitor){
		.has_reaper = !bwrap->as_pid_1 &&
			      (bwrap->pid || bwrap->pidns >= 0 ||
			       bwrap->lock_count != 0 || bwrap->sync_fd >= 0),
		.new_session = bwrap->new_session,
		.die_with_parent = bwrap->die_with_parent,
		.maps_itself = bwrap->userns_block_fd < 0,
		.sync_fd = bwrap->sync_fd,
		.block_fd = bwrap->block_fd,
		.userns_block_fd = bwrap->userns_block_fd,
		.info_fd = bwrap->info_fd,
		.json_fd = bwrap->json_status_fd,
		.locks = bwrap->locks,
		.lock_count = bwrap->lock_count,
	};
	set_shut(making, monitor);
	plan->monitor = monitor;
}

static void finish(struct making *making)
{
	struct plan *plan = making->build.plan;

	set_monitor(making);
	plan->memos = arena_alloc(making->build.arena,
				  plan->op_count * sizeof(*plan->memos));
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
	add_spaces(&making);
	add_ids(&making);
	if (bwrap->disable_userns)
		add(&making, OP_ONE_MORE_USER);
	if (!bwrap->user)
		add(&making, OP_PRIVATE_TREE);
	if (bwrap->net)
		add(&making, OP_LOOPBACK)->flags = LOOPBACK_NO_PING;
	add_sources(&making);
	if (bwrap->file_label != NULL)
		add(&making, OP_FILE_LABEL)->source = bwrap->file_label;
	add(&making, OP_STORE)->b = INODES;
	add(&making, OP_ROOT);
	for (size_t i = 0; i < bwrap->wish_count; i++)
		add_wish(&making, &bwrap->wishes[i], making.sources[i]);
	add_end(&making);
	add_command(&making);
	finish(&making);
	return making.problem;
}
