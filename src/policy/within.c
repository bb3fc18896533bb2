/*
 * --within: a second policy, which this one may only narrow. Here is what words
 * alone can tell; which roots lie in which is for the plan, which has the facts.
 */
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "policy/apply.h"
#include "policy/policy.h"
#include "policy/words.h"

/* One policy against one of those that it may only narrow. */
struct pair {
	struct policy *policy;
	const struct policy *outer;
	const char *file;
};

static void take_refusals(struct policy *policy, const struct policy *outer)
{
	for (size_t i = 0; i < outer->refusals.count; i++) {
		const struct refusal *item = &outer->refusals.items[i];

		refuse(&policy->refusals, item->reason, &item->origin,
		       item->text, item->mend);
	}
	for (size_t i = 0; i < outer->named_count; i++) {
		policy->named = arena_grow(policy->arena, policy->named,
					   policy->named_count,
					   sizeof(*policy->named));
		policy->named[policy->named_count++] = outer->named[i];
	}
}

void apply_within(struct policy *policy, const char *value)
{
	struct policy *outer;
	const char *file, *text;

	if (!words_load(policy, value, &file, &text))
		return;
	outer = arena_alloc(policy->arena, sizeof(*outer));
	policy_init(outer, policy->arena, policy->context);
	outer->use = policy->use;
	outer->profile_depth = policy->profile_depth + 1;
	outer->profile_count = policy->profile_count + 1;
	policy_read_profile(outer, file, text);
	within_narrow(outer);
	policy->profile_count = outer->profile_count;
	take_refusals(policy, outer);
	policy->outers = arena_grow(policy->arena, policy->outers,
				    policy->outer_count,
				    sizeof(*policy->outers));
	policy->outers[policy->outer_count++] =
		(struct outer){ file, outer, policy->current };
}

static void refuse_wider(struct pair *pair, const struct origin *origin,
			 const char *than, const char *mend)
{
	refuse(&pair->policy->refusals, REASON_WIDER, origin,
	       arena_join(pair->policy->arena, "wider than ", than, NULL),
	       mend);
}

/* The outer's words, or its default where it says nothing. */
static const char *words_or(struct pair *pair, const struct origin *origin,
			    const char *fallback)
{
	if (origin->option != NULL)
		return origin_words(pair->policy->arena, origin);
	return arena_join(pair->policy->arena, "the default of ", pair->file,
			  ": ", fallback, NULL);
}

static void check_switch(struct pair *pair, bool inner, bool outer,
			 const struct origin *origin)
{
	if (!inner || outer)
		return;
	refuse_wider(pair, origin,
		     arena_join(pair->policy->arena, "the default of ",
				pair->file, ": no --", origin->option, NULL),
		     NULL);
}

static void check_kinds(struct pair *pair)
{
	const struct policy *policy = pair->policy, *outer = pair->outer;

	if (policy->net == NET_HOST && outer->net != NET_HOST)
		refuse_wider(pair, &policy->net_origin,
			     words_or(pair, &outer->net_origin, "--net none"),
			     "--net none");
	if (policy->proc == PROC_NEW && outer->proc == PROC_NONE)
		refuse_wider(pair, &policy->proc_origin,
			     words_or(pair, &outer->proc_origin, ""),
			     "--proc none");
	check_switch(pair, policy->nested, outer->nested,
		     &policy->nested_origin);
	check_switch(pair, policy->allow_abstract, outer->allow_abstract,
		     &policy->abstract_origin);
}

/* default, devel, none: each allows what the one before it does, and more. A
 * file can only be compared with itself. */
static int filter_width(const char *word)
{
	if (word == NULL || strcmp(word, "default") == 0)
		return 0;
	return strcmp(word, "devel") == 0 ? 1 : 2;
}

static bool is_file(const char *word)
{
	return word != NULL && strchr(word, '/') != NULL;
}

static bool filter_widens(const char *inner, const char *outer)
{
	if (is_file(inner) && is_file(outer))
		return strcmp(inner, outer) != 0;
	if (is_file(inner))
		return filter_width(outer) != 2;
	if (is_file(outer))
		return true;
	return filter_width(inner) > filter_width(outer);
}

static void check_filter(struct pair *pair)
{
	const struct setting *inner = &pair->policy->seccomp;
	const struct setting *outer = &pair->outer->seccomp;

	if (filter_widens(inner->word, outer->word))
		refuse_wider(
			pair, &inner->origin,
			words_or(pair, &outer->origin, "--seccomp default"),
			text_quote_after(pair->policy->arena, "--seccomp ",
					 outer->word != NULL ? outer->word
							     : "default"));
}

