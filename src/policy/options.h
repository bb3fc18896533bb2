/*
 * The one table of options. It drives parsing, help, completions, `features`,
 * the fuzz dictionary and the drift tests.
 */
#ifndef CORDON_POLICY_OPTIONS_H
#define CORDON_POLICY_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct policy;

enum complete {
	COMPLETE_NOTHING,
	COMPLETE_PATH,
	COMPLETE_DIR,
	COMPLETE_FILE,
	COMPLETE_CHOICE, /* of `choices` */
};

enum option_use {
	USE_RUN = 1 << 0,     /* run, and show with the same meaning */
	USE_SHOW = 1 << 1,    /* only for show */
	USE_PROFILE = 1 << 2, /* may stand in a profile */
	USE_LATER = 1 << 3,   /* known by name, refused in this version */
	USE_EXPLAIN = 1 << 4, /* only for explain */
};

struct option {
	const char *name;
	const char *argument; /* placeholder, NULL when it takes none */
	unsigned use;
	enum complete complete;
	const char *choices; /* words with blanks between, or NULL */
	const char *help;    /* one line */
	/* Reads one value; policy->current says where it stands. */
	void (*set)(struct policy *policy, const char *value);
};

extern const struct option options[];
extern const size_t option_count;

/* By name without dashes; NULL when there is none. */
const struct option *option_find(const char *name);

/* The option whose name is nearest to a mistyped one, or NULL. */
const struct option *option_nearest(const char *name);

#endif
