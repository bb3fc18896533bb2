/*
 * cordon run: the command behind the wall.
 */
#include "base/exitcode.h"
#include "base/fault.h"
#include "base/hint.h"
#include "base/report.h"
#include "engine/cgroup.h"
#include "policy/options.h"
#include "verbs/prepare.h"
#include "verbs/verbs.h"
#include "watch/watch.h"

static const char *find_cause(void *prepared, int status)
{
	return prepare_cause(prepared, status);
}

static int run(struct prepared *prepared)
{
	struct plan *plan = &prepared->plan;
	struct watch_doubt doubt = { find_cause, prepared };
	struct cgroup cgroup;
	struct fault fault = { 0 };
	int code;

	if (cgroup_make(plan, &cgroup, &fault) != 0) {
		report_failed(&fault, hint_for(&fault));
		return EXIT_REFUSED;
	}
	plan->cgroup_fd = cgroup.group;
	code = watch_run(plan, &doubt);
	cgroup_remove(&cgroup);
	return code;
}

int verb_run(char **words)
{
	static struct prepared prepared;
	int code;

	prepare(&prepared, words, USE_RUN);
	code = prepare_refusals(&prepared);
	return code != 0 ? code : run(&prepared);
}
