/*
 * cordon check: a table of steps; each is made of attempts with the answers that
 * the plan promises. What an attempt does stands in probe.c.
 */
#ifndef CORDON_INSPECT_CHECK_H
#define CORDON_INSPECT_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "inspect/plan.h"
#include "inspect/planted.h"
#include "inspect/table.h"

struct arena;

/* In the order in which they are made and told. Loopback comes before what leads
 * further: see probe_net.c. */
enum step_id {
	STEP_OUTSIDE,
	STEP_SECRET,
	STEP_WRITE,
	STEP_READ,
	STEP_OVERLAY,
	STEP_MASK,
	STEP_PROCESSES,
	STEP_FDS,
	STEP_SPACES,
	STEP_TCP,
	STEP_UDP,
	STEP_ICMP,
	STEP_DNS,
	STEP_ABSTRACT,
	STEP_SOCKETS,
	STEP_TIOCSTI,
	STEP_KEYRING,
	STEP_NESTING,
	STEP_SETTINGS,
	STEP_FILTER,
	STEP_NO_NEW_PRIVS,
	STEP_CAPABILITIES,
	STEP_MOUNTS,
	STEP_KINDS,
};

enum { ATTEMPT_WORDS = 8 };

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Answers are words, and alternatives are split by spaces. Expected may be the
 * answer that the control gave. A control may have any answer, because two that
 * agree or something else prove it; or another one than inside, and then a step
 * is proven when one of its attempts is. */
#define EXPECT_SAME   "="
#define CONTROL_ANY   "*"
#define CONTROL_OTHER "~"

struct attempt {
	enum step_id step;
	const char *what;		  /* a path, an address, a call */
	const char *words[ATTEMPT_WORDS]; /* NULL: found, not tried */
	const char *expect;		  /* inside */
	const char *control;		  /* outside; NULL: no control */
	const char *control_words[ATTEMPT_WORDS]; /* words[0] NULL: the same */
	const char *got, *outside;
};

enum step_state { STATE_HOLDS, STATE_FAILS, STATE_UNPROVEN, STATE_NONE };

struct step {
	const char *name; /* of JSON */
	const char *what; /* of a line */
};
extern const struct step steps[STEP_KINDS];

struct check {
	struct arena *arena;
	const char *launcher, *self;
	const char **rules;	  /* NULL behind the last */
	bool as_json, reads_self; /* see argv_of in check.c */
	struct shown plan;
	struct planted planted;
	struct table outer; /* this process's own */
	unsigned uid, gid;  /* of the caller as the sandbox has it, outside */
	struct attempt *attempts;
	size_t count;
	const char *notes[STEP_KINDS]; /* what the rules themselves open */
};

/* One more attempt; what is not given is NULL. Borrowed by the caller until the
 * next one. */
struct attempt *check_try(struct check *check, enum step_id step,
			  const char *expect, const char *const *words);

/* An attempt that cannot be made here, so that its step is unproven. */
void check_cannot(struct check *check, enum step_id step, const char *what,
		  const char *why);

/* Something that was found and not tried. */
void check_found(struct check *check, enum step_id step, const char *what,
		 const char *expect, const char *got);

/* Whether the attempt's answer is one of those. */
bool check_fits(const char *expect, const char *got);

/* steps_files.c, steps_world.c: what the plan promises, as attempts. */
void steps_files(struct check *check);
void steps_world(struct check *check);

/* Notes why nothing could be planted; steps_files.c. */
void steps_lack_place(struct check *check, enum step_id step, const char *what);

/* The sandbox is not watched, so that the command has one filter less. */
void steps_unwatched(struct check *check);

/* What can be seen outside only when the sandbox has ended. */
void steps_afterwards(struct check *check);

/* words.c: sorts the words behind the verb, by the options that `cordon features`
 * has printed. Returns what is wrong with them, or NULL. */
const char *words_read(struct check *check, const char *const *words,
		       const char *features);

/* table.c: the mount table of a process, held against the plan. Returns 0, or
 * -errno when it cannot be read. */
int table_compare(struct check *check, pid_t pid);

/* verdict.c: says all, and returns the exit code. */
int verdict_tell(const struct check *check);

#endif
