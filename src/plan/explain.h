/*
 * What a path or address is inside, as `cordon explain` answers it: read off
 * the operations of the finished plan, never from a model of its own.
 */
#ifndef CORDON_PLAN_EXPLAIN_H
#define CORDON_PLAN_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/policy.h"

struct arena;
struct build;
struct entry;
struct path_fact;

/* One object inside, as the last mount at or above it shows it. */
struct node {
	int error;	   /* errno of the look-up; 0: it is there */
	uint32_t mode;	   /* type and permission bits */
	unsigned access;   /* R_OK, W_OK and X_OK of the command */
	bool read_only;	   /* of the mount */
	bool mount_point;  /* cannot be renamed */
	bool overlay;	   /* of the host, under an overlay */
	bool opaque;	   /* /proc or /dev: the kernel's to say */
	bool mine;	   /* belongs to the caller */
	const char *link;  /* text of a symbolic link */
	const char *place; /* canonical, inside */
	const char *host;  /* what of the host it is, or NULL */
};

/* A path walked as the command would: `dir` holds the name that `name` is,
 * and `object` is what the name leads to. */
struct found {
	struct node dir, name, object;
};

/* find.c: false when facts are still wanted. */
bool find_path(struct build *build, const char *path, struct found *found);

enum attempt {
	ATTEMPT_READ,
	ATTEMPT_WRITE,
	ATTEMPT_CREATE_IN, /* of a directory only */
	ATTEMPT_CREATE,	   /* beside it */
	ATTEMPT_RENAME,
	ATTEMPT_CONNECT,
	ATTEMPTS,
};

/* What an attempt gives, or an errno. */
enum { TRY_OK = 0, TRY_DEPENDS = -1, TRY_NONE = -2 };

/* attempts.c: what each attempt on a path gives; false when facts are still
 * wanted. The path is absolute, and as asked but for that. */
bool find_attempts(struct build *build, const char *path, struct found *found,
		   int tries[ATTEMPTS]);

struct loser {
	struct origin origin;
	const char *why;
	const struct loser *next;
};

struct answer {
	const char *asked;
	bool address;
	const char *path; /* absolute, of a path */
	struct found found;
	const char *place;  /* where it leads inside */
	const char *object; /* of the host, or NULL */
	const char *kind;   /* "write root", "absent" */
	bool ruled;	    /* origin is of a rule */
	struct origin origin;
	const struct loser *losers;
	int tries[ATTEMPTS];
	const char *mend; /* words that would open it, or NULL */
	const char *note;
};

/* A word that made no entry: it was taken away, or changes nothing. */
struct passed {
	const char *path; /* that it was about */
	struct loser loser;
	const struct origin *by; /* the exception that took it away, or NULL */
};

/* The entry whose rule decides about a place, or NULL. */
const struct entry *explain_entry(const struct build *build, const char *place);

/* mend.c: words that would open what the answer refuses, or NULL. `scratch` is
 * rewound. */
const char *explain_mend(struct build *build, const struct answer *answer,
			 struct arena *scratch);

#endif
