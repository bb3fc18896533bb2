/*
 * Looking at the machine. Nothing here changes it.
 */
#ifndef CORDON_HOST_COLLECT_H
#define CORDON_HOST_COLLECT_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct facts;
struct wants;

/* Who we are and what kernel this is. */
void collect_identity(struct facts *facts, struct arena *arena);

/* The current directory, or NULL when it has no name here. */
const char *collect_cwd(struct arena *arena);

/* Kernel abilities that only some plans ask about. */
void collect_kernel(struct facts *facts);

/* A cgroup2 directory below which this user may make one. */
void collect_cgroup(struct facts *facts, struct arena *arena);

/* Answers every want. Descriptors stay open for the life of the process. */
void collect_paths(struct facts *facts, struct arena *arena,
		   const struct wants *wants);

/* Is the descriptor open, and may it pass? (enum fd_state) */
int collect_fd(int fd);

/* Do both lead to the same pipe, socket or file? (Not for a terminal: that is
 * one person's, whatever is written to it.) */
bool collect_same_fd(int one, int two);

/* Below `path`, what "other" may not read: the masks of a root caller. */
const char *const *collect_private(struct arena *arena, const char *path);

#endif
