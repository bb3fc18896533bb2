/*
 * Named sets: many fixed paths or names under one word. Data, printed by
 * `cordon show --sets`.
 */
#ifndef CORDON_POLICY_SETS_H
#define CORDON_POLICY_SETS_H

#include <stdbool.h>
#include <stddef.h>

enum set_kind {
	SET_PATHS,
	SET_NAMES,    /* of environment variables */
	SET_PATTERNS, /* of names at the top of each write root */
};

struct set {
	const char *name; /* "@system" */
	enum set_kind kind;
	const char *help; /* one line */
	/* NULL-terminated; ~/ is the home, a ! takes a pattern's matches back */
	const char *const *members;
};

extern const struct set sets[];
extern const size_t set_count;

const struct set *set_find(const char *name);

/* Shell-style match of a variable name: * and ? only. */
bool set_matches(const char *pattern, const char *name);

#endif
