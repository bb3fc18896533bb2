/*
 * The last of init's powers: names, keys, limits, capabilities.
 */
#include <errno.h>
#include <linux/securebits.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/sys.h"
#include "engine/inside.h"

int engine_hostname(struct engine *engine, const struct op *op)
{
	if (sethostname(op->source, strlen(op->source)) != 0)
		return engine_fail(engine, "sethostname", op->source, errno);
	return 0;
}

/* The caller's session keyring would otherwise be readable inside. EDQUOT: the
 * user has 200 keyrings already. ENOSYS: a kernel without keys has none. */
int engine_keyring(struct engine *engine, const struct op *op)
{
	int err = sys_keyctl_join_session();

	(void)op;
	if (err >= 0 || err == -ENOSYS)
		return 0;
	return engine_fail(engine, "keyctl", "session keyring", err);
}

/* Set in init: from here the count is this user namespace's own (5.14). */
int engine_procs(struct engine *engine, const struct op *op)
{
	struct rlimit limit = { .rlim_cur = op->a, .rlim_max = op->a };

	if (setrlimit(RLIMIT_NPROC, &limit) != 0)
		return engine_fail(engine, "setrlimit", "procs", errno);
	return 0;
}

static int drop_bounding(struct engine *engine)
{
	for (int cap = 0; cap < 64; cap++) {
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) == 0)
			continue;
		if (errno == EINVAL)
			break; /* beyond the last one of this kernel */
		return engine_fail(engine, "PR_CAPBSET_DROP", "", errno);
	}
	return 0;
}

int engine_drop(struct engine *engine, const struct op *op)
{
	unsigned long bits = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED |
			     SECBIT_NO_CAP_AMBIENT_RAISE |
			     SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
	int err;

	(void)op;
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0)
		return engine_fail(engine, "PR_CAP_AMBIENT", "", errno);
	err = drop_bounding(engine);
	if (err != 0)
		return err;
	if (prctl(PR_SET_SECUREBITS, bits, 0, 0, 0) != 0)
		return engine_fail(engine, "PR_SET_SECUREBITS", "", errno);
	err = sys_capset_empty();
	if (err != 0)
		return engine_fail(engine, "capset", "", err);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return engine_fail(engine, "PR_SET_NO_NEW_PRIVS", "", errno);
	return 0;
}
