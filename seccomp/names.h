#ifndef CORDON_SECCOMP_NAMES_H
#define CORDON_SECCOMP_NAMES_H

#include <stdio.h>

#include "profile.h"

/* The profile's name for a call that libseccomp may not know, or NULL. */
const char *names_own(const struct profile *profile, uint32_t call);

/* Writes the calls of the native architecture that the profile names as a C
 * array of numbers with names, and its audit architecture. Returns 0 or
 * -errno; what is wrong goes to @problems. */
int names_write(FILE *stream, const struct profile *profile, const char *array,
		struct problems *problems);

#endif
