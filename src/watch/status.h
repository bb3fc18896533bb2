/*
 * The status stream: one JSON object a line on a descriptor of the caller's;
 * cordon-status(5) says what they hold.
 */
#ifndef CORDON_WATCH_STATUS_H
#define CORDON_WATCH_STATUS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/text.h"

struct status {
	int fd; /* borrowed; -1: no stream, or given up */
	const char *id;
	uint64_t start_ms;
	struct arena arena;
	struct text line; /* used again for each event */
	struct json json;
};

/* `t` of the events counts from here. fd may be -1, id NULL; both borrowed. */
void status_init(struct status *status, int fd, const char *id);
void status_done(struct status *status);

/* An event: members are added to what status_begin returns, then status_end
 * writes the line. NULL when there is no stream. */
struct json *status_begin(struct status *status, const char *event);
void status_end(struct status *status);

/* The same with members made elsewhere, as in `"a":1,"b":[]`; may be empty. */
void status_write(struct status *status, const char *event,
		  const char *members);

/* Milliseconds since status_init. */
uint64_t status_elapsed(const struct status *status);

#endif