static void check_limit(struct pair *pair, enum limit_kind kind)
{
	const struct limit_rule *inner = &pair->policy->limits[kind];
	const struct limit_rule *outer = &pair->outer->limits[kind];
	bool none = !outer->set && kind == LIMIT_CORE;

	if (!inner->set || (!outer->set && !none) ||
	    inner->value <= (none ? 1 : outer->value))
		return;
	refuse_wider(pair, &inner->origin,
		     words_or(pair, &outer->origin, "--limit core=1"),
		     arena_join(pair->policy->arena, "--limit ",
				none ? "core=1" : outer->origin.word, NULL));
}

static void check_limits(struct pair *pair)
{
	const struct number_setting *inner = &pair->policy->timeout;
	const struct number_setting *outer = &pair->outer->timeout;

	for (unsigned kind = 0; kind < LIMIT_KINDS; kind++)
		check_limit(pair, (enum limit_kind)kind);
	if (outer->set && inner->value > outer->value)
		refuse_wider(pair, &inner->origin,
			     words_or(pair, &outer->origin, ""),
			     arena_join(pair->policy->arena, "--timeout ",
					outer->origin.word, NULL));
}

/* Another id has rights on other files: no order, only the same. */
static void check_id(struct pair *pair, const struct number_setting *inner,
		     const struct number_setting *outer)
{
	if (!inner->set || (outer->set && inner->value == outer->value))
		return;
	refuse_wider(pair, &inner->origin,
		     words_or(pair, &outer->origin, "the caller's own id"),
		     outer->set ? arena_join(pair->policy->arena, "--",
					     outer->origin.option, " ",
					     outer->origin.word, NULL)
				: NULL);
}

static void check_keep(struct pair *pair)
{
	const struct policy *policy = pair->policy;

	/* a profile cannot name any */
	for (size_t i = 0; i < policy->keep_count; i++)
		refuse_wider(pair, &policy->keep[i].origin,
			     arena_join(policy->arena, "the default of ",
					pair->file, ": no descriptor above 2",
					NULL),
			     NULL);
}

/* A name that the outer drops may not come back; the caller's value may not
 * where the outer gives one of its own. Patterns out of sets pass on what is
 * left, which the plan sees to. */
static void check_variable(struct pair *pair, const struct env_rule *inner)
{
	const struct env_rule *rule;
	enum env_fate fate;

	if (inner->origin.set != NULL ||
	    (inner->kind != ENV_SET && inner->kind != ENV_PASS))
		return;
	fate = policy_env_fate(pair->outer, inner->name, &rule);
	if (fate == ENV_PASSES || (fate == ENV_GIVEN && inner->kind == ENV_SET))
		return;
	refuse_wider(pair, &inner->origin,
		     rule != NULL
			     ? origin_words(pair->policy->arena, &rule->origin)
			     : words_or(pair, &(struct origin){ 0 },
					"--unset-env @agent-env"),
		     NULL);
}

static void check(struct pair *pair)
{
	check_kinds(pair);
	check_filter(pair);
	check_limits(pair);
	check_id(pair, &pair->policy->uid, &pair->outer->uid);
	check_id(pair, &pair->policy->gid, &pair->outer->gid);
	check_keep(pair);
	for (size_t i = 0; i < pair->policy->env_count; i++)
		check_variable(pair, &pair->policy->env[i]);
}

/* The least of what several outers say, where these words say nothing. */
static void take_limits(struct policy *policy, const struct policy *said,
			const struct policy *outer)
{
	for (unsigned kind = 0; kind < LIMIT_KINDS; kind++) {
		struct limit_rule *mine = &policy->limits[kind];
		const struct limit_rule *limit = &outer->limits[kind];

		if (!said->limits[kind].set && limit->set &&
		    (!mine->set || limit->value < mine->value))
			*mine = *limit;
	}
	if (!said->timeout.set && outer->timeout.set &&
	    (!policy->timeout.set ||
	     outer->timeout.value < policy->timeout.value))
		policy->timeout = outer->timeout;
}

static void take_rest(struct policy *policy, const struct policy *outer)
{
	if (policy->root.word == NULL)
		policy->root = outer->root;
	if (policy->seccomp.word == NULL && is_file(outer->seccomp.word))
		policy->seccomp = outer->seccomp;
	if (!policy->uid.set)
		policy->uid = outer->uid;
	if (!policy->gid.set)
		policy->gid = outer->gid;
	if (policy->proc_origin.option == NULL && outer->proc == PROC_NONE) {
		policy->proc = PROC_NONE;
		policy->proc_origin = outer->proc_origin;
	}
}

void within_narrow(struct policy *policy)
{
	const struct policy said = *policy;

	for (size_t i = 0; i < policy->outer_count; i++) {
		take_limits(policy, &said, policy->outers[i].policy);
		take_rest(policy, policy->outers[i].policy);
	}
	for (size_t i = 0; i < policy->outer_count; i++) {
		struct pair pair = { policy, policy->outers[i].policy,
				     policy->outers[i].file };

		check(&pair);
	}
}
