/*
 * Rules and what the facts say of their paths become entries: places in the
 * new root. Whatever cannot be is refused here, all of it.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"
#include "plan/build.h"

static const enum reason reason_of[] = {
	[RULE_READ] = REASON_BAD_READ,	      [RULE_WRITE] = REASON_BAD_WRITE,
	[RULE_OVERLAY] = REASON_BAD_OVERLAY,  [RULE_TMPFS] = REASON_BAD_TMPFS,
	[RULE_DEVICE] = REASON_BAD_DEVICE,    [RULE_MASK] = REASON_BAD_MASK,
	[RULE_PROTECT] = REASON_BAD_PROTECT,  [RULE_UNMASK] = REASON_BAD_UNMASK,
	[RULE_UNPROTECT] = REASON_BAD_UNMASK,
};

static const enum entry_kind entry_of[] = {
	[RULE_READ] = ENTRY_READ,	[RULE_WRITE] = ENTRY_WRITE,
	[RULE_OVERLAY] = ENTRY_OVERLAY, [RULE_TMPFS] = ENTRY_TMPFS,
	[RULE_DEVICE] = ENTRY_DEVICE,	[RULE_MASK] = ENTRY_MASK,
	[RULE_PROTECT] = ENTRY_PROTECT,
};

static unsigned want_of(const struct rule *rule)
{
	switch ((int)rule->kind) {
	case RULE_WRITE:
		return WANT_FD | WANT_WRITABLE;
	case RULE_OVERLAY:
		return WANT_FD | WANT_SUBMOUNTS;
	case RULE_READ:
	case RULE_DEVICE:
		return WANT_FD;
	default:
		return 0;
	}
}

struct entry *build_entry(struct build *build, enum entry_kind kind,
			  const char *dest)
{
	struct entry *entry;

	build->entries = arena_grow(build->arena, build->entries,
				    build->entry_count, sizeof(*entry));
	entry = &build->entries[build->entry_count];
	*entry = (struct entry){ .kind = kind,
				 .dest = dest,
				 .slot = -1,
				 .said = build->entry_count++ };
	return entry;
}

static void refuse_rule(struct build *build, const struct rule *rule,
			enum reason reason, const char *text, const char *mend)
{
	refuse(build->refusals, reason, &rule->origin, text, mend);
}

bool build_is_gone(int error)
{
	return error == ENOENT || error == ENOTDIR || error == ELOOP;
}

/* A member of a set, or what it links to, behind a directory that an earlier run
 * may have made unsearchable: its owner, who is the command too, could open it.
 * All of it is masked. What belongs to others stays shut by itself. */
static void mask_closed(struct build *build, const struct rule *rule,
			const char *real)
{
	const char *dir = path_parent(build->arena,
				      real != NULL ? real : rule->path);
	const struct path_fact *fact = build_fact(build, dir, 0);
	struct entry *entry;

	while (fact != NULL && fact->error == EACCES) {
		dir = path_parent(build->arena, dir);
		fact = build_fact(build, dir, 0);
	}
	if (fact == NULL || fact->error != 0 || fact->uid != build->facts->uid)
		return;
	entry = build_entry(build, ENTRY_MASK, fact->real);
	entry->source = fact->real;
	entry->fact = fact;
	entry->origin = rule->origin;
	entry->forced = true;
	build_note(build, arena_join(build->arena, fact->real,
				     " cannot be searched; all of it is masked",
				     NULL));
}

