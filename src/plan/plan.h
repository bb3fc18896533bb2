/*
 * What will be done, as data. A plan is a list of operations; one operation is
 * one line of `cordon show --ops` and one action of the engine. Nothing in a
 * plan was asked of the machine while planning: all that came with the facts.
 */
#ifndef CORDON_PLAN_PLAN_H
#define CORDON_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The operations in the order in which they may stand in a plan; the engine
 * runs them as written. The fields that each one uses are named here, the
 * others are zero. `path` is always absolute inside the new root.
 */
enum op_kind {
	OP_SPACES,  /* flags: CLONE_NEW* of the one clone */
	OP_CGROUP,  /* source: cgroup directory to make and be born in; data */
	OP_MAP_UID, /* a: id inside, b: id outside */
	OP_MAP_GID, /* a: id inside, b: id outside */
	OP_SOURCE,  /* slot, source: canonical path, id, fd; SOURCE_PLACE */
	OP_STORE,   /* the one tmpfs of all that is ours; a: bytes, b: inodes */
	OP_ROOT,    /* an empty directory of the store over / */
	OP_ROOT_BIND, /* slot: that source over / instead; flags: BIND_* */
	OP_DIR,	      /* path, mode */
	OP_LINK,      /* path, source: text of the symbolic link */
	OP_FILE,      /* path, mode, data, size: a file of our own */
	OP_BIND,      /* path, slot, flags: BIND_* */
	OP_OVERLAY,   /* path, slot; what is written goes to the store */
	OP_PRIVATE,   /* path, mode: an empty directory of the store */
	OP_TMPFS,     /* path, mode, a: bytes, b: inodes: bounds of its own */
	OP_SAME,   /* path, source: the mount at source (inside) again here */
	OP_COVER,  /* path, mode, data, size: a file of our own over a host's */
	OP_DEV,	   /* path: a minimal /dev; flags: DEV_OWN */
	OP_DEVICE, /* path, slot: one more device node */
	OP_CONSOLE, /* path, slot: the caller's terminal as /dev/console */
	OP_PROC,    /* path; flags: PROC_COVER */
	OP_CGROUPS, /* path: version 2, from the group of OP_CGROUP down */
	OP_PIN,	    /* path: bound onto itself, so that it cannot be renamed */
	OP_PROTECT, /* path: bound onto itself read-only */
	OP_MASK,    /* path, mode: S_IFDIR or S_IFREG, id: the object hidden */
	OP_SEAL,    /* path: this made-up mount becomes read-only */
	OP_VERIFY,  /* each mask and protection still is what its name finds */
	OP_NO_NESTING, /* user.max_user_namespaces = 0 in the new namespace */
	OP_NO_CGROUPS, /* user.max_cgroup_namespaces = 0, with --nested */
	OP_PIVOT,      /* the new root becomes /, the old one is detached */
	OP_HOSTNAME,   /* source: the name */
	OP_LOOPBACK,   /* lo up, ping allowed to the group inside: a */
	OP_NAMES,      /* sockets to watch with: the resolver's port, a probe */
	OP_KEYRING,    /* a fresh session keyring */
	OP_PROCS,      /* a: RLIMIT_NPROC of the whole sandbox */
	OP_DROP,       /* all capability sets empty, no_new_privs */
	/* bubblewrap's: in spoken order, at places made as they are needed */
	OP_JOIN_USER,	  /* fd: a user namespace; flags: JOIN_LATER */
	OP_JOIN_PID,	  /* fd: a pid namespace */
	OP_PRIVATE_TREE,  /* mounts pass in neither direction */
	OP_ONE_MORE_USER, /* user.max_user_namespaces = 1 */
	OP_FILE_LABEL,	  /* source: SELinux label of what is made */
	OP_PLACE, /* path, mode: of a mount point there or made, or 0: what is
		     there; a: mode of what is made above it */
	OP_MAKE_DIR,	  /* path, mode; a: mode above it */
	OP_MAKE_FILE,	  /* path, fd: its text, mode; a: mode above it */
	OP_MAKE_LINK,	  /* path, source: text of the link */
	OP_CHMOD,	  /* path, mode */
	OP_REMOUNT,	  /* path: this mount becomes read-only */
	OP_DATA,	  /* at the place; fd, mode, flags: BIND_* */
	OP_MQUEUE,	  /* at the place */
	OP_LAYER,	  /* slot: one more layer, lowest first */
	OP_LAYERED,	  /* at the place; flags: LAYERED_*; a, b: two slots */
	OP_NO_MORE_USERS, /* one last user namespace; a: uid, b: gid */
	OP_NO_USERS_LEFT, /* none can be made any more, or fault */
	OP_CAPS,	  /* a: a bit for each capability kept; flags: CAPS_* */
	/* what the command's own process does, right before exec */
	OP_WATCH,  /* a filter that tells the supervisor of calls; WATCH_* */
	OP_LIMIT,  /* a: RLIMIT_*, b: value; flags: LIMIT_SOFT */
	OP_SCOPE,  /* Landlock: no abstract socket of the host */
	OP_CWD,	   /* path */
	OP_FDS,	   /* every descriptor above 2 shut but keep_fds; FDS_REOPEN */
	OP_FILTER, /* data, size: the program; source: its name */
	OP_EXEC,   /* path: the file; argv and envp of the plan */
	/* bubblewrap's, there too */
	OP_FIND_CWD,	/* the first of cwds that is there; told in PWD */
	OP_LABEL,	/* source: SELinux label */
	OP_OWN_FILTER,	/* data, size: the program */
	OP_LATE_FILTER, /* fd: the program; read when all else is done */
	OP_SEARCH,	/* path: the command as typed, looked for in PATH */
	OP_KINDS,
};

