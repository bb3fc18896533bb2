/*
 * cordon show: the plan, not carried out.
 */
#include "base/text.h"
#include "plan/make.h"
#include "policy/options.h"
#include "policy/sets.h"
#include "verbs/prepare.h"
#include "verbs/verbs.h"

static void add_sets(struct text *out)
{
	for (size_t i = 0; i < set_count; i++) {
		text_printf(out, "%s: %s\n", sets[i].name, sets[i].help);
		for (const char *const *at = sets[i].members; *at; at++)
			text_printf(out, "  %s\n", *at);
	}
}

static void add_plan(struct prepared *prepared, struct text *out)
{
	const struct policy *policy = &prepared->policy;

	if (policy->json)
		plan_print_json(policy, &prepared->plan, out);
	else if (policy->ops)
		plan_print_ops(&prepared->plan, out);
	else
		plan_print_page(policy, &prepared->plan, out);
}

int verb_show(char **words)
{
	static struct prepared prepared;
	struct text out;
	int code;

	prepare(&prepared, words, USE_SHOW);
	code = prepare_refusals(&prepared);
	if (code != 0)
		return code;
	text_init(&out, &prepared.arena);
	if (prepared.policy.sets)
		add_sets(&out);
	else
		add_plan(&prepared, &out);
	return verb_say(&out);
}
