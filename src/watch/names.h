/*
 * The resolver's port of a network without one: every question is refused at
 * once, and the name it was for is told.
 */
#ifndef CORDON_WATCH_NAMES_H
#define CORDON_WATCH_NAMES_H

#include <sys/types.h>

struct denied;

/* The processes that sent something there last. */
enum { NAMES_ASKERS = 16 };
struct names {
	int fd;	    /* -1: none */
	pid_t init; /* whose network it is */
	pid_t askers[NAMES_ASKERS];
	unsigned next;
};

/* Notes that this process is about to ask. */
void names_expect(struct names *names, pid_t process);

/* Answers what is there, without waiting. */
void names_answer(struct names *names, struct denied *denied);

#endif
