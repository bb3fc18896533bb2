/*
 * Helper programs: beside the launcher in a build tree, else where they were
 * installed. Each links the library that its job needs.
 */
#ifndef CORDON_HOST_HELPER_H
#define CORDON_HOST_HELPER_H

struct arena;
struct filter_fact;

/* Where a file of ours lies: in the directory of the launcher's own executable
 * (below `subdir` there), else in `installed`. Owned by the arena. */
const char *helper_find(struct arena *arena, const char *subdir,
			const char *name, const char *installed);

/* Compiles an OCI profile with cordon-seccomp. The answer is a program or a
 * problem in words. */
void helper_compile_filter(struct arena *arena, const char *file,
			   struct filter_fact *filter);

#endif