/* A path that is not there: skipped, or refused with the way to make it. */
static void meet_missing(struct build *build, const struct rule *rule,
			 const struct path_fact *fact)
{
	const char *mend = NULL;

	if (rule->optional &&
	    (fact->error == ENOENT || fact->error == ENOTDIR)) {
		if (rule->origin.set != NULL)
			return;
		build->skipped = arena_grow(build->arena, build->skipped,
					    build->skipped_count,
					    sizeof(*build->skipped));
		build->skipped[build->skipped_count++] = rule->path;
		return;
	}
	/* a set must not make the next run refuse */
	if (rule->optional && rule->origin.set != NULL &&
	    (rule->kind != RULE_MASK || build_is_gone(fact->error)))
		return;
	if (rule->optional && rule->kind == RULE_MASK &&
	    fact->error == EACCES) {
		mask_closed(build, rule, fact->real);
		return;
	}
	if (fact->error == ENOENT && rule->kind == RULE_WRITE)
		mend = text_quote_after(build->arena, "mkdir -p ", fact->asked);
	else if (fact->error == ENOENT &&
		 (rule->kind == RULE_READ || rule->kind == RULE_OVERLAY))
		mend = text_quote_after(build->arena,
					rule->kind == RULE_READ
						? "--read-try "
						: "--overlay-try ",
					rule->path);
	if (fact->error == ENOENT &&
	    (rule->kind == RULE_MASK || rule->kind == RULE_PROTECT)) {
		refuse_rule(build, rule, REASON_NOT_YET,
			    "does not exist; names that are missing are not "
			    "in this version",
			    text_quote_after(build->arena, "mkdir -p ",
					     fact->asked));
		return;
	}
	refuse_rule(build, rule, reason_of[rule->kind],
		    fact->error == ENOENT
			    ? "does not exist"
			    : arena_join(build->arena, "cannot be looked at: ",
					 fault_errno_name(fact->error), NULL),
		    mend);
}

/* Whose rights decide outside: one id is mapped and no capability is left, so
 * a root caller has no more than an owner's and everybody's. */
static bool foreign_to_root(const struct build *build,
			    const struct path_fact *fact)
{
	if (!build->facts->root || fact->uid == build->facts->uid)
		return false;
	if (fact->gid == build->facts->gid)
		return !(fact->mode & S_IWGRP);
	return !(fact->mode & S_IWOTH);
}

static bool check_write(struct build *build, const struct rule *rule,
			const struct path_fact *fact)
{
	if (fact->read_only_mount) {
		refuse_rule(
			build, rule, REASON_BAD_WRITE,
			"lies on a read-only mount",
			text_quote_after(build->arena, "--read ", rule->path));
		return false;
	}
	if (foreign_to_root(build, fact)) {
		refuse_rule(build, rule, REASON_BAD_WRITE,
			    arena_printf(build->arena,
					 "belongs to uid %u, and root has no "
					 "rights over others' files inside",
					 fact->uid),
			    arena_printf(build->arena, "--uid %u", fact->uid));
		return false;
	}
	return true;
}

static bool check_overlay(struct build *build, const struct rule *rule,
			  const struct path_fact *fact)
{
	const char *text = NULL;

	if (!S_ISDIR(fact->mode))
		text = "not a directory";
	else if (strcmp(fact->real, "/") == 0 ||
		 (rule->dest != NULL && strcmp(rule->dest, "/") == 0))
		text = "an overlay of / cannot be; overlay what is below";
	else if (fact->submounts)
		text = "a mount lies below it, which an overlay would lose";
	else if (build->facts->kernel < (6 << 8 | 6))
		text = "overlays need Linux 6.6: before, a directory of the "
		       "lower layer cannot be removed";
	if (text == NULL)
		return true;
	refuse_rule(build, rule, REASON_BAD_OVERLAY, text,
		    text_quote_after(build->arena, "--read ", rule->path));
	return false;
}

/* Of the minimal set, which every /dev has. */
static bool is_there_anyway(const struct path_fact *fact)
{
	const struct dev_name *dev = plan_find_dev(fact->real);

	return dev != NULL && dev->target == NULL;
}

static bool check_device(struct build *build, const struct rule *rule,
			 const struct path_fact *fact)
{
	if (is_there_anyway(fact))
		return false;
	if (S_ISCHR(fact->mode) || S_ISBLK(fact->mode))
		return true;
	refuse_rule(build, rule, REASON_BAD_DEVICE, "not a device node", NULL);
	return false;
}

/* How many names of the file rules of this kind, or masks, cover. */
static unsigned covered_names(struct build *build, enum rule_kind kind,
			      const struct path_fact *fact)
{
	const struct policy *policy = build->policy;
	struct map names;
	unsigned count = 0;

	map_init(&names, build->arena);
	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct rule *rule = &policy->rules[i];
		const struct path_fact *other;

		if (rule->kind != kind && rule->kind != RULE_MASK)
			continue;
		other = map_get(&build->facts->paths, rule->path);
		if (other == NULL || other->error != 0 ||
		    other->ino != fact->ino || other->dev != fact->dev ||
		    map_get(&names, other->real) != NULL ||
		    build_is_taken_away(build, rule))
			continue;
		map_put(&names, other->real, build);
		count++;
	}
	return count;
}

