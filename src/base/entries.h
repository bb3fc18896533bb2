/*
 * The names in a directory, without what opendir(3) allocates.
 */
#ifndef CORDON_BASE_ENTRIES_H
#define CORDON_BASE_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct entries {
	int fd; /* borrowed */
	ssize_t filled, at;
	unsigned char type;
	bool failed; /* the end was an error */
	_Alignas(8) char buffer[4096];
};

void entries_init(struct entries *entries, int fd);

/* The next name but . and .., valid until the next call; NULL at the end or on
 * an error. Its DT_* type, which may be DT_UNKNOWN, is in entries->type. */
const char *entries_next(struct entries *entries);

#endif