enum bind_flags {
	BIND_READ = 1 << 0,   /* read-only, recursively */
	BIND_DEVICE = 1 << 1, /* device nodes work */
	BIND_PROC = 1 << 2, /* a procfs: PROC_COVER, where it can be written */
};

enum {
	PROC_COVER = 1, /* /proc/sys and its like read-only: root outside */
	LIMIT_SOFT = 1, /* the hard limit stays */
	DEV_OWN = 1,	/* a mount of its own: the root is not ours */
	DEV_CORE = 2,	/* with the link `core' */
	LOOPBACK_NO_PING = 1,
	FDS_REOPEN = 1,	   /* the caller's /dev/null and its like become ours */
	SOURCE_PLACE = 1,  /* only the place is used, no copy of the mounts */
	JOIN_LATER = 1,	   /* when all is set up */
	LAYERED_WRITE = 1, /* a: slot of the upper layer, b: of the work */
	LAYERED_STORE = 2, /* what is written goes to the store */
	CAPS_AMBIENT = 1,  /* kept over exec: uid 0 does not do it inside */
	CAPS_BOUNDING = 2, /* and no others can come back */
};

enum watch_flags {
	WATCH_NET = 1 << 0,	 /* connect, and sendto with an address */
	WATCH_MESSAGES = 1 << 1, /* sendmsg and sendmmsg */
	WATCH_FILES = 1 << 2,	 /* what changes files or means to */
	WATCH_READS = 1 << 3,	 /* what is opened for reading */
	WATCH_CALLS = 1 << 4,	 /* what the policy's filter denies */
	WATCH_REQUIRED = 1 << 5, /* without it the command does not start */
};

/* Identity of an object as the facts found it. */
struct op_id {
	uint64_t dev, ino;
	uint32_t type; /* S_IFMT bits */
};

struct op {
	enum op_kind kind;
	int slot;    /* number of an OP_SOURCE */
	int fd;	     /* OP_SOURCE: descriptor outside, owned by the facts */
	bool made;   /* every directory on the way to path is ours */
	bool placed; /* mounted on what the last OP_PLACE found */
	uint32_t mode;
	uint64_t flags, a, b;
	const char *path, *source;
	const void *data;
	size_t size;
	struct op_id id;
};

