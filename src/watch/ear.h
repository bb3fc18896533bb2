/*
 * A process in the command's process group that knows what was typed.
 */
#ifndef CORDON_WATCH_EAR_H
#define CORDON_WATCH_EAR_H

#include <stdbool.h>
#include <sys/types.h>

struct ear {
	pid_t pid; /* 0: there is none */
	int fd;
};

/* In init, before the command, whose process lets it into its group over fd:
 * engine_start. Without an ear nothing counts as typed: failing here is no
 * fault. */
void ear_start(struct ear *ear);

/* Whether the terminal has sent the signal to the group since the last such
 * question: SIGINT, SIGQUIT or SIGTSTP. */
bool ear_has_heard(const struct ear *ear, int signal);

#endif
