/*
 * Process 1 of the sandbox.
 */
#ifndef CORDON_WATCH_INIT_H
#define CORDON_WATCH_INIT_H

#include <signal.h>
#include <stdbool.h>
#include <stdnoreturn.h>

#include "watch/deadline.h"

struct plan;

struct init_start {
	int socket;	       /* this end of the handshake */
	int supervisor;	       /* its pidfd, opened before init was made */
	int tty;	       /* the session's terminal or -1 */
	bool is_foreground;    /* the command starts with the terminal */
	bool is_told;	       /* someone wants to know before it starts */
	struct deadline limit; /* the command's time limit */
	const sigset_t *mask;  /* the caller's */
};

/* Builds the wall, starts the command, reaps, and ends with the sandbox. To be
 * called with all signals blocked. */
noreturn void init_main(const struct plan *plan,
			const struct init_start *start);

#endif
