/*
 * Who made a call, in words for people: read off /proc, where the kernel keeps
 * it, and never guessed.
 */
#ifndef CORDON_WATCH_ASKER_H
#define CORDON_WATCH_ASKER_H

#include <sys/types.h>

enum { ASKER_NAME = 64 };

struct asker {
	pid_t outside; /* the process here */
	pid_t inside;  /* and where it lives */
	char command[ASKER_NAME];
};

/* The process of a thread, by the thread's number here. Returns 0 or -errno;
 * the caller checks afterwards that the thread is still the one it meant. */
int asker_find(pid_t thread, struct asker *asker);

/* Copies bytes of its memory. Returns how many, or -errno. */
ssize_t asker_read(pid_t thread, const void *address, void *bytes,
		   size_t length);

#endif
