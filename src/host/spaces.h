/*
 * What bubblewrap's -try forms ask before they try, and whose rights we have.
 */
#ifndef CORDON_HOST_SPACES_H
#define CORDON_HOST_SPACES_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

bool spaces_have_user(struct arena *arena);
bool spaces_have_cgroup(struct arena *arena);
bool spaces_have_labels(void);

/* Effective capabilities of this process, a bit for each. */
uint64_t spaces_caps(void);

#endif
