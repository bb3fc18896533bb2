/*
 * What the command's process is given: descriptors and the filter. And, for a
 * root caller, the masks over what others could not read.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/path.h"
#include "base/text.h"
#include "plan/build.h"

static const char *fd_problem(enum fd_state state)
{
	switch (state) {
	case FD_DIRECTORY:
		return "is a directory: paths through it would open the host";
	case FD_BLOCK:
		return "is a block device";
	case FD_PATH:
		return "is an O_PATH descriptor, which can be reopened";
	case FD_SHUT:
		return "is not open";
	case FD_FINE:
		return NULL;
	}
	return NULL;
}

static void check_stdio(struct build *build)
{
	static const char *const mends[] = { "< /dev/null", "> /dev/null",
					     "2> /dev/null" };
	static const char *const names[] = { "stdin", "stdout", "stderr" };

	for (int fd = 0; fd < 3; fd++) {
		enum fd_state state = build->facts->stdio[fd];
		struct origin origin = { .place = PLACE_CLI,
					 .word = names[fd] };

		build->plan->fd_closed[fd] = state == FD_SHUT;
		if (state != FD_SHUT && state != FD_FINE)
			refuse(build->refusals, REASON_BAD_FD, &origin,
			       fd_problem(state), mends[fd]);
	}
}

static void check_status(struct build *build)
{
	const struct number_setting *status = &build->policy->status_fd;

	if (!status->set)
		return;
	if (build->facts->status != FD_FINE)
		refuse(build->refusals, REASON_BAD_FD, &status->origin,
		       fd_problem(build->facts->status), NULL);
	if (build->facts->status_twin >= 0)
		refuse(build->refusals, REASON_BAD_FD, &status->origin,
		       arena_printf(build->arena,
				    "descriptor %d leads to the same, and the "
				    "command must not write to the status "
				    "stream",
				    build->facts->status_twin),
		       NULL);
}

void build_fds(struct build *build)
{
	const struct policy *policy = build->policy;
	int *fds = arena_alloc(build->arena,
			       (policy->keep_count + 1) * sizeof(*fds));

	check_stdio(build);
	check_status(build);
	for (size_t i = 0; i < policy->keep_count; i++) {
		const char *problem = fd_problem(build->facts->keep[i]);

		if (problem != NULL)
			refuse(build->refusals, REASON_BAD_FD,
			       &policy->keep[i].origin, problem, NULL);
		fds[i] = policy->keep[i].fd;
	}
	build->plan->keep_fds = fds;
	build->plan->keep_count = policy->keep_count;
	if (build->facts->root)
		build_op(build, OP_FDS)->flags = FDS_REOPEN;
	else
		build_op(build, OP_FDS);
}

static const char *filter_name(struct build *build)
{
	const char *name = build->policy->seccomp.word;

	if (name == NULL)
		name = "default";
	if (build->policy->nested && strchr(name, '/') == NULL &&
	    strcmp(name, "none") != 0)
		return arena_join(build->arena, name, "+nested", NULL);
	return name;
}

void build_filter(struct build *build)
{
	const char *name = filter_name(build);
	const struct filter_fact *fact = &build->facts->filter;
	struct op *op;

	build->plan->filter = name;
	if (strcmp(name, "none") == 0)
		return;
	if (strchr(name, '/') != NULL && fact->problem != NULL) {
		refuse(build->refusals, REASON_BAD_SECCOMP,
		       &build->policy->seccomp.origin, fact->problem, NULL);
		return;
	}
	op = build_op(build, OP_FILTER);
	op->source = name;
	if (strchr(name, '/') != NULL) {
		op->data = fact->program;
		op->size = fact->size;
	}
}

/* With the host's network no destination is denied. */
bool build_is_net_watched(const struct build *build)
{
	const struct policy *policy = build->policy;

	return policy->net == NET_NONE &&
	       (policy->status_fd.set || policy->report.set ||
		policy->fail_on_denied.set);
}

/* Ahead of the filter, so that a user's profile need not allow seccomp. */
void build_watch(struct build *build)
{
	const struct policy *policy = build->policy;
	bool is_net = build_is_net_watched(build);
	uint64_t flags = 0;

	if (!is_net && policy->fail_on_denied.set && !policy->report.set)
		refuse(build->refusals, REASON_NOT_YET,
		       &policy->fail_on_denied.origin,
		       "the host's network denies nothing; a report watches "
		       "files too",
		       "--report --fail-on denied");
	if (is_net)
		flags |= WATCH_NET;
	if (policy->report.set)
		flags |= WATCH_FILES;
	if (policy->report.set && strcmp(filter_name(build), "none") != 0)
		flags |= WATCH_CALLS;
	if (policy->report_all)
		flags |= WATCH_READS;
	if (policy->report.set || policy->fail_on_denied.set)
		flags |= WATCH_REQUIRED | (is_net ? WATCH_MESSAGES : 0);
	if (flags & (WATCH_NET | WATCH_FILES))
		build_op(build, OP_WATCH)->flags = flags;
}

static void mask_private(struct build *build, const char *path)
{
	const struct path_fact *fact = build_fact(build, path, 0);
	struct entry *entry;

	if (fact == NULL || fact->error != 0 || strcmp(fact->real, path) != 0 ||
	    (!S_ISREG(fact->mode) && !S_ISDIR(fact->mode)))
		return;
	entry = build_entry(build, ENTRY_MASK, path);
	entry->source = path;
	entry->fact = fact;
	entry->origin = (struct origin){ .place = PLACE_DEFAULT,
					 .option = "mask",
					 .word = path,
					 .set = "@system" };
}

static void refuse_private(struct build *build, const char *place)
{
	struct origin origin = { .place = PLACE_DEFAULT,
				 .option = "read",
				 .word = place,
				 .set = "@system" };

	refuse(build->refusals, REASON_BAD_MASK, &origin,
	       "what only root may read below it cannot be told, and would "
	       "be shown to this root caller",
	       "--no-system");
}

/* One id is mapped, so the command still owns root's files outside: what only
 * root could read of the configuration is hidden. */
void build_root_masks(struct build *build)
{
	static const char *const places[] = { "/etc", "/usr/local/etc" };
	const struct path_fact *fact;

	if (!build->facts->root || build->policy->no_system ||
	    build->policy->root.word != NULL)
		return;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		fact = build_fact(build, places[i], WANT_PRIVATE);
		if (fact == NULL || fact->error != 0 || !S_ISDIR(fact->mode))
			continue;
		if (fact->private == NULL) {
			refuse_private(build, places[i]);
			continue;
		}
		for (size_t j = 0; fact->private[j] != NULL; j++)
			mask_private(build, fact->private[j]);
	}
}
