/*
 * Changes of files that the wall does not allow. Whether a call is one is found
 * by looking at what it names, in the root of whoever made it.
 */
#ifndef CORDON_WATCH_FILES_H
#define CORDON_WATCH_FILES_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "watch/denied.h"

struct plan;
struct seccomp_data;

/* Fills operation, object, error, rule and allow when the call is about to be
 * denied. The words live until the arena is rewound. */
bool files_judge(const struct plan *plan, struct arena *arena, pid_t thread,
		 const struct seccomp_data *data, struct denial *denial);

#endif
