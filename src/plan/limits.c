/*
 * Limits that are in force, or refused. Never pretended.
 */
#include <string.h>
#include <sys/resource.h>

#include "base/arena.h"
#include "base/text.h"
#include "plan/build.h"

static const int resource_of[LIMIT_KINDS] = {
	[LIMIT_PROCS] = RLIMIT_NPROC,
	[LIMIT_MEMORY] = -1,
	[LIMIT_CPUS] = -1,
	[LIMIT_DATA] = RLIMIT_DATA,
	[LIMIT_ADDRESS_SPACE] = RLIMIT_AS,
	[LIMIT_FILES] = RLIMIT_NOFILE,
	[LIMIT_FILE_SIZE] = RLIMIT_FSIZE,
	[LIMIT_CPU_TIME] = RLIMIT_CPU,
	[LIMIT_STACK] = RLIMIT_STACK,
	[LIMIT_CORE] = RLIMIT_CORE,
};

static const char *const controller_of[LIMIT_KINDS] = {
	[LIMIT_PROCS] = "pids",
	[LIMIT_MEMORY] = "memory",
	[LIMIT_CPUS] = "cpu",
};

static bool has_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	while (words != NULL && *words != '\0') {
		size_t n = strcspn(words, " ");

		if (n == length && strncmp(words, word, n) == 0)
			return true;
		words += n;
		words += strspn(words, " ");
	}
	return false;
}

/* RLIMIT_NPROC counts this sandbox only, in its own user namespace, but never
 * holds for the host's root. */
static bool needs_cgroup(const struct build *build, enum limit_kind kind)
{
	if (kind == LIMIT_PROCS)
		return build->facts->root;
	return resource_of[kind] < 0;
}

bool build_needs_cgroup(const struct build *build)
{
	for (unsigned kind = 0; kind < LIMIT_KINDS; kind++) {
		if (build->policy->limits[kind].set &&
		    needs_cgroup(build, (enum limit_kind)kind))
			return true;
	}
	return false;
}

static void note_limit(struct build *build, enum limit_kind kind)
{
	build->limits = arena_grow(build->arena, build->limits,
				   build->limit_count, sizeof(*build->limits));
	build->limits[build->limit_count++] = arena_printf(
		build->arena, "%s=%llu", limit_name(kind),
		(unsigned long long)build->policy->limits[kind].value);
}

static void add_setting(struct text *settings, enum limit_kind kind,
			uint64_t value)
{
	if (kind == LIMIT_PROCS) {
		text_printf(settings, "pids.max=%llu\n",
			    (unsigned long long)value);
	} else if (kind == LIMIT_MEMORY) {
		text_printf(settings, "memory.max=%llu\nmemory.swap.max=0\n",
			    (unsigned long long)value);
	} else {
		/* thousandths of a processor in a period of 100 ms */
		text_printf(settings, "cpu.max=%llu 100000\n",
			    (unsigned long long)value * 100);
	}
}

static void refuse_cgroup(struct build *build, enum limit_kind kind)
{
	const char *text =
		kind == LIMIT_PROCS
			? "has no effect for root without a pids cgroup that "
			  "may be written"
			: "needs a cgroup that is delegated to this user, with "
			  "that controller";

	refuse(build->refusals, REASON_BAD_LIMIT,
	       &build->policy->limits[kind].origin, text,
	       build->facts->root
		       ? "--uid 1000"
		       : "systemd-run --user --scope -p Delegate=yes cordon");
}

void build_cgroup(struct build *build)
{
	const struct facts *facts = build->facts;
	struct text settings;
	struct op *op;

	text_init(&settings, build->arena);
	for (unsigned kind = 0; kind < LIMIT_KINDS; kind++) {
		if (!build->policy->limits[kind].set ||
		    !needs_cgroup(build, (enum limit_kind)kind))
			continue;
		if (facts->cgroup == NULL ||
		    !has_word(facts->cgroup_controllers, controller_of[kind]))
			refuse_cgroup(build, (enum limit_kind)kind);
		else
			add_setting(&settings, (enum limit_kind)kind,
				    build->policy->limits[kind].value);
	}
	if (settings.length == 0)
		return;
	op = build_op(build, OP_CGROUP);
	op->source = facts->cgroup;
	op->data = settings.bytes;
	op->size = settings.length;
}

static void add_limit(struct build *build, int resource, uint64_t value)
{
	struct op *op = build_op(build, OP_LIMIT);

	op->a = (uint64_t)resource;
	op->b = value;
}

void build_limits(struct build *build)
{
	const struct limit_rule *limits = build->policy->limits;

	for (unsigned kind = 0; kind < LIMIT_KINDS; kind++) {
		if (!limits[kind].set)
			continue;
		note_limit(build, (enum limit_kind)kind);
		if (kind == LIMIT_PROCS || resource_of[kind] < 0)
			continue;
		add_limit(build, resource_of[kind], limits[kind].value);
	}
	/* 0 would still feed a core_pattern that is a pipe, on the host */
	if (!limits[LIMIT_CORE].set)
		add_limit(build, RLIMIT_CORE, 1);
	if (build->facts->nofile_soft != 0 && !limits[LIMIT_FILES].set) {
		add_limit(build, RLIMIT_NOFILE, build->facts->nofile_soft);
		build->plan->ops[build->plan->op_count - 1].flags = LIMIT_SOFT;
	}
}