/* One line for `ready`, `show` and the summary; counted while planning. */
struct plan_counts {
	unsigned read, write, overlay, tmpfs, mask, protect, device;
};

/* Room for what the engine must remember, made with the plan so that init need
 * not allocate; zero. As many as there are operations. */
struct plan_memo {
	int place, tree; /* by slot: descriptors of an OP_SOURCE */
	uint64_t mount;	 /* by operation: id of the mount made, or 0 */
};

/* Who looks after a command of bubblewrap's, and what the caller hears. */
struct plan_monitor {
	bool has_reaper; /* a process 1, or one that holds locks */
	bool new_session, die_with_parent;
	bool is_root; /* outside */
	int *held;    /* room for a descriptor of each lock, and two */
	int sync_fd, block_fd, userns_block_fd, info_fd, json_fd; /* or -1 */
	const char *const *locks;				  /* inside */
	size_t lock_count;
	const int *shut; /* descriptors that the command does not get */
	size_t shut_count;
};

/* A working directory to try, and how the environment names it. */
struct plan_cwd {
	const char *path;
	char *entry; /* "PWD=..." */
};

struct answer;

struct plan {
	struct op *ops;
	size_t op_count;
	size_t slots; /* how many OP_SOURCE there are */
	struct plan_memo *memos;

	char **argv; /* of the command, as the user typed it */
	char **envp;
	const int *keep_fds;
	size_t keep_count;
	bool fd_closed[3]; /* stdin, stdout, stderr were closed by the caller */

	uint64_t timeout_ms; /* 0: none */
	uint64_t grace_ms;   /* between TERM and KILL */
	bool host_network;
	int cgroup_fd; /* -1, or where init is born; set by the verb */

	const struct plan_monitor *monitor; /* bubblewrap's, or NULL */
	const struct plan_cwd *cwds;
	size_t cwd_count;
	size_t pwd_at; /* where PWD is in envp */
	char **script; /* argv of sh, [1] being the file, in place of argv */

	const struct answer *answers; /* explain.h; for explain only */
	size_t answer_count;

	int status_fd; /* -1: none */
	const char *id;
	bool verbose, quiet;
	bool report, fail_on_denied;

	/* told in `ready` */
	struct plan_counts counts;
	const char *const *skipped; /* NULL-terminated: -try paths not found */
	const char *const *dropped_env;
	const char *const *notes;
	const char *net, *filter;
	const char *const *limits; /* "procs=100", in force */
};

/* What OP_DEV makes beside pts and shm: device nodes and links. */
struct dev_name {
	const char *path, *target; /* NULL: a character device */
	unsigned major, minor;
};
const struct dev_name *plan_dev_name(size_t i); /* NULL behind the last */
const struct dev_name *plan_find_dev(const char *path);

/* The first operation of the kind, or NULL. */
const struct op *plan_find(const struct plan *plan, enum op_kind kind);

/* The canonical path outside of that OP_SOURCE; "" when there is none. */
const char *plan_source(const struct plan *plan, int slot);

/* What an operation makes of its path and of what lies below, for those who read
 * a plan and do not carry it out. */
enum op_sort {
	SORT_NONE,   /* it is about no place */
	SORT_HOST,   /* shows what lies at a place of the host */
	SORT_OWN,    /* an empty directory of ours */
	SORT_MASK,   /* hides */
	SORT_COVER,  /* a file of ours */
	SORT_KERNEL, /* what the kernel makes up */
	SORT_AGAIN,  /* another place inside once more */
	SORT_OBJECT, /* one object in a place of ours */
	SORT_SELF,   /* the same place, held or protected */
	SORT_SEAL,   /* the same place, read-only */
};
enum op_sort plan_op_sort(enum op_kind kind);

/* "bind" for OP_BIND. */
const char *plan_op_name(enum op_kind kind);

#endif
