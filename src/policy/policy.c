/*
 * The policy as a whole: how it begins and how it ends.
 */
#include <string.h>

#include "policy/apply.h"
#include "policy/policy.h"
#include "policy/sets.h"

void policy_init(struct policy *policy, struct arena *arena,
		 const struct policy_context *context)
{
	*policy = (struct policy){ .arena = arena, .context = context };
	policy->refusals.arena = arena;
}

const char *policy_getenv(const struct policy *policy, const char *name)
{
	size_t length = strlen(name);

	for (char *const *at = policy->context->environ; *at != NULL; at++) {
		if (strncmp(*at, name, length) == 0 && (*at)[length] == '=')
			return *at + length + 1;
	}
	return NULL;
}

static bool is_agents(const char *name)
{
	const struct set *agents = set_find("@agent-env");

	for (const char *const *at = agents->members; *at != NULL; at++) {
		if (set_matches(*at, name))
			return true;
	}
	return false;
}

enum env_fate policy_env_fate(const struct policy *policy, const char *name,
			      const struct env_rule **rule)
{
	static const enum env_fate fates[] = {
		[ENV_SET] = ENV_GIVEN,
		[ENV_PASS] = ENV_PASSES,
		[ENV_UNSET] = ENV_HIDDEN,
		[ENV_CLEAR] = ENV_HIDDEN,
	};

	for (size_t i = policy->env_count; i > 0; i--) {
		const struct env_rule *last = &policy->env[i - 1];

		if (last->kind != ENV_CLEAR && !set_matches(last->name, name))
			continue;
		*rule = last;
		return fates[last->kind];
	}
	*rule = NULL;
	return is_agents(name) ? ENV_HIDDEN : ENV_PASSES;
}

/* The defaults are said last and rank lowest: any word may override them. */
void policy_finish(struct policy *policy)
{
	for (size_t i = 0; i < policy->outer_count; i++)
		policy_finish(policy->outers[i].policy);
	policy->current = (struct origin){ .place = PLACE_DEFAULT,
					   .option = "read",
					   .word = "@system" };
	if (!policy->no_system && policy->root.word == NULL)
		apply_read(policy, "@system");
	policy->current.option = "mask";
	policy->current.word = "@secrets";
	apply_mask(policy, "@secrets");
}
