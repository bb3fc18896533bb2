/*
 * Points in time for one poll loop.
 */
#ifndef CORDON_WATCH_DEADLINE_H
#define CORDON_WATCH_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

struct deadline {
	uint64_t at_ms; /* 0: none */
};

/* Milliseconds that also pass while the machine sleeps. */
uint64_t deadline_now(void);

void deadline_set(struct deadline *deadline, uint64_t from_now_ms);
void deadline_clear(struct deadline *deadline);

/* True once; the deadline is cleared then. */
bool deadline_has_passed(struct deadline *deadline);

/* The timeout that poll() needs for both, -1 for ever. */
int deadline_poll(const struct deadline *a, const struct deadline *b);

#endif