/* Names that other links still show. A set must not refuse what an earlier run
 * may have left: there it is a note. */
static bool check_links(struct build *build, const struct rule *rule,
			const struct path_fact *fact)
{
	if (!S_ISREG(fact->mode) || fact->nlink < 2 ||
	    covered_names(build, rule->kind, fact) >= fact->nlink)
		return true;
	if (rule->origin.set != NULL) {
		build_note(build,
			   arena_printf(build->arena,
					"%s has %u names; only this one is "
					"covered",
					fact->real, fact->nlink));
		return true;
	}
	if (build->policy->allow_hard_links)
		return true;
	refuse_rule(build, rule, REASON_HARD_LINKS,
		    arena_printf(build->arena,
				 "the file has %u names, and another one may "
				 "show it",
				 fact->nlink),
		    "--allow-hard-links");
	return false;
}

/* What is ours can be named by no rule. */
static bool check_place(struct build *build, const struct rule *rule,
			const char *dest)
{
	const char *text = NULL;

	if (path_is_under(dest, "/proc"))
		text = "/proc is always the sandbox's own (--proc)";
	else if (path_is_under(dest, "/dev") && rule->kind != RULE_DEVICE &&
		 rule->kind != RULE_TMPFS)
		text = "/dev is always the sandbox's own (--device)";
	else if (strcmp(dest, "/dev") == 0 || path_is_under(dest, "/dev/pts") ||
		 strcmp(dest, "/dev/ptmx") == 0 ||
		 strcmp(dest, "/dev/console") == 0)
		text = "/dev is always the sandbox's own";
	if (text == NULL)
		return true;
	refuse_rule(build, rule, reason_of[rule->kind], text, NULL);
	return false;
}

/* The outer /proc and /dev, and the host's /run, by another name. */
static bool check_source(struct build *build, const struct rule *rule,
			 const struct path_fact *fact)
{
	const char *text = NULL;

	if (rule->kind > RULE_OVERLAY || rule->dest == NULL)
		return true;
	if (path_is_under(fact->real, "/proc"))
		text = "the host's /proc is never shown";
	else if (path_is_under(fact->real, "/dev"))
		text = "the host's /dev is never shown (--device)";
	else if (strcmp(fact->real, "/") == 0 && strcmp(rule->dest, "/") != 0)
		text = "all of the host at another place would show its /proc, "
		       "/dev and /run";
	if (text == NULL)
		return true;
	refuse_rule(build, rule, reason_of[rule->kind], text, NULL);
	return false;
}

/* A bind of a socket is a way to the process behind it, whatever its mode. */
static bool check_socket(struct build *build, const struct rule *rule,
			 const struct path_fact *fact)
{
	if (!S_ISSOCK(fact->mode) || rule->kind > RULE_OVERLAY)
		return true;
	refuse_rule(build, rule, reason_of[rule->kind],
		    "a socket of the host; --socket is not in this version",
		    NULL);
	return false;
}

static bool check_rule(struct build *build, const struct rule *rule,
		       const struct path_fact *fact)
{
	const char *dest = rule->dest != NULL ? rule->dest : fact->real;

	if (!check_place(build, rule, dest) ||
	    !check_source(build, rule, fact) ||
	    !check_socket(build, rule, fact))
		return false;
	if (strcmp(dest, "/") == 0 && !S_ISDIR(fact->mode)) {
		refuse_rule(build, rule, reason_of[rule->kind],
			    "only a directory can be the root", NULL);
		return false;
	}
	switch (rule->kind) {
	case RULE_WRITE:
		return check_write(build, rule, fact);
	case RULE_OVERLAY:
		return check_overlay(build, rule, fact);
	case RULE_DEVICE:
		return check_device(build, rule, fact);
	case RULE_MASK:
	case RULE_PROTECT:
		return check_links(build, rule, fact);
	case RULE_READ:
	case RULE_TMPFS:
	case RULE_UNMASK:
	case RULE_UNPROTECT:
	case RULE_KINDS:
		return true;
	}
	return true;
}

