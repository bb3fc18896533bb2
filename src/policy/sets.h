/*
 * Named sets: many fixed paths or names under one word. Data, printed by
 * `cordon show --sets`.
 */
#ifndef CORDON_POLICY_SETS_H
#define CORDON_POLICY_SETS_H

#include <stdbool.h>
#include <stddef.h>

struct set {
	const char *name;	    /* "@system" */
	bool names;		    /* of environment variables, not paths */
	const char *help;	    /* one line */
	const char *const *members; /* NULL-terminated; ~/ is the home */
};

extern const struct set sets[];
extern const size_t set_count;

const struct set *set_find(const char *name);

/* Shell-style match of a variable name: * and ? only. */
bool set_matches(const char *pattern, const char *name);

#endif
