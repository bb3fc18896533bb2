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

struct build;
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

/* What an attempt gives. */
enum { TRY_OK = 0, TRY_DEPENDS = -1, TRY_NONE = -2 };

struct loser {
	struct origin origin;
	const char *why;
	const struct loser *next;
};

struct answer {
	const char *asked;
	bool address;
	const char *place;  /* where it leads inside */
	const char *object; /* of the host, or NULL */
	const char *kind;   /* "write root", "absent" */
	bool ruled;	    /* origin is of a rule */
	struct origin origin;
	const struct loser *losers;
	int read, write, create, rename, connect; /* TRY_* or an errno */
	const char *mend; /* words that would open it, or NULL */
	const char *note;
};

#endif