static void add_tmpfs(struct build *build, const struct rule *rule)
{
	const struct path_fact *fact = build_fact(build, rule->path,
						  WANT_MISSING);
	struct entry *entry;
	const char *dest;

	if (fact == NULL)
		return;
	dest = fact->real != NULL ? fact->real : rule->path;
	if (path_has_control(dest)) {
		refuse_rule(build, rule, REASON_BAD_TMPFS,
			    "leads to a path with control characters", NULL);
		return;
	}
	if (!check_place(build, rule, dest))
		return;
	entry = build_entry(build, ENTRY_TMPFS, dest);
	entry->origin = rule->origin;
	entry->typed = true;
	entry->size = rule->size;
	entry->mode = 01777;
}

/* Most members of a set are not there. One look at what the home holds answers
 * for all of them, instead of one failing look-up each. */
static bool is_absent(struct build *build, const struct rule *rule)
{
	const struct policy_context *context = build->policy->context;
	const char *home = context->home;
	const struct path_fact *fact;
	const char *rest;

	if (home == NULL || !path_is_under(rule->path, home))
		home = context->own_home;
	if (rule->origin.set == NULL || home == NULL ||
	    !path_is_under(rule->path, home))
		return false;
	fact = build_fact(build, home, WANT_HOME);
	if (fact == NULL)
		return true;
	rest = path_below(rule->path, home);
	return fact->names != NULL &&
	       map_get(fact->names, arena_strndup(build->arena, rest,
						  strcspn(rest, "/"))) == NULL;
}

/* A place inside that lies behind a link of another rule (/bin is one into
 * /usr) is meant where the link leads. */
static const char *real_dest(struct build *build, const char *dest)
{
	const struct policy *policy = build->policy;

	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct rule *rule = &policy->rules[i];
		const struct path_fact *fact;

		if (rule->dest != NULL || rule->kind > RULE_OVERLAY ||
		    !path_is_under(dest, rule->path))
			continue;
		fact = map_get(&build->facts->paths, rule->path);
		if (fact != NULL && fact->error == 0 &&
		    strcmp(fact->real, rule->path) != 0)
			return path_join(build->arena, fact->real,
					 path_below(dest, rule->path));
	}
	return dest;
}

static void add_rule(struct build *build, const struct rule *rule)
{
	const struct path_fact *fact;
	struct entry *entry;

	if (is_absent(build, rule))
		return;
	fact = build_fact(build, rule->path, want_of(rule));
	if (fact == NULL)
		return;
	if (fact->error != 0) {
		meet_missing(build, rule, fact);
		return;
	}
	if (path_has_control(fact->real) && build_is_typed(&rule->origin)) {
		refuse_rule(build, rule, reason_of[rule->kind],
			    "leads to a path with control characters", NULL);
		return;
	}
	if (!check_rule(build, rule, fact))
		return;
	entry = build_entry(build, entry_of[rule->kind],
			    rule->dest != NULL ? real_dest(build, rule->dest)
					       : fact->real);
	entry->source = fact->real;
	entry->fact = fact;
	entry->origin = rule->origin;
	entry->typed = build_is_typed(&rule->origin);
}

static bool any_exception(const struct policy *policy)
{
	for (size_t i = 0; i < policy->rule_count; i++) {
		if (policy->rules[i].kind == RULE_UNMASK ||
		    policy->rules[i].kind == RULE_UNPROTECT)
			return true;
	}
	return false;
}

void build_rules(struct build *build)
{
	const struct policy *policy = build->policy;
	bool exceptions = any_exception(policy);

	build_env_files(build);
	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct rule *rule = &policy->rules[i];

		if (rule->kind == RULE_UNMASK || rule->kind == RULE_UNPROTECT)
			build_check_exception(build, rule);
		else if (rule->kind == RULE_TMPFS)
			add_tmpfs(build, rule);
		else if (!exceptions || !build_is_excepted(build, rule))
			add_rule(build, rule);
	}
	for (size_t i = 0; i < build->found_count; i++) {
		if (!exceptions || !build_is_excepted(build, &build->found[i]))
			add_rule(build, &build->found[i]);
	}
}
