/*
 * The supervisor's own state, for the two files it is written in.
 */
#ifndef CORDON_WATCH_SUPERVISE_H
#define CORDON_WATCH_SUPERVISE_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "watch/deadline.h"
#include "watch/lookout.h"
#include "watch/outcome.h"
#include "watch/status.h"
#include "watch/terminal.h"

struct plan;

struct watch {
	const struct plan *plan;
	struct status status;
	struct lookout lookout;
	struct terminal terminal;
	sigset_t mask; /* the caller's */

	pid_t init;
	int init_fd;	/* pidfd */
	int handshake;	/* -1 once init has hung up */
	int signals;	/* signalfd */
	int supervisor; /* own pidfd, for init */

	struct deadline end;	/* when to stop waiting; see overdue() */
	struct deadline answer; /* when a listening init has read a signal */
	int unanswered;		/* that signal */
	bool is_ending;
	bool is_over;

	bool is_stop_asked; /* a stop was passed on to the command */
	int typed_here;	    /* SIGINT or SIGQUIT, typed for our own group */
	struct outcome outcome;
};

/* A signal came for the supervisor. */
struct signalfd_siginfo;
void job_signal(struct watch *watch, const struct signalfd_siginfo *info);

/* The command was stopped by the signal; typed at the terminal or not. */
void job_stopped(struct watch *watch, int signal, bool is_typed);

/* After the end: ends the process by the signal that was typed and that killed
 * the command, so that the caller's loops and scripts end too; else returns. */
void job_end(const struct watch *watch);

#endif
