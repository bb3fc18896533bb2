/*
 * Mount tables, read with libmount.
 */
#ifndef CORDON_INSPECT_TABLE_H
#define CORDON_INSPECT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct arena;

enum mount_flag {
	MOUNT_RO = 1 << 0,
	MOUNT_NOSUID = 1 << 1,
	MOUNT_NODEV = 1 << 2,
	MOUNT_NOEXEC = 1 << 3,
	MOUNT_NOSYMFOLLOW = 1 << 4,
	MOUNT_SHARED = 1 << 5, /* the rest are propagation */
	MOUNT_SLAVE = 1 << 6,
	MOUNT_UNBINDABLE = 1 << 7,
};

/* A line of a table. In a model the ids are indexes. */
struct mounted {
	int id, parent;
	const char *target, *type;
	const char *root; /* in its file system; in a model NULL is any */
	dev_t device;	  /* in a model 0 is any */
	unsigned flags;
	bool is_new; /* in a model: of a file system that was not outside */
	/* In a model: an unbindable one, or below it. Newer kernels (6.18 at the
	 * latest) forget that in a new mount namespace, and it is bound. */
	bool may_lack;
};

struct table {
	struct arena *arena;
	struct mounted *mounts;
	size_t count;
};

/* Reads a file like /proc/self/mountinfo. Returns 0 or -errno. */
int table_read(struct table *table, struct arena *arena, const char *file);

struct mounted *table_add(struct table *table, const struct mounted *mounted);

/* The mount that a path of this process is on, or NULL. */
const struct mounted *table_at(const struct table *outer, const char *path);

/* Where something is mounted below a path and can be reached; NULL behind the
 * last. */
const char **table_below(struct arena *arena, const struct table *outer,
			 const char *path);

struct shown;

/* What the plan will have mounted, worked out from the table outside. Returns 0,
 * or -ESTALE for a source that is not in it. */
int model_make(struct table *model, const struct shown *plan,
	       const struct table *outer);

#endif
