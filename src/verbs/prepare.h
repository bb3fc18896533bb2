/*
 * From words to a plan: what `run` and `show` have in common.
 */
#ifndef CORDON_VERBS_PREPARE_H
#define CORDON_VERBS_PREPARE_H

#include "base/arena.h"
#include "host/facts.h"
#include "host/load.h"
#include "plan/plan.h"
#include "policy/policy.h"

struct prepared {
	struct arena arena;
	struct arena planning; /* of the plan, begun anew at each pass */
	struct load load;
	struct policy_context context;
	struct policy policy;
	struct facts facts;
	struct plan plan;
	struct arena afterwards; /* prepare_cause() */
};

/* Reads the words, looks at what they name and plans. All problems are in
 * policy.refusals; the plan is only whole when there are none. A root caller
 * that asks for another identity has it when this returns. */
void prepare(struct prepared *prepared, char **words, unsigned use);

/* Says every refusal on stderr, and as JSON on the status stream. Returns the
 * exit code, 0 when there are none. */
int prepare_refusals(struct prepared *prepared);

/* What may be why the command failed with this status, or NULL; costs a plan
 * more. */
const char *prepare_cause(struct prepared *prepared, int status);

#endif
