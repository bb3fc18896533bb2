/*
 * How a run ended, and what that is called.
 */
#ifndef CORDON_WATCH_OUTCOME_H
#define CORDON_WATCH_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/handshake.h"
#include "watch/denied.h"

struct plan;

enum ending {
	ENDING_LOST,	    /* init went without a word */
	ENDING_FAULT,	    /* the wall could not be built */
	ENDING_EXEC_FAILED, /* it stood, the command could not be executed */
	ENDING_COMMAND,	    /* the command ran and ended */
};

enum cause {
	CAUSE_COMMAND, /* by itself */
	CAUSE_TIMEOUT,
	CAUSE_LIMIT,
	CAUSE_STOPPED, /* by a signal that was sent to the supervisor */
	CAUSE_LOST,
	CAUSE_DENIED, /* it succeeded, but something was denied */
	CAUSES,
};

struct outcome {
	enum ending ending;
	bool is_timed_out;
	int cut_short;	    /* signal for which a hung init was killed */
	uint64_t forwarded; /* bit N - 1: signal N was passed to the command */
	int raw;	    /* wait status of the command */
	int init_status;    /* wait status of init, when it was reaped */
	unsigned unkillable;
	uint64_t oom_kills;	       /* by the limit of memory */
	uint64_t denied[DENIED_KINDS]; /* how often, as far as watched */
	bool is_unwatched;	  /* this machine does not let it be watched */
	bool is_failed_on_denied; /* it was, and that is to be a failure */
	struct fault fault;
	struct hello_usage usage;
};

/* cordon's exit code. */
int outcome_code(const struct outcome *outcome);

/* Whether the command was started, as far as is known. */
bool outcome_has_run(const struct outcome *outcome);

/* Whether the command failed by itself: no signal, no limit, none of us. */
bool outcome_is_failure(const struct outcome *outcome, const struct plan *plan);

/* The signal that killed the command, 0 for none. */
int outcome_signal(const struct outcome *outcome);

/* The name of the limit that the command ran into, or NULL. */
const char *outcome_limit(const struct outcome *outcome,
			  const struct plan *plan);

enum cause outcome_cause(const struct outcome *outcome,
			 const struct plan *plan);
const char *outcome_cause_name(enum cause cause);

#endif
