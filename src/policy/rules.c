/*
 * Setters of the options that take a path. A path is made absolute and clean
 * here; what it names is a matter for the facts.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/number.h"
#include "base/path.h"
#include "policy/apply.h"
#include "policy/policy.h"
#include "policy/sets.h"
#include "policy/words.h"

static const enum reason reason_of[RULE_KINDS] = {
	[RULE_READ] = REASON_BAD_READ,	      [RULE_WRITE] = REASON_BAD_WRITE,
	[RULE_OVERLAY] = REASON_BAD_OVERLAY,  [RULE_TMPFS] = REASON_BAD_TMPFS,
	[RULE_DEVICE] = REASON_BAD_DEVICE,    [RULE_MASK] = REASON_BAD_MASK,
	[RULE_PROTECT] = REASON_BAD_PROTECT,  [RULE_UNMASK] = REASON_BAD_UNMASK,
	[RULE_UNPROTECT] = REASON_BAD_UNMASK,
};

static struct rule *add_rule(struct policy *policy, enum rule_kind kind,
			     const char *path)
{
	struct rule *rule;

	policy->rules = arena_grow_from(policy->arena, policy->rules,
					policy->rule_count, sizeof(*rule), 128);
	rule = &policy->rules[policy->rule_count++];
	*rule = (struct rule){ .kind = kind,
			       .path = path,
			       .origin = policy->current };
	return rule;
}

/* A typed path as an absolute one, or NULL after a refusal. */
static const char *take_path(struct policy *policy, enum reason reason,
			     const char *path)
{
	if (*path == '\0') {
		refuse_here(policy, reason, "the path is empty", NULL);
		return NULL;
	}
	if (path_has_control(path)) {
		refuse_here(policy, reason,
			    "a path with control characters cannot be typed",
			    NULL);
		return NULL;
	}
	if (*path != '/' && policy->context->cwd == NULL) {
		refuse_here(policy, reason,
			    "relative, and the current directory is gone",
			    "cd /");
		return NULL;
	}
	return path_absolute(policy->arena, policy->context->cwd, path);
}

/* Where a member of a set lies, or NULL when there is no home. */
static const char *member_path(struct policy *policy, const char *member)
{
	const char *home = policy->context->home;

	if (*member != '~')
		return member;
	if (home == NULL)
		return NULL;
	return path_join(policy->arena, home, member + 2);
}

/* Secrets lie in the home that the user database names, also where HOME says
 * another one, or none: cron and system units set none. */
static void mask_own_home(struct policy *policy, const struct set *set)
{
	const char *home = policy->context->own_home;

	if (home == NULL || (policy->context->home != NULL &&
			     strcmp(home, policy->context->home) == 0))
		return;
	for (const char *const *member = set->members; *member; member++) {
		struct rule *rule;

		if (**member != '~')
			continue;
		rule = add_rule(policy, RULE_MASK,
				path_join(policy->arena, home, *member + 2));
		rule->optional = true;
		rule->origin.set = set->name;
		rule->origin.word = *member;
	}
}

static void add_set(struct policy *policy, enum rule_kind kind,
		    const char *name)
{
	const struct set *set = set_find(name);

	if (set != NULL && set->kind == SET_PATTERNS && kind == RULE_MASK) {
		policy->env_files.word = name;
		policy->env_files.origin = policy->current;
		return;
	}
	if (set == NULL || set->kind != SET_PATHS) {
		refuse_here(policy, reason_of[kind], "no such set of paths",
			    "cordon show --sets");
		return;
	}
	if (kind == RULE_WRITE || kind == RULE_PROTECT) {
		refuse_here(policy, reason_of[kind],
			    "a set can be read, overlaid or masked", NULL);
		return;
	}
	for (const char *const *member = set->members; *member; member++) {
		const char *path = member_path(policy, *member);
		struct rule *rule;

		if (path == NULL)
			continue;
		rule = add_rule(policy, kind, path);
		rule->optional = true;
		rule->origin.set = set->name;
		rule->origin.word = *member;
	}
	if (kind == RULE_MASK)
		mask_own_home(policy, set);
}

