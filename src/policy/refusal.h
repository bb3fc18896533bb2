/*
 * Refusals: every problem of a policy, collected and said together. No parser
 * or validator prints or stops; it adds a refusal and goes on.
 */
#ifndef CORDON_POLICY_REFUSAL_H
#define CORDON_POLICY_REFUSAL_H

#include <stddef.h>

#include "policy/origin.h"

struct arena;

enum reason {
	REASON_BAD_OPTION,
	REASON_BAD_VALUE,
	REASON_BAD_READ,
	REASON_BAD_WRITE,
	REASON_BAD_OVERLAY,
	REASON_BAD_MASK,
	REASON_BAD_PROTECT,
	REASON_BAD_UNMASK,
	REASON_BAD_TMPFS,
	REASON_BAD_DEVICE,
	REASON_BAD_ROOT,
	REASON_BAD_TMP,
	REASON_BAD_HOME,
	REASON_BAD_CWD,
	REASON_BAD_NET,
	REASON_BAD_ENV,
	REASON_BAD_SECCOMP,
	REASON_BAD_LIMIT,
	REASON_BAD_TIMEOUT,
	REASON_BAD_HOSTNAME,
	REASON_BAD_USER,
	REASON_BAD_FD,
	REASON_BAD_PROFILE,
	REASON_CONFLICT,
	REASON_WIDER,
	REASON_HARD_LINKS,
	REASON_NO_TARGET,
	REASON_NO_COMMAND,
	REASON_NOT_FOUND,
	REASON_NOT_EXECUTABLE,
	REASON_NEEDS_READ,
	REASON_NOT_YET,
	REASON_UNSUPPORTED,
	REASON_KEYRING_QUOTA,
	REASON_KINDS,
};

struct refusal {
	enum reason reason;
	struct origin origin;
	const char *text; /* what is wrong, without the words and the token */
	const char *mend; /* a line to paste, or NULL */
};

struct refusals {
	struct arena *arena;
	struct refusal *items;
	size_t count;
};

/* Adds one. Text and mend are borrowed for the life of the arena. */
void refuse(struct refusals *refusals, enum reason reason,
	    const struct origin *origin, const char *text, const char *mend);

/* "bad_read", as on stderr and on the status stream. */
const char *reason_name(enum reason reason);

/* One sentence for the manual's table and `cordon features`. */
const char *reason_help(enum reason reason);

/* The words as the user wrote them and where: "--read ./x",
 * "read ./x (ci.profile:3)", "@secrets ~/.ssh". */
const char *origin_words(struct arena *arena, const struct origin *origin);

/* Where alone: "command line", "ci.profile:3", "--args, word 7", "default". */
const char *origin_said(struct arena *arena, const struct origin *origin);

/* What the launcher exits with: 127 and 126 only when nothing else is wrong. */
int refusals_exitcode(const struct refusals *refusals);

#endif
