/*
 * bubblewrap's own command line, as the same words meant there: wishes in the
 * order in which they were spoken. Its first fault ends the reading, as there.
 */
#ifndef CORDON_POLICY_BWRAP_H
#define CORDON_POLICY_BWRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/* The version whose command line this is. */
#define BWRAP_VERSION "0.12.0"

/* What is done to the file system, and the host name, which has its place among
 * it. The fields that each one uses are named here. */
enum bwrap_kind {
	BWRAP_BIND,	    /* source, dest; optional */
	BWRAP_RO_BIND,	    /* the same */
	BWRAP_DEV_BIND,	    /* the same */
	BWRAP_BIND_FD,	    /* fd, dest */
	BWRAP_RO_BIND_FD,   /* fd, dest */
	BWRAP_REMOUNT_RO,   /* dest */
	BWRAP_OVERLAY,	    /* source: upper, work, dest, layers */
	BWRAP_TMP_OVERLAY,  /* dest, layers */
	BWRAP_RO_OVERLAY,   /* dest, layers */
	BWRAP_PROC,	    /* dest */
	BWRAP_DEV,	    /* dest */
	BWRAP_TMPFS,	    /* dest, mode, size */
	BWRAP_MQUEUE,	    /* dest */
	BWRAP_DIR,	    /* dest, mode */
	BWRAP_FILE,	    /* fd, dest, mode */
	BWRAP_BIND_DATA,    /* fd, dest, mode */
	BWRAP_RO_BIND_DATA, /* fd, dest, mode */
	BWRAP_SYMLINK,	    /* source: the text, dest */
	BWRAP_CHMOD,	    /* mode, dest */
	BWRAP_HOSTNAME,	    /* source: the name */
	BWRAP_KINDS,
};

/* Paths are as typed, but for a slash that DEST may lack. */
struct bwrap_wish {
	enum bwrap_kind kind;
	bool is_optional;
	int fd;	       /* -1: none */
	int mode;      /* -1: the kind's own */
	uint64_t size; /* 0: no bound */
	const char *source, *dest, *work;
	const char **layers; /* lowest first */
	size_t layer_count;
};

/* Capabilities, in order; number -1 is all of them. */
struct bwrap_cap {
	bool add;
	int number;
};

struct bwrap_program {
	const void *code;
	size_t size;
};

/* Something to say on standard error, with its level of syslog. */
struct bwrap_message {
	int level;
	bool has_prefix;
	const char *text;
};

enum { BWRAP_ERROR = 3, BWRAP_WARNING = 4 };

enum bwrap_answer {
	BWRAP_RUN,
	BWRAP_HELP,
	BWRAP_SAY_VERSION,
	BWRAP_SAY_KERNEL, /* the oldest that it runs on */
	BWRAP_USAGE,	  /* no command: the help, as a fault */
	BWRAP_FAULT,	  /* the last message says it */
};

struct bwrap_context {
	uint32_t uid, gid;
	bool has_user_spaces, has_cgroup_spaces; /* as -try asks */
	bool has_labels;			 /* of SELinux */
	char *const *environ;
	/* All bytes of a descriptor, which is closed; 0 or -errno. */
	int (*load_fd)(void *load, int fd, const char **bytes, size_t *length);
	void *load;
};

struct bwrap {
	struct arena *arena;
	const struct bwrap_context *context;
	struct bwrap_message *messages;
	size_t message_count;

	bool user, user_try, ipc, pid, net, uts, cgroup, cgroup_try;
	bool disable_userns, assert_userns_disabled;
	bool as_pid_1, new_session, die_with_parent, level_prefix;
	bool not_a_boundary; /* said, and nothing to forgive here */
	int userns, userns2, pidns;
	int sync_fd, block_fd, userns_block_fd, info_fd, json_status_fd;
	int seccomp_fd;
	int64_t uid, gid; /* -1: not given */
	const char *chdir, *argv0, *exec_label, *file_label, *hostname;

	struct bwrap_wish *wishes;
	size_t wish_count;
	const char **locks;
	size_t lock_count;
	struct bwrap_cap *caps;
	size_t cap_count;
	struct bwrap_program *programs; /* --add-seccomp-fd */
	size_t program_count;

	char **env; /* NULL-terminated */
	size_t env_count;
	char **command; /* NULL-terminated, borrowed */
};

/* Reads the words behind the program's name. Everything belongs to the arena or
 * to the words. */
enum bwrap_answer bwrap_read(struct bwrap *bwrap, struct arena *arena,
			     const struct bwrap_context *context, char **words);

/* Each descriptor that the words name and that is not open becomes a number that
 * never is: what is opened later must not be taken for it. */
void bwrap_drop_closed(struct bwrap *bwrap, bool (*is_open)(int fd));

/* What an errno is called by bubblewrap, which is what glibc calls it. */
const char *bwrap_reason(int error);

/* For the help: the options in their order, NULL behind the last. */
struct bwrap_usage {
	const char *name, *values, *help;
};
bool bwrap_usage(size_t i, struct bwrap_usage *usage);

#endif
