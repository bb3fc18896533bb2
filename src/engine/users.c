/*
 * User namespaces and capabilities of bubblewrap's command line.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/io.h"
#include "base/sys.h"
#include "engine/inside.h"

int engine_private_tree(struct engine *engine, const struct op *op)
{
	(void)op;
	if (mount(NULL, "/", NULL, MS_PRIVATE | MS_REC, NULL) != 0)
		return engine_fail(engine, "mount", "/", errno);
	return 0;
}

/* An id of the namespace that was joined before the clone, and all rights in it
 * for what is to be built; an id of -1 stays as it is. */
static int take_ids(struct engine *engine, const struct op *op)
{
	gid_t gid = (gid_t)op->b;
	uid_t uid = (uid_t)op->a;
	int err;

	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0)
		return engine_fail(engine, "prctl", "", errno);
	if (setresgid(gid, gid, gid) != 0)
		return engine_fail(engine, "setresgid", "", errno);
	if (setresuid(uid, uid, uid) != 0)
		return engine_fail(engine, "setresuid", "", errno);
	err = sys_capset(UINT64_MAX, 0);
	return err == 0 ? 0 : engine_fail(engine, "capset", "", err);
}

int engine_join_user(struct engine *engine, const struct op *op)
{
	if (!(op->flags & JOIN_LATER))
		return take_ids(engine, op);
	if (setns(op->fd, CLONE_NEWUSER) != 0)
		return engine_fail(engine, "setns later", "", errno);
	return 0;
}

/* Kept: when the last user namespace is made, the caller's /proc is gone. */
int engine_one_more_user(struct engine *engine, const struct op *op)
{
	int err;

	(void)op;
	engine->old_proc = sys_openat(AT_FDCWD, "/proc", O_PATH | O_DIRECTORY,
				      0);
	if (engine->old_proc < 0)
		return engine_fail(engine, "openat", "/proc", engine->old_proc);
	err = io_write_file(engine->old_proc, "sys/user/max_user_namespaces",
			    "1");
	return err == 0 ? 0
			: engine_fail(engine, "write", "max_user_namespaces",
				      err);
}

/* An id as it is. */
static int keep_id(struct engine *engine, const char *file, uint64_t id)
{
	const struct op_ids ids = { id, id };

	return engine_write_map(engine, engine->old_proc, file, &ids);
}

/* In it nothing counts against the limit of the one above, whose owner the
 * command is not. */
int engine_no_more_users(struct engine *engine, const struct op *op)
{
	int err;

	if (unshare(CLONE_NEWUSER) != 0)
		return engine_fail(engine, "unshare", "", errno);
	err = io_write_file(engine->old_proc, "self/setgroups", "deny");
	if (err != 0)
		return engine_fail(engine, "write", "setgroups", err);
	err = keep_id(engine, "self/uid_map", op->a);
	return err == 0 ? keep_id(engine, "self/gid_map", op->b) : err;
}

int engine_no_users_left(struct engine *engine, const struct op *op)
{
	(void)op;
	if (unshare(CLONE_NEWUSER) != 0)
		return 0;
	return engine_fail(engine, "one could be made", "", EEXIST);
}

/* Every capability that this kernel has, one call each. */
static int bound(struct engine *engine, const struct op *op)
{
	for (int cap = 0; cap < 64; cap++) {
		bool stays = (op->a >> cap & 1) != 0 ||
			     !(op->flags & CAPS_BOUNDING);
		int action = stays ? PR_CAPBSET_READ : PR_CAPBSET_DROP;

		if (prctl(action, cap, 0, 0, 0) >= 0)
			continue;
		if (errno == EINVAL)
			break; /* beyond the last one */
		if (errno != EPERM)
			return engine_fail(engine, "prctl", "", errno);
	}
	return 0;
}

static int raise_ambient(struct engine *engine, const struct op *op)
{
	for (int cap = 0; cap < 64; cap++) {
		if ((op->a >> cap & 1) == 0)
			continue;
		if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0) !=
			    0 &&
		    errno != EINVAL && errno != EPERM)
			return engine_fail(engine, "prctl", "", errno);
	}
	return 0;
}

int engine_caps(struct engine *engine, const struct op *op)
{
	bool is_ambient = (op->flags & CAPS_AMBIENT) != 0;
	int err = bound(engine, op);

	if (err != 0)
		return err;
	err = sys_capset(op->a, is_ambient ? op->a : 0);
	if (err != 0)
		return engine_fail(engine, "capset", "", err);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return engine_fail(engine, "prctl", "", errno);
	return is_ambient ? raise_ambient(engine, op) : 0;
}
