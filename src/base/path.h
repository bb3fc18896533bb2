/*
 * Paths as text. Nothing here looks at a file system: what a path means is the
 * kernel's answer, recorded in facts.
 */
#ifndef CORDON_BASE_PATH_H
#define CORDON_BASE_PATH_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* An absolute path without `.`, doubled or trailing slashes. `..` is kept: with
 * symbolic links only the kernel knows what it means. Owned by the arena. cwd may
 * be NULL when the path is absolute. */
char *path_absolute(struct arena *arena, const char *cwd, const char *path);

/* Joins a clean absolute directory and a relative rest, which may be empty. */
char *path_join(struct arena *arena, const char *dir, const char *rest);

/* True when path is dir or lies below it; whole components, not characters. */
bool path_is_under(const char *path, const char *dir);

/* What of path lies below dir, without a leading slash; "" for dir itself.
 * Only for paths where path_is_under holds. Borrowed from path. */
const char *path_below(const char *path, const char *dir);

/* Orders paths so that each directory comes right before all below it. */
int path_compare(const char *a, const char *b);

/* The parent of a clean absolute path; "/" for the root. */
char *path_parent(struct arena *arena, const char *path);

/* Borrowed last component. */
const char *path_name(const char *path);

bool path_has_dotdot(const char *path);
bool path_has_control(const char *path);

#endif
