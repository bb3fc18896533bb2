/*
 * Where a word of the policy was said.
 */
#ifndef CORDON_POLICY_ORIGIN_H
#define CORDON_POLICY_ORIGIN_H

/* Ordered by who may override whom: a later place may tighten an earlier. */
enum place {
	PLACE_DEFAULT, /* what every run starts from */
	PLACE_PROFILE, /* file and line */
	PLACE_ARGS,    /* --args; line counts words */
	PLACE_CLI,
};

struct origin {
	enum place place;
	const char *option; /* name without dashes; NULL for the command */
	const char *word;   /* value as typed, NULL when it has none */
	const char *set;    /* "@secrets" when the word came out of a set */
	const char *file;   /* profile */
	unsigned line;
};

#endif
