/*
 * The policy as a whole: how it begins and how it ends.
 */
#include <string.h>

#include "policy/apply.h"
#include "policy/policy.h"

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

/* The defaults are said last and rank lowest: any word may override them. */
void policy_finish(struct policy *policy)
{
	policy->current = (struct origin){ .place = PLACE_DEFAULT,
					   .option = "read",
					   .word = "@system" };
	if (!policy->no_system && policy->root.word == NULL)
		apply_read(policy, "@system");
	policy->current.option = "mask";
	policy->current.word = "@secrets";
	apply_mask(policy, "@secrets");
}
