/*
 * The life of a sandbox: a supervisor outside, an init inside, and what they
 * owe to the command, its caller and the terminal.
 */
#ifndef CORDON_WATCH_WATCH_H
#define CORDON_WATCH_WATCH_H

struct plan;

/* Who knows a fact that may be why the command failed with this status, or
 * NULL. Asked at most once, at the end, and only when it is to be said. */
struct watch_doubt {
	const char *(*ask)(void *argument, int status);
	void *argument;
};

/* Does what the plan says, from the first process to the last, and returns the
 * exit code for the caller. Not for a process with threads; blocks all signals
 * and never changes a disposition but SIGCHLD's. Where the command died of a
 * Ctrl-C or Ctrl-\ the process ends by that signal instead of returning. */
int watch_run(const struct plan *plan, const struct watch_doubt *doubt);

#endif
