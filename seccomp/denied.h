#ifndef CORDON_SECCOMP_DENIED_H
#define CORDON_SECCOMP_DENIED_H

#include <stdio.h>

#include "profile.h"

/*
 * The calls of the native architecture that always fail, as rows of a C array:
 * name, number, errno. `cordon check` makes each of them inside. A call whose
 * arguments are looked at is none of them. Returns 0 or -errno.
 */
int denied_write(FILE *stream, const struct profile *profile, const char *name,
		 struct problems *problems);

#endif
