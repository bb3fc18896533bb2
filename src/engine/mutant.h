/*
 * Sandboxes with one protection removed, to prove that `cordon check` notices.
 * They are built for the tests only, as a launcher of its own
 * (tests/helpers/mutant.c): nothing of this is in cordon.
 */
#ifndef CORDON_ENGINE_MUTANT_H
#define CORDON_ENGINE_MUTANT_H

#ifdef CORDON_TEST_MUTANT

#	include <stdbool.h>
#	include <stdint.h>

struct plan;

/* Takes what is to be left out away from the plan. */
void mutant_change(const struct plan *plan);

/* Whether this word is among what is to be left out. */
bool mutant_lacks(const char *what);

int mutant_mount_setattr(int fd, unsigned flags, uint64_t set, uint64_t clear);
#	define sys_mount_setattr mutant_mount_setattr

#else
#	define mutant_change(plan) ((void)0)
#	define mutant_lacks(what)  0
#endif

#endif
