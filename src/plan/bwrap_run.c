/*
 * bubblewrap's command: its namespaces, ids and capabilities, its directory and
 * variables, its filters, and who looks after it.
 */
#include <sched.h>
#include <string.h>
#include <sys/resource.h>

#include "base/arena.h"
#include "plan/bwrap_making.h"
#include "policy/bwrap.h"

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
		op = bwrap_op(making, OP_JOIN_USER);
		op->fd = bwrap->userns;
		op->a = id_or(bwrap->uid, UINT32_MAX);
		op->b = id_or(bwrap->gid, UINT32_MAX);
	}
	if (bwrap->pidns >= 0)
		bwrap_op(making, OP_JOIN_PID)->fd = bwrap->pidns;
	op = bwrap_op(making, OP_SPACES);
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
	op = bwrap_op(making, OP_MAP_UID);
	op->a = id_or(bwrap->uid, facts->uid);
	op->b = facts->uid;
	op = bwrap_op(making, OP_MAP_GID);
	op->a = id_or(bwrap->gid, facts->gid);
	op->b = facts->gid;
}

void bwrap_spaces(struct making *making)
{
	add_spaces(making);
	add_ids(making);
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

void bwrap_end(struct making *making)
{
	const struct bwrap *bwrap = making->bwrap;
	const struct facts *facts = making->build.facts;
	struct op *op;

	bwrap_op(making, OP_PIVOT);
	if (bwrap->userns2 >= 0) {
		op = bwrap_op(making, OP_JOIN_USER);
		op->fd = bwrap->userns2;
		op->flags = JOIN_LATER;
	} else if (bwrap->disable_userns) {
		op = bwrap_op(making, OP_NO_MORE_USERS);
		op->a = id_or(bwrap->uid, facts->uid);
		op->b = id_or(bwrap->gid, facts->gid);
	}
	if (bwrap->disable_userns || bwrap->assert_userns_disabled)
		bwrap_op(making, OP_NO_USERS_LEFT);
	op = bwrap_op(making, OP_CAPS);
	op->a = caps_of(making);
	if (bwrap->user || bwrap->userns >= 0)
		op->flags |= CAPS_BOUNDING;
	/* what root keeps without being asked ends with its id */
	if (bwrap->cap_count != 0)
		op->flags |= CAPS_AMBIENT;
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
	bwrap_op(making, OP_FIND_CWD);
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
			plan->envp[count++] = arena_strdup(making->build.arena,
							   *entry);
	}
	plan->pwd_at = count;
	plan->envp[count] = plan->cwds[0].entry;
}

static void add_filters(struct making *making)
{
	const struct bwrap *bwrap = making->bwrap;

	for (size_t i = 0; i < bwrap->program_count; i++) {
		struct op *op = bwrap_op(making, OP_OWN_FILTER);

		op->data = bwrap->programs[i].code;
		op->size = bwrap->programs[i].size;
	}
	if (bwrap->seccomp_fd >= 0)
		bwrap_op(making, OP_LATE_FILTER)->fd = bwrap->seccomp_fd;
}

/* The soft limit of descriptors was raised for the sources. */
static void give_back(struct making *making)
{
	struct op *op;

	if (making->build.facts->nofile_soft == 0)
		return;
	op = bwrap_op(making, OP_LIMIT);
	op->a = RLIMIT_NOFILE;
	op->b = making->build.facts->nofile_soft;
	op->flags = LIMIT_SOFT;
}

/* The command's words, and the same for a script without #!. Copies: what the
 * kernel shows of process 1 is wiped before the command can read it. */
static void add_words(struct making *making)
{
	struct arena *arena = making->build.arena;
	const struct bwrap *bwrap = making->bwrap;
	struct plan *plan = making->build.plan;
	size_t count = 0, size;

	while (bwrap->command[count] != NULL)
		count++;
	size = (count + 1) * sizeof(*plan->argv);
	plan->argv = arena_alloc(arena, size);
	for (size_t i = 0; i < count; i++)
		plan->argv[i] = arena_strdup(arena, bwrap->command[i]);
	plan->script = arena_alloc(arena, size + sizeof(*plan->argv));
	memcpy(plan->script + 1, plan->argv, size);
	plan->script[0] = arena_strdup(arena, "/bin/sh");
	bwrap_op(making, OP_SEARCH)->path = plan->argv[0];
	if (bwrap->argv0 != NULL)
		plan->argv[0] = arena_strdup(arena, bwrap->argv0);
}

void bwrap_command(struct making *making)
{
	const struct bwrap *bwrap = making->bwrap;

	add_cwds(making);
	add_env(making);
	if (bwrap->exec_label != NULL)
		bwrap_op(making, OP_LABEL)->source =
			arena_strdup(making->build.arena, bwrap->exec_label);
	add_filters(making);
	give_back(making);
	add_words(making);
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
		if (bwrap->wishes[i].fd >= 0 &&
		    bwrap->wishes[i].kind <= BWRAP_RO_BIND_FD)
			shut[count++] = bwrap->wishes[i].fd;
	}
	monitor->shut = shut;
	monitor->shut_count = count;
}

void bwrap_monitor(struct making *making)
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
		.is_root = making->build.facts->root,
		.held = arena_alloc(making->build.arena,
				    (bwrap->lock_count + 2) * sizeof(int)),
		.die_with_parent = bwrap->die_with_parent,
		.sync_fd = bwrap->sync_fd,
		.block_fd = bwrap->block_fd,
		.userns_block_fd = bwrap->userns_block_fd,
		.info_fd = bwrap->info_fd,
		.json_fd = bwrap->json_status_fd,
		.locks = bwrap->locks,
		.lock_count = bwrap->lock_count,
	};
	set_shut(making, monitor);
	for (int fd = 0; fd < 3; fd++)
		plan->fd_closed[fd] = making->build.facts->stdio[fd] == FD_SHUT;
	plan->monitor = monitor;
}
