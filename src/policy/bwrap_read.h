/*
 * Reading bubblewrap's words, inside the policy room.
 */
#ifndef CORDON_POLICY_BWRAP_READ_H
#define CORDON_POLICY_BWRAP_READ_H

#include "policy/bwrap.h"

/* Where the reading stands. */
struct bwrap_reading {
	struct bwrap *bwrap;
	enum bwrap_answer answer;
	size_t words;  /* read so far, those of --args included */
	bool is_ended; /* an answer is there */
	bool is_in_args;
	bool given[96];	     /* by row of the table */
	int mode;	     /* of --perms, for the next; -1 */
	uint64_t size;	     /* of --size, for the next; 0 */
	const char **layers; /* of --overlay-src, for the next */
	size_t layer_count;
};

enum bwrap_modifier {
	TAKES_MODE = 1 << 0,
	TAKES_SIZE = 1 << 1,
	TAKES_LAYERS = 1 << 2,
	IS_MODIFIER = 1 << 3, /* itself for a later option */
	ONCE = 1 << 4,	      /* twice is worth a warning */
	SAYS_ONE = 1 << 5,    /* "one argument" and not "an argument" */
	NO_EMPTY = 1 << 6,    /* its values are paths */
	LAST_PATH = 1 << 7,   /* its last value is one */
};

struct bwrap_option {
	const char *name, *values, *help; /* help NULL: not shown */
	unsigned words, flags;
	void (*read)(struct bwrap_reading *reading,
		     const struct bwrap_option *option, char **values);
	unsigned datum; /* of the reader: a kind or an offset */
	bool is_optional;
	const char *alias; /* the name that complaints use, or NULL */
};
extern const struct bwrap_option bwrap_options[];
extern const size_t bwrap_option_count;

/* Ends the reading with a fault, or with another answer. */
void bwrap_fail(struct bwrap_reading *reading, const char *text);
void bwrap_failf(struct bwrap_reading *reading, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void bwrap_answer(struct bwrap_reading *reading, enum bwrap_answer answer);

/* Words in place, from the command line or from --args; returns how many were
 * options, the rest being the command. */
size_t bwrap_read_words(struct bwrap_reading *reading, char **words,
			size_t count);

void bwrap_set_env(struct bwrap *bwrap, const char *name, const char *value);
void bwrap_unset_env(struct bwrap *bwrap, const char *name);

/* bwrap_caps.c: the number of a capability, -1 for all, -2 for none of them. */
int bwrap_cap_number(const char *name);

/* bwrap_check.c: what only all words together can say. */
void bwrap_check(struct bwrap_reading *reading);

#endif
