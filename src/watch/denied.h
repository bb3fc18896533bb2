/*
 * What was denied during a run: told as it happens, counted, and told once
 * more at the end. The same thing again is counted and not told again.
 */
#ifndef CORDON_WATCH_DENIED_H
#define CORDON_WATCH_DENIED_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"

struct plan;
struct status;

enum denied_kind { DENIED_NET, DENIED_FILE, DENIED_CALL, DENIED_KINDS };

struct denial {
	enum denied_kind kind;
	const char *operation; /* "connect", "write"; not copied */
	const char *object;    /* an address with its port, a name, a path */
	const char *rule;      /* as it would be typed */
	const char *allow;     /* the words that would allow it, or NULL */
	int error;	       /* errno, or 0 where there is none */
	pid_t pid;	       /* the process inside, 0 where it is not known */
	pid_t outside;	       /* and its number in the supervisor's /proc */
	const char *command;   /* what the kernel calls it, or NULL */
	uint64_t count;
};

struct denied {
	struct status *status; /* borrowed */
	struct arena arena;
	struct denial *items; /* of distinct things, in the order they came */
	size_t count;
	uint64_t total[DENIED_KINDS]; /* of all denials */
	uint64_t untold;	      /* of those for which there was no room */
};

/* Counts a denial; one of a new kind is told at once. The strings are copied
 * where they are kept. */
void denied_add(struct denied *denied, const struct denial *what);

/* At the end: how often each thing was denied that was denied repeatedly. */
void denied_finish(struct denied *denied, const struct plan *plan);

/* The summary on standard error. */
void denied_report(const struct denied *denied);

/* "net", "file", "call". */
const char *denied_kind_name(enum denied_kind kind);

void denied_done(struct denied *denied);

#endif
