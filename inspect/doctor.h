/*
 * What cordon needs of a machine: a table of things, each found out by trying
 * it, in a process of its own that ends with the try.
 */
#ifndef CORDON_DOCTOR_H
#define CORDON_DOCTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fault.h"

struct arena;
struct text;

/* THING_LIMITED: cordon runs, and refuses an option. */
enum state {
	THING_OK,
	THING_MISSING,
	THING_LIMITED,
	THING_INFO,
	THING_UNTRIED,
	STATE_KINDS,
};

/* In memory that the trying process shares. */
struct tried {
	struct fault fault;
	char note[192]; /* what is worth knowing besides */
	bool finished;
	unsigned uid, gid; /* outside */
	const char *launcher;
};

/* In the order in which they are tried and told. */
enum thing_id {
	DO_KERNEL,
	DO_CLONE,
	DO_USER,
	DO_MAPS,
	DO_MOUNT,
	DO_PID,
	DO_IPC,
	DO_UTS,
	DO_CGROUP_SPACE,
	DO_NET,
	DO_MOUNT_API,
	DO_OPENAT2,
	DO_PROC,
	DO_PIVOT,
	DO_KEYRING,
	DO_SECCOMP,
	DO_LANDLOCK,
	DO_OVERLAY,
	DO_CGROUP,
	DO_SECCOMP_HELPER,
	DO_PROFILES,
	DO_NOTIFY,
	DO_NEWUIDMAP,
	DO_TIOCSTI,
	DO_START,
	THING_KINDS,
};

/* Where a try is made. */
enum place { HERE, CHILD, SPACES };

struct thing {
	const char *name;
	enum place place;
	uint64_t spaces; /* besides the user namespace, for SPACES */
	/* Returns 0, or -errno with the fault filled; NULL: being there is
	 * all. */
	int (*try)(struct tried *tried);
	uint32_t needs;	 /* bits of enum thing_id: without them not tried */
	enum state lack; /* what a failure means for cordon */
	const char *means;
	const char *mend; /* where the hints know nothing */
};

extern const struct thing things[THING_KINDS];

struct found {
	enum state state;
	struct tried tried;
	enum thing_id because; /* what was missing, of THING_UNTRIED */
};

/* tries.c: what is tried in namespaces or by system calls. */
int try_maps(struct tried *tried);
int try_hostname(struct tried *tried);
int try_loopback(struct tried *tried);
int try_mount_api(struct tried *tried);
int try_openat2(struct tried *tried);
int try_proc(struct tried *tried);
int try_pivot(struct tried *tried);
int try_overlay(struct tried *tried);
int try_keyring(struct tried *tried);
int try_seccomp(struct tried *tried);
int try_notify(struct tried *tried);
int try_landlock(struct tried *tried);

/* looks.c: what is tried by files and programs. */
int try_kernel(struct tried *tried);
int try_cgroup(struct tried *tried);
int try_seccomp_helper(struct tried *tried);
int try_profiles(struct tried *tried);
int try_newuidmap(struct tried *tried);
int try_tiocsti(struct tried *tried);
int try_start(struct tried *tried);

/* A container, a unit or a runner that this process is in, told by evidence. */
struct container {
	const char *name;
	bool (*is_here)(struct arena *arena, const char **evidence);
	const char *flags[9]; /* lines to paste, NULL behind the last */
};

extern const struct container containers[];
extern const unsigned container_count;

#endif