/* SRC:/DEST is split at the last ":/"; what has none is its own place. */
static void add_root(struct policy *policy, enum rule_kind kind,
		     const char *value, bool optional)
{
	enum reason reason = reason_of[kind];
	const char *split = NULL, *path, *dest = NULL;
	struct rule *rule;

	if (*value == '@') {
		add_set(policy, kind, value);
		return;
	}
	for (const char *at = strstr(value, ":/"); at != NULL;
	     at = strstr(at + 1, ":/"))
		split = at;
	if (split != NULL) {
		dest = take_path(policy, reason, split + 1);
		value = arena_strndup(policy->arena, value,
				      (size_t)(split - value));
	}
	path = take_path(policy, reason, value);
	if (path == NULL || (split != NULL && dest == NULL))
		return;
	if (dest != NULL && path_has_dotdot(dest)) {
		refuse_here(policy, reason, "the place inside has a .. in it",
			    NULL);
		return;
	}
	rule = add_rule(policy, kind, path);
	rule->dest = dest;
	rule->optional = optional;
}

static void add_path(struct policy *policy, enum rule_kind kind,
		     const char *value)
{
	const char *path;

	if (*value == '@') {
		add_set(policy, kind, value);
		return;
	}
	if (strpbrk(value, "*?[") != NULL) {
		refuse_here(policy, REASON_NOT_YET,
			    "patterns are not in this version; name each path",
			    NULL);
		return;
	}
	path = take_path(policy, reason_of[kind], value);
	if (path != NULL)
		add_rule(policy, kind, path);
}

void apply_read(struct policy *policy, const char *value)
{
	add_root(policy, RULE_READ, value, false);
}

void apply_read_try(struct policy *policy, const char *value)
{
	add_root(policy, RULE_READ, value, true);
}

void apply_write(struct policy *policy, const char *value)
{
	add_root(policy, RULE_WRITE, value, false);
}

void apply_write_try(struct policy *policy, const char *value)
{
	add_root(policy, RULE_WRITE, value, true);
}

void apply_overlay(struct policy *policy, const char *value)
{
	add_root(policy, RULE_OVERLAY, value, false);
}

void apply_overlay_try(struct policy *policy, const char *value)
{
	add_root(policy, RULE_OVERLAY, value, true);
}

void apply_mask(struct policy *policy, const char *value)
{
	add_path(policy, RULE_MASK, value);
}

void apply_protect(struct policy *policy, const char *value)
{
	add_path(policy, RULE_PROTECT, value);
}

void apply_unmask(struct policy *policy, const char *value)
{
	add_path(policy, RULE_UNMASK, value);
}

void apply_unprotect(struct policy *policy, const char *value)
{
	add_path(policy, RULE_UNPROTECT, value);
}

void apply_device(struct policy *policy, const char *value)
{
	const char *path = take_path(policy, REASON_BAD_DEVICE, value);

	if (path == NULL)
		return;
	if (!path_is_under(path, "/dev") || path_has_dotdot(path)) {
		refuse_here(policy, REASON_BAD_DEVICE,
			    "device nodes lie below /dev", NULL);
		return;
	}
	add_rule(policy, RULE_DEVICE, path);
}

void apply_tmpfs(struct policy *policy, const char *value)
{
	const char *option = strstr(value, ":size=");
	const char *path = value;
	uint64_t size = 0;

	if (option != NULL) {
		path = arena_strndup(policy->arena, value,
				     (size_t)(option - value));
		if (number_parse_size(option + 6, &size) != 0 || size == 0) {
			refuse_here(policy, REASON_BAD_TMPFS,
				    "size is a number with K, M, G or T", NULL);
			return;
		}
	}
	path = take_path(policy, REASON_BAD_TMPFS, path);
	if (path == NULL)
		return;
	if (path_has_dotdot(path) || strcmp(path, "/") == 0) {
		refuse_here(policy, REASON_BAD_TMPFS,
			    "a private place is a path below /, without ..",
			    NULL);
		return;
	}
	add_rule(policy, RULE_TMPFS, path)->size = size;
}

/* One directory, said once; a later word replaces an earlier one. */
static void set_dir(struct policy *policy, struct setting *setting,
		    enum reason reason, const char *value)
{
	const char *path = take_path(policy, reason, value);

	if (path == NULL || words_outranked(policy, &setting->origin))
		return;
	setting->word = path;
	setting->origin = policy->current;
}

void apply_root(struct policy *policy, const char *value)
{
	set_dir(policy, &policy->root, REASON_BAD_ROOT, value);
}

void apply_tmp(struct policy *policy, const char *value)
{
	set_dir(policy, &policy->tmp, REASON_BAD_TMP, value);
}

void apply_home(struct policy *policy, const char *value)
{
	set_dir(policy, &policy->home, REASON_BAD_HOME, value);
}

void apply_cwd(struct policy *policy, const char *value)
{
	set_dir(policy, &policy->cwd, REASON_BAD_CWD, value);
}
