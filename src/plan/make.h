/*
 * The plan room's door: from policy and facts to a plan.
 */
#ifndef CORDON_PLAN_MAKE_H
#define CORDON_PLAN_MAKE_H

struct facts;
struct plan;
struct policy;
struct refusals;
struct text;
struct wants;

/* Makes a plan. When it leaves wants, facts are missing: the plan and the
 * refusals it added are worth nothing, answer the wants and call it again.
 * Everything is owned by the arena of the wants. */
void plan_make(const struct policy *policy, const struct facts *facts,
	       struct wants *wants, struct refusals *refusals,
	       struct plan *plan);

/* A fact that may be why the command failed with this status, or NULL: nothing
 * is known, or facts are missing, as above. Nothing of the plan is needed. */
const char *plan_cause(const struct policy *policy, const struct facts *facts,
		       struct wants *wants, int status);

/* The three forms of `cordon show`. */
void plan_print_ops(const struct plan *plan, struct text *out);
void plan_print_page(const struct policy *policy, const struct plan *plan,
		     struct text *out);
void plan_print_json(const struct policy *policy, const struct plan *plan,
		     struct text *out);

/* The two forms of `cordon explain`. */
void plan_print_answers(const struct plan *plan, struct text *out);
void plan_print_answers_json(const struct plan *plan, struct text *out);

#endif
