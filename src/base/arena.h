/*
 * Memory that lives as long as the command: policy and plan come from one
 * arena and are never freed one by one.
 */
#ifndef CORDON_BASE_ARENA_H
#define CORDON_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *first, *current;
};

/* Zeroed memory owned by the arena, aligned for any object. Never NULL: a
 * machine without memory ends the process with 125 before anything is built. */
void *arena_alloc(struct arena *arena, size_t size);

/* A larger copy of an array of `count` elements of `size` bytes once it is
 * full; the same array while there is room. Start with NULL; the first room is
 * ARENA_FIRST elements, then it doubles. */
enum { ARENA_FIRST = 8 };
void *arena_grow(struct arena *arena, void *array, size_t count, size_t size);

/* The same with another first room, a power of two. */
void *arena_grow_from(struct arena *arena, void *array, size_t count,
		      size_t size, size_t first);

char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);

/* Joins up to the closing NULL. */
char *arena_join(struct arena *arena, const char *first, ...)
	__attribute__((sentinel));

char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Forgets everything but keeps the memory for what comes next: each planning
 * pass starts from the same pages. */
void arena_rewind(struct arena *arena);

void arena_done(struct arena *arena);

#endif
