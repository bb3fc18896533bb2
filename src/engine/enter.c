/*
 * The stages in their order. A plan's operations are run as written; this file
 * says which action each one is and what must hold before and after.
 *
 * Needs: a new process in all new namespaces, capabilities in them, the host's
 * tree still at /.
 * Does: everything up to and including dropped capabilities.
 * Must not: print, ask what was meant, or leave anything outside its own
 * namespaces: a failure at any point ends init, and all of it ends with it.
 */
#include <sys/stat.h>

#include "base/io.h"
#include "engine/engine.h"
#include "engine/inside.h"

static engine_action *const actions[OP_KINDS] = {
	[OP_CGROUP] = engine_own_cgroup,
	[OP_MAP_UID] = engine_map_uid,
	[OP_MAP_GID] = engine_map_gid,
	[OP_NO_NESTING] = engine_no_nesting,
	[OP_NO_CGROUPS] = engine_no_cgroups,
	[OP_LOOPBACK] = engine_loopback,
	[OP_SOURCE] = engine_source,
	[OP_STORE] = engine_store,
	[OP_ROOT] = engine_root,
	[OP_ROOT_BIND] = engine_root_bind,
	[OP_DIR] = engine_dir,
	[OP_LINK] = engine_link,
	[OP_FILE] = engine_file,
	[OP_BIND] = engine_bind,
	[OP_OVERLAY] = engine_overlay,
	[OP_PRIVATE] = engine_private,
	[OP_TMPFS] = engine_tmpfs,
	[OP_SAME] = engine_same,
	[OP_COVER] = engine_cover,
	[OP_DEV] = engine_dev,
	[OP_DEVICE] = engine_device,
	[OP_CONSOLE] = engine_console,
	[OP_PROC] = engine_proc,
	[OP_CGROUPS] = engine_cgroups,
	[OP_PIN] = engine_pin,
	[OP_PROTECT] = engine_protect,
	[OP_MASK] = engine_mask,
	[OP_VERIFY] = engine_verify,
	[OP_SEAL] = engine_seal,
	[OP_PIVOT] = engine_pivot,
	[OP_HOSTNAME] = engine_hostname,
	[OP_NAMES] = engine_names,
	[OP_KEYRING] = engine_keyring,
	[OP_PROCS] = engine_procs,
	[OP_DROP] = engine_drop,
	[OP_JOIN_USER] = engine_join_user,
	[OP_PRIVATE_TREE] = engine_private_tree,
	[OP_ONE_MORE_USER] = engine_one_more_user,
	[OP_FILE_LABEL] = engine_file_label,
	[OP_PLACE] = engine_place,
	[OP_MAKE_DIR] = engine_make_dir,
	[OP_MAKE_FILE] = engine_make_file,
	[OP_MAKE_LINK] = engine_make_link,
	[OP_CHMOD] = engine_chmod,
	[OP_REMOUNT] = engine_remount,
	[OP_DATA] = engine_data,
	[OP_MQUEUE] = engine_mqueue,
	[OP_LAYERED] = engine_layered,
	[OP_NO_MORE_USERS] = engine_no_more_users,
	[OP_NO_USERS_LEFT] = engine_no_users_left,
	[OP_CAPS] = engine_caps,
	/* the rest belongs to engine_clone and to the command's process */
};

int engine_fail(struct engine *engine, const char *call, const char *object,
		int error)
{
	return fault_set(engine->fault, call, object, error);
}

const char *engine_below(const char *path)
{
	return path[1] == '\0' ? "." : path + 1;
}

static void prepare(struct engine *engine)
{
	engine->memos = engine->plan->memos;
	engine->root = engine->store = engine->masks = engine->proc = -1;
	engine->old_proc = engine->place = -1;
}

/* The descriptors lead to the host. cordon's own init shuts them all at once,
 * because it takes nothing of the caller's; here they stand among those that the
 * command gets, and process 1 must be rid of them before there is one. */
static void shut(struct engine *engine)
{
	int own[] = { engine->root, engine->store,    engine->masks,
		      engine->proc, engine->old_proc, engine->place };

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		fd_close(&own[i]);
	for (size_t i = 0; i < engine->plan->op_count; i++) {
		const struct op *op = &engine->plan->ops[i];
		int seen = op->fd;

		if (op->kind != OP_SOURCE)
			continue;
		fd_close(&seen);
		fd_close(&engine->memos[op->slot].place);
		fd_close(&engine->memos[op->slot].tree);
	}
}

int engine_build(const struct plan *plan, struct engine_watch *watch,
		 struct fault *fault)
{
	struct engine engine = { .plan = plan, .fault = fault, .watch = watch };
	mode_t mask = umask(0); /* modes are the plan's */
	int err = 0;

	prepare(&engine);
	for (size_t i = 0; i < plan->op_count && err == 0; i++) {
		const struct op *op = &plan->ops[i];

		if (actions[op->kind] == NULL)
			continue;
		err = actions[op->kind](&engine, op);
		if (err != 0)
			fault_copy(fault->stage, sizeof(fault->stage),
				   plan_op_name(op->kind));
	}
	(void)umask(mask);
	if (plan->monitor != NULL)
		shut(&engine);
	return err;
}
