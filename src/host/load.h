/*
 * Files and descriptors that words of the policy refer to.
 */
#ifndef CORDON_HOST_LOAD_H
#define CORDON_HOST_LOAD_H

#include <stddef.h>

struct arena;

struct load {
	struct arena *arena;
	const char *home; /* may be NULL */
};

/* struct policy_context's load_profile and load_fd; `load` is a struct load. */
int load_profile(void *load, const char *name, const char **file,
		 const char **text);
int load_fd(void *load, int fd, const char **bytes, size_t *length);

#endif
