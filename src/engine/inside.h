/*
 * The engine's own state, inside the engine room: what init has at hand while
 * it builds. Its descriptors are close-on-exec and are closed in init all at
 * once, when the command runs; bubblewrap's, before it does.
 */
#ifndef CORDON_ENGINE_INSIDE_H
#define CORDON_ENGINE_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fault.h"
#include "base/number.h"
#include "plan/plan.h"

struct engine_watch;

struct engine {
	const struct plan *plan;
	struct fault *fault;
	struct plan_memo *memos; /* the plan's */
	int root;		 /* the new root's mount */
	int store;		 /* writable mount of what is ours (store.c) */
	int masks;     /* read-only mount of the same, once a mask needs it */
	unsigned made; /* how many objects the store has */
	uint64_t mask_dev, mask_dir, mask_file; /* identity of the masks */
	int proc;				/* the new procfs mount */
	int old_proc; /* the caller's procfs, once it is needed */
	int place;    /* what the last OP_PLACE found */
	bool is_place_root;
	struct engine_watch *watch;
};

/* One line of an id map. */
struct op_ids {
	uint64_t inside, outside;
};

/* Every action: 0, or -errno with the fault's call, object and errno filled. */
typedef int engine_action(struct engine *engine, const struct op *op);

engine_action engine_own_cgroup, engine_map_uid, engine_map_gid;
engine_action engine_source, engine_root, engine_root_bind, engine_pivot;
engine_action engine_store, engine_mask, engine_cover, engine_verify;
engine_action engine_bind, engine_overlay, engine_private, engine_tmpfs;
engine_action engine_same;
engine_action engine_pin, engine_protect, engine_seal;
engine_action engine_dir, engine_link, engine_file;
engine_action engine_dev, engine_device, engine_console;
engine_action engine_cgroups, engine_proc, engine_no_nesting, engine_no_cgroups,
	engine_loopback, engine_names;
engine_action engine_join_user, engine_private_tree, engine_one_more_user,
	engine_no_more_users, engine_no_users_left, engine_caps;
engine_action engine_file_label, engine_place, engine_make_dir,
	engine_make_file, engine_make_link, engine_chmod, engine_remount,
	engine_data, engine_mqueue, engine_layered;
engine_action engine_hostname, engine_keyring, engine_procs, engine_drop;

/* Resolves a path of the new root from its descriptor; no symbolic link, no
 * magic link, nothing above the root. Returns an O_PATH descriptor owned by the
 * caller, or -errno with the fault filled. */
int engine_target(struct engine *engine, const char *path);

/* Where an object of ours is made: one name in a directory that is ours. */
struct spot {
	int dir;   /* borrowed or owned: spot_done */
	int owned; /* -1 when it is the root's */
	const char *name;
};

/* Finds it for the operation's path; a directory that is not ours (any more) is
 * ESTALE. */
int engine_find_spot(struct engine *engine, const struct op *op,
		     struct spot *spot);

/* procfs.c: the caller's procfs where no new one can be, with its settings
 * read-only. take_mount is consumed also on failure. */
int engine_old_proc(struct engine *engine, int take_mount, const struct op *op);

/* place.c: the directory that a path of the new root is in, links followed but
 * never out of it; missing ones are made. *name is the last part, or "." for the
 * root. An O_PATH descriptor owned by the caller. */
int engine_parent(struct engine *engine, const struct op *op,
		  const char **name);

/* Attaches a detached mount at what the last OP_PLACE found. mount is borrowed;
 * at / it is the root from then on. */
int engine_attach_placed(struct engine *engine, int mount, const struct op *op);

/* Remembers the mount that is about to be attached, for OP_VERIFY. */
int engine_note_mount(struct engine *engine, const struct op *op, int mount);

/* Writes a map of one id through the file below proc, or by its full name. */
int engine_write_map(struct engine *engine, int proc, const char *file,
		     const struct op_ids *ids);

/* Attaches a detached mount at the operation's path. take_mount is consumed
 * even on failure. */
int engine_attach(struct engine *engine, int take_mount, const struct op *op);
int engine_attach_borrowed(struct engine *engine, int mount,
			   const struct op *op);

/* Creates the super block of a configured file system and a detached mount of
 * it, owned by the caller. fs is borrowed. */
int engine_new_mount(struct engine *engine, int fs, const char *type,
		     unsigned attrs);

/* A new tmpfs that is not attached yet; bytes 0 is half of memory. */
int engine_new_tmpfs(struct engine *engine, uint32_t mode, uint64_t bytes,
		     uint64_t inodes);

/* Makes an empty directory of the store; its name is put into `name`. */
int engine_store_dir(struct engine *engine, char name[NUMBER_ROOM],
		     uint32_t mode);

/* The same, as a detached mount owned by the caller. */
int engine_store_tree(struct engine *engine, uint32_t mode);

/* Makes a file of the store with the operation's data, or empty (op NULL). */
int engine_store_file(struct engine *engine, const char *name, uint32_t mode,
		      const struct op *op);

/* A mask for an object of this type (S_IFDIR or S_IFREG), not attached yet and
 * owned by the caller. */
int engine_mask_tree(struct engine *engine, uint32_t type);

/* Is the object still the one that the facts saw (ESTALE)? Without an id in the
 * operation any object is. */
int engine_check_target(struct engine *engine, const struct op *op, int fd);

/* fsconfig of one string; the fault has the kernel's words. */
int engine_set_option(struct engine *engine, int fs, const char *key,
		      const char *value);

/* The new procfs, made at its first use. */
int engine_get_proc(struct engine *engine);

/* fault_set with the operation's path. */
int engine_fail(struct engine *engine, const char *call, const char *object,
		int error);

/* A path without its leading slash, for the *at calls; "." for the root. */
const char *engine_below(const char *path);

#endif
