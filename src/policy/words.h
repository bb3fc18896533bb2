/*
 * Shared by the three mouths: one option with its value goes to its setter.
 */
#ifndef CORDON_POLICY_WORDS_H
#define CORDON_POLICY_WORDS_H

#include <stdbool.h>

#include "policy/refusal.h"

struct policy;
struct option;
struct origin;

/* policy->current says where; its option and word are filled here. */
void words_apply(struct policy *policy, const struct option *option,
		 const char *value);

/* Was a single value said where the word being read may not change it? The
 * command line stands above --args, and that above profiles, in any order. */
bool words_outranked(const struct policy *policy, const struct origin *said);

/* Refuses the word being read. */
void refuse_here(struct policy *policy, enum reason reason, const char *text,
		 const char *mend);

/* An option that does not exist, with the nearest that does; returns that one,
 * or NULL. */
const struct option *words_refuse_unknown(struct policy *policy,
					  const char *name);

/* Reads words until the command begins; returns where it begins, NULL when the
 * words end before. `count` words are numbered from 1 for PLACE_ARGS. */
char *const *words_read(struct policy *policy, char *const *words);

/* The text of a profile; false after a refusal. */
bool words_load(struct policy *policy, const char *name, const char **file,
		const char **text);

/* After all words: takes over what --within narrows and these words leave open,
 * and refuses what they widen. Roots wait for the facts. */
void within_narrow(struct policy *policy);

#endif
