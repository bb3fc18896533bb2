/*
 * Exceptions: which masks and protections they take away, and which of them
 * are none.
 */
#include <string.h>

#include "base/arena.h"
#include "plan/build.h"

bool build_is_typed(const struct origin *origin)
{
	return origin->set == NULL && origin->place != PLACE_DEFAULT;
}

/* Does an exception name this rule, by the typed or the canonical path? */
static bool excepts(struct build *build, const struct rule *exception,
		    const struct rule *rule)
{
	enum rule_kind kind = exception->kind == RULE_UNMASK ? RULE_MASK
							     : RULE_PROTECT;
	const struct path_fact *a, *b;

	if (rule->kind != kind)
		return false;
	if (strcmp(exception->path, rule->path) == 0)
		return true;
	a = build_fact(build, exception->path, 0);
	b = build_fact(build, rule->path, 0);
	return a != NULL && b != NULL && a->error == 0 && b->error == 0 &&
	       strcmp(a->real, b->real) == 0;
}

bool build_is_taken_away(struct build *build, const struct rule *rule)
{
	const struct policy *policy = build->policy;

	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct rule *exception = &policy->rules[i];

		if ((exception->kind == RULE_UNMASK ||
		     exception->kind == RULE_UNPROTECT) &&
		    excepts(build, exception, rule))
			return true;
	}
	return false;
}

/* A typed rule stands against a set's exception, and against one that was said
 * where it may only be tightened. */
static bool is_stronger(const struct rule *rule, const struct rule *exception)
{
	return build_is_typed(&rule->origin) &&
	       (exception->origin.set != NULL ||
		rule->origin.place > exception->origin.place);
}

/* Kept for explain: which of the two lost, and to what. */
static void pass_excepted(struct build *build, const struct rule *rule,
			  const struct rule *exception)
{
	const struct path_fact *fact = build_fact(build, rule->path, 0);
	struct passed passed = {
		.path = fact != NULL && fact->error == 0 ? fact->real
							 : rule->path,
	};

	if (is_stronger(rule, exception)) {
		passed.loser.origin = exception->origin;
		passed.loser.why = "what is typed stands against it";
	} else {
		passed.loser.origin = rule->origin;
		passed.loser.why = "taken away";
		passed.by = &exception->origin;
	}
	build_pass(build, &passed);
}

/* True when an exception takes the rule away. What was typed in one place with
 * the exception is a contradiction. */
bool build_is_excepted(struct build *build, const struct rule *rule)
{
	const struct policy *policy = build->policy;

	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct rule *exception = &policy->rules[i];

		if (exception->kind != RULE_UNMASK &&
		    exception->kind != RULE_UNPROTECT)
			continue;
		if (!excepts(build, exception, rule))
			continue;
		if (build->policy->subjects != NULL)
			pass_excepted(build, rule, exception);
		if (is_stronger(rule, exception))
			continue;
		if (build_is_typed(&rule->origin) &&
		    rule->origin.place == exception->origin.place) {
			refuse(build->refusals, REASON_CONFLICT, &rule->origin,
			       arena_join(build->arena, "contradicts ",
					  origin_words(build->arena,
						       &exception->origin),
					  NULL),
			       NULL);
		}
		return true;
	}
	return false;
}

/* An exception to nothing is a mistake of the user, or a typo. */
void build_check_exception(struct build *build, const struct rule *exception)
{
	const struct policy *policy = build->policy;

	if (exception->optional)
		return;
	for (size_t i = 0; i < policy->rule_count; i++) {
		if (excepts(build, exception, &policy->rules[i]))
			return;
	}
	for (size_t i = 0; i < build->found_count; i++) {
		if (excepts(build, exception, &build->found[i]))
			return;
	}
	refuse(build->refusals, REASON_BAD_UNMASK, &exception->origin,
	       "no set and no profile says anything of this path",
	       "cordon show");
}
