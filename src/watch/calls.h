/*
 * Calls that the policy's filter denies, in words for people.
 */
#ifndef CORDON_WATCH_CALLS_H
#define CORDON_WATCH_CALLS_H

#include "base/arena.h"
#include "watch/denied.h"

struct plan;
struct seccomp_data;

/* Fills object, rule and allow. words are those that the filter has looked at,
 * as of bpf_run. The texts live until the arena is rewound. */
void calls_describe(const struct plan *plan, struct arena *arena,
		    const struct seccomp_data *data, unsigned words,
		    struct denial *denial);

#endif
