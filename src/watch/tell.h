/*
 * What a run says: the events of the status stream and, where asked for, lines
 * on standard error.
 */
#ifndef CORDON_WATCH_TELL_H
#define CORDON_WATCH_TELL_H

#include <sys/types.h>

struct outcome;
struct plan;
struct status;

/* The plan's notes, and one of our own: to the stream when there is one, else
 * to standard error unless the plan is quiet. */
void tell_notes(struct status *status, const struct plan *plan);
void tell_note(struct status *status, const struct plan *plan,
	       const char *token, const char *text);
/* "text: count" */
void tell_count(struct status *status, const struct plan *plan,
		const char *token, const char *text, uint64_t count);

/* The wall stands; init is its pid outside. */
void tell_ready(struct status *status, const struct plan *plan, pid_t init);

/* The command runs; pid is its own inside. */
void tell_exec(struct status *status, const struct plan *plan, pid_t pid);

/* The machine does not let calls be watched; error says why. */
void tell_unwatched(struct status *status, const struct plan *plan, int error);

/* The end of the run, whichever it was: the stream's last event. */
void tell_end(struct status *status, const struct plan *plan,
	      const struct outcome *outcome);

#endif
