/*
 * From bubblewrap's wishes to a plan. Nothing is sorted and nothing is added:
 * what was spoken is done, in that order.
 */
#ifndef CORDON_PLAN_BWRAP_H
#define CORDON_PLAN_BWRAP_H

struct bwrap;
struct facts;
struct plan;
struct wants;

/* Like plan_make. Returns NULL, or what cannot be done, in bubblewrap's words,
 * owned by the arena of the wants. */
const char *plan_make_bwrap(const struct bwrap *bwrap,
			    const struct facts *facts, struct wants *wants,
			    struct plan *plan);

#endif
