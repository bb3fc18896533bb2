/*
 * cordon explain: which rule decides about a path, and what that gives.
 */
#include "base/text.h"
#include "plan/make.h"
#include "policy/options.h"
#include "verbs/prepare.h"
#include "verbs/verbs.h"

int verb_explain(char **words)
{
	static struct prepared prepared;
	struct text out;
	int code;

	prepare(&prepared, words, USE_EXPLAIN);
	code = prepare_refusals(&prepared);
	if (code != 0)
		return code;
	text_init(&out, &prepared.arena);
	if (prepared.policy.json)
		plan_print_answers_json(&prepared.plan, &out);
	else
		plan_print_answers(&prepared.plan, &out);
	return verb_say(&out);
}
