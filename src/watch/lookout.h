/*
 * The supervisor's lookout: watches connects, addressed sends and changes of
 * files by everything that runs inside, the names that are asked for, and the
 * calls that the filter denies. It decides nothing. A call that the filter
 * allows goes on as it would have; what the empty network says to it is asked
 * of that network itself, with a socket of ours in it. One that the filter
 * denies gets the filter's errno.
 */
#ifndef CORDON_WATCH_LOOKOUT_H
#define CORDON_WATCH_LOOKOUT_H

#include <stdbool.h>
#include <sys/types.h>

#include "engine/handshake.h"
#include "watch/denied.h"
#include "watch/names.h"

struct plan;

struct lookout {
	int listener, probe; /* -1: none, or all that was watched is gone */
	const struct plan *plan;
	struct arena arena; /* of one call, used again for each */
	bool is_blind;	    /* memory of the watched cannot be read */
	bool is_deaf;	    /* calls that the filter denies are not heard */
	struct names names;
	struct denied denied;
};

/* status and plan are borrowed. */
void lookout_init(struct lookout *lookout, struct status *status,
		  const struct plan *plan);

/* Takes what init sent; init is its process here. */
void lookout_take(struct lookout *lookout, const int take_fds[HELLO_FDS],
		  pid_t init);

/* A notification is there, or the last watched process has gone. */
void lookout_heed(struct lookout *lookout);

/* Everything inside has ended: the last words. */
void lookout_finish(struct lookout *lookout);

void lookout_done(struct lookout *lookout);

#endif
