#ifndef CORDON_SECCOMP_PROBLEMS_H
#define CORDON_SECCOMP_PROBLEMS_H

#include <stddef.h>
#include <stdio.h>

/* A place in a profile, chained on the stack from a member up to its file.
 * Without a key it is an element of a list. */
struct spot {
	const struct spot *up;
	const char *key;
	size_t index;
};

/* All that is to be said at the end of a run. */
struct problems {
	FILE *stream;
	char *text;
	size_t size;
	unsigned int errors;
};

/* Returns 0 or -errno. */
int problems_init(struct problems *problems);

/* Writes everything said to stderr, and frees it. */
void problems_done(struct problems *problems);

/* A fault: nothing will be compiled. @spot may be NULL. */
__attribute__((format(printf, 3, 4))) void problems_add(
	struct problems *problems, const struct spot *spot, const char *format,
	...);

/* Something left out that does not weaken the filter. */
__attribute__((format(printf, 3, 4))) void problems_note(
	struct problems *problems, const struct spot *spot, const char *format,
	...);

#endif
