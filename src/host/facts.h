/*
 * One snapshot of the machine: all that planning may know. Filled by the host
 * room, or by a test from a canned text; read by plan, which never looks for
 * itself but says which facts it wants.
 */
#ifndef CORDON_HOST_FACTS_H
#define CORDON_HOST_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct arena;

enum want_flags {
	WANT_FD = 1 << 0,	 /* keep a descriptor until init has its own */
	WANT_WRITABLE = 1 << 1,	 /* is the mount read-only? */
	WANT_HEAD = 1 << 2,	 /* first bytes and may it be executed? */
	WANT_TEXT = 1 << 3,	 /* the whole of a small file */
	WANT_TEXTS = 1 << 4,	 /* of the files in a small directory */
	WANT_SUBMOUNTS = 1 << 5, /* does a mount lie below it? */
	WANT_PRIVATE = 1 << 6,	 /* what others could not read below it */
	WANT_MISSING = 1 << 7,	 /* where it would be when it is not there */
	WANT_SEARCH = 1 << 8,  /* not needed once an earlier one is a program */
	WANT_NAMES = 1 << 9,   /* what is in a directory */
	WANT_ACCESS = 1 << 10, /* what the command may do with it */
};

/* A symbolic link met on the way. */
struct link_fact {
	const char *path;   /* canonical directory and the link's name */
	const char *target; /* its text */
};

struct text_fact {
	const char *name;
	const char *text;
	size_t length;
};

/* A path as it was when it was looked at. A key of the form ROOT//PATH is a
 * path resolved with ROOT as its root directory, and `real` is then inside. */
struct path_fact {
	const char *asked;
	unsigned known;	  /* WANT_* that have been answered */
	int error;	  /* errno of the look-up; 0: found */
	const char *real; /* of a missing one only with WANT_MISSING */
	const struct link_fact *links;
	size_t link_count;

	uint64_t dev, ino;
	uint32_t mode, nlink, uid, gid, rdev_major, rdev_minor;
	int fd; /* O_PATH, owned by the facts; -1 when not wanted */

	unsigned access; /* WANT_ACCESS: R_OK, W_OK, X_OK; no mount flags */
	bool read_only_mount;
	bool executable;
	bool submounts;
	const void *head; /* WANT_HEAD, and WANT_TEXT */
	size_t head_length;
	const struct text_fact *texts; /* WANT_TEXTS */
	size_t text_count;
	const struct map *names; /* WANT_NAMES; NULL when it cannot be read */
	/* WANT_PRIVATE: NULL-terminated paths, or NULL: it cannot be told */
	const char *const *private;
};

enum fd_state { FD_SHUT, FD_FINE, FD_DIRECTORY, FD_BLOCK, FD_PATH };

/* A filter compiled from the user's own file. */
struct filter_fact {
	const void *program;
	size_t size;
	const char *problem; /* why it could not be compiled, or NULL */
};

struct facts {
	struct map paths; /* asked -> struct path_fact */

	uint32_t uid, gid;    /* as the command acts outside */
	bool root;	      /* uid is the host's root as far as we can see */
	unsigned kernel;      /* 6.18 is 6 << 8 | 18 */
	unsigned landlock;    /* ABI, 0: none */
	bool no_cgroup_space; /* user.max_cgroup_namespaces is 0 */
	const char *user;     /* $USER-like name for passwd, or NULL */
	const char *terminal; /* /dev/pts/N of descriptor 0, or NULL */
	const char *cwd;      /* bubblewrap's only; NULL when it has no name */
	uint64_t caps;	      /* bubblewrap's only: effective ones */
	enum fd_state stdio[3];
	const enum fd_state *keep; /* in the order of the policy's --keep-fd */
	enum fd_state status;	   /* of --status-fd */
	int status_twin; /* a descriptor that passes and is the same, or -1 */
	uint64_t nofile_soft; /* RLIMIT_NOFILE to give back, or 0 */
	struct filter_fact filter;
	const char *cgroup; /* a delegated cgroup2 directory, or NULL */
	const char *cgroup_controllers; /* "cpu memory pids" usable below it */
};

struct want {
	const char *path;
	unsigned flags;
};

struct wants {
	struct arena *arena;
	struct want *items;
	size_t count;
};

#endif
