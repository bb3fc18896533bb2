/*
 * bubblewrap's way to look after a command: no signal is passed on, the launcher
 * returns when the command ends, and what is left inside goes on unless it is to
 * die with its parent.
 */
#ifndef CORDON_WATCH_MONITOR_H
#define CORDON_WATCH_MONITOR_H

#include <sys/types.h>

#include "base/fault.h"

struct plan;

struct monitored {
	struct fault
		fault; /* with an error: what kept the command from running */
	int code;      /* else the exit code */
};

/* parent: who started this process, as getppid() said at its beginning. */
void monitor_run(const struct plan *plan, pid_t parent,
		 struct monitored *result);

#endif
