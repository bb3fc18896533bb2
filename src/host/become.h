/*
 * A root caller's other identity, and the launcher's own descriptors.
 */
#ifndef CORDON_HOST_BECOME_H
#define CORDON_HOST_BECOME_H

#include <stddef.h>
#include <stdint.h>

struct arena;
struct facts;

/* The primary group of a uid in /etc/passwd, or the uid itself. */
uint32_t become_primary_group(struct arena *arena, uint32_t uid);

/* Its home there, absolute and clean, or NULL. */
const char *become_home(struct arena *arena, uint32_t uid);

/* Becomes another user for good: the whole launcher, supervisor included, acts
 * with that user's rights from here. Only for a caller who is root. Returns 0
 * or -errno; EINVAL where this user namespace does not map the id. */
int become_user(uint32_t uid, uint32_t gid);

/* Opens /dev/null where the caller closed 0, 1 or 2, so that no descriptor of
 * ours lands there. */
void become_stdio(const struct facts *facts);

/* Room for so many descriptors; the caller's soft limit goes to the facts, to
 * be given back to the command. */
void become_roomy(struct facts *facts, size_t descriptors);

#endif
