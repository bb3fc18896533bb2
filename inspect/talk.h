/*
 * Processes that check starts: the launcher, and the probe, which is asked one
 * attempt after the other and answers each with a line.
 */
#ifndef CORDON_INSPECT_TALK_H
#define CORDON_INSPECT_TALK_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/text.h"

struct arena;
struct json_object;

/* Descriptors that a process inherits on top of its own three; -1 for none. */
enum { TALK_PASSED = 3 };

struct talk {
	struct arena *arena;
	pid_t pid;
	int to, from, errors, events; /* -1: closed */
	struct text said, complaints, told;
	size_t heard; /* how much of said has been answers */
	size_t seen;  /* how much of told has been events */
};

/* Starts a program. `events` is the reading end of a status stream whose writing
 * end is among the passed ones, or -1; it is consumed. Returns 0 or -errno. */
int talk_start(struct talk *talk, struct arena *arena, const char *const *argv,
	       const int passed[TALK_PASSED], int take_events);

/* Sends the words and waits for the answer, owned by the arena. -EPIPE when the
 * process has ended, -ETIMEDOUT, -EINTR after a signal that ends check. */
int talk_ask(struct talk *talk, const char *const *words, const char **answer);

/* The next event of the status stream, owned by the caller; NULL when there is
 * no more or it takes too long. */
struct json_object *talk_event(struct talk *talk);

/* No more is asked; what it says till its end is in the texts. Returns the exit
 * status, 128 + signal, or -errno. */
int talk_end(struct talk *talk);

/* Signals that end check are noted, and SIGPIPE is none. */
void talk_watch_signals(void);
bool talk_is_interrupted(void);

#endif
