/*
 * What a program needs to start, read from its first bytes. Hostile input:
 * pure, bounded, fuzzed.
 */
#ifndef CORDON_BASE_PROGRAM_H
#define CORDON_BASE_PROGRAM_H

#include <stddef.h>

struct arena;

/* The `#!` interpreter or the ELF loader (PT_INTERP) named in the first bytes,
 * or NULL when it needs none or names none there. Owned by the arena. */
const char *program_interpreter(struct arena *arena, const void *head,
				size_t length);

#endif
