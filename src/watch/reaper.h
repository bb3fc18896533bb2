/*
 * The first process of a sandbox of bubblewrap's.
 */
#ifndef CORDON_WATCH_REAPER_H
#define CORDON_WATCH_REAPER_H

#include <stdnoreturn.h>

struct plan;

struct reaper_start {
	int socket;	/* to the launcher */
	int supervisor; /* pidfd of the launcher */
};

/* Builds the sandbox; then becomes the command, or runs it and reaps. */
noreturn void reaper_main(const struct plan *plan,
			  const struct reaper_start *start);

#endif
