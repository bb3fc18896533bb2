/*
 * The plan of a run, as `cordon show --json` prints it: what check holds the
 * sandbox against.
 */
#ifndef CORDON_INSPECT_PLAN_H
#define CORDON_INSPECT_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/* One printed operation; what it lacks is NULL or 0, a slot -1. */
struct shown_op {
	const char *kind, *path, *source;
	int slot;
	unsigned mode;
	uint64_t flags, a, b;
};

struct shown {
	struct shown_op *ops;
	size_t count;
	const char *filter; /* "default+nested", or NULL for none */
	bool own_filter;    /* a user's: its answers are not known */
	bool nested;
	const int *keep_fds;
	size_t keep_count;
};

/* Reads it from JSON. Returns 0, or -EPROTO for what show does not print. */
int shown_read(struct shown *shown, struct arena *arena, const char *json);

bool shown_is(const struct shown_op *op, const char *kind);

/* The first operation of the kind, or NULL. */
const struct shown_op *shown_find(const struct shown *shown, const char *kind);

/* Outside: what an operation with a slot shows, or NULL. */
const char *shown_source(const struct shown *shown, const struct shown_op *op);

/* The operation that decides what a path inside is, or NULL. */
const struct shown_op *shown_decides(const struct shown *shown,
				     const char *path);

/* The same under masks and protections. */
const struct shown_op *shown_below(const struct shown *shown, const char *path);

/* Outside: what a path inside is of what the operation shows, or NULL. */
const char *shown_outside(struct arena *arena, const struct shown *shown,
			  const struct shown_op *op, const char *path);

/* The operation by which a path outside can be seen inside, or NULL. */
const struct shown_op *shown_shows(struct arena *arena,
				   const struct shown *shown, const char *path);

/* Whether it shows something read-only. */
bool shown_is_read(const struct shown_op *op);

/* Whether the plan makes a namespace of that CLONE_NEW flag. */
bool shown_has_space(const struct shown *shown, uint64_t flag);

#endif
