/*
 * What only all of bubblewrap's words together can say, in the order in which
 * the original finds it.
 */
#include <limits.h>
#include <string.h>

#include "policy/bwrap_read.h"

static void check_layers(struct bwrap_reading *reading)
{
	if (reading->layer_count != 0)
		bwrap_fail(reading,
			   "--overlay-src must be followed by another "
			   "--overlay-src or one of --overlay, --tmp-overlay, "
			   "or --ro-overlay");
}

static void check_joining(struct bwrap_reading *reading)
{
	const struct bwrap *bwrap = reading->bwrap;

	if (bwrap->userns >= 0 && bwrap->user)
		bwrap_fail(reading,
			   "--userns is not compatible with --unshare-user");
	if (bwrap->userns >= 0 && bwrap->user_try)
		bwrap_fail(reading, "--userns is not compatible with "
				    "--unshare-user-try");
	if (bwrap->disable_userns && !bwrap->user)
		bwrap_fail(reading, "--disable-userns requires --unshare-user");
	if (bwrap->disable_userns && bwrap->userns_block_fd >= 0)
		bwrap_fail(reading, "--disable-userns is not compatible with "
				    "--userns-block-fd");
	if (bwrap->userns_block_fd >= 0 && !bwrap->user)
		bwrap_fail(reading,
			   "--userns-block-fd requires --unshare-user");
	if (bwrap->userns_block_fd >= 0 && bwrap->info_fd < 0)
		bwrap_fail(reading, "--userns-block-fd requires --info-fd");
}

/* An ordinary user needs a user namespace for all the others. */
static void imply(struct bwrap_reading *reading)
{
	struct bwrap *bwrap = reading->bwrap;
	const struct bwrap_context *context = bwrap->context;

	if (bwrap->user_try && context->has_user_spaces)
		bwrap->user = true;
	if (context->uid != 0 && bwrap->userns < 0)
		bwrap->user = true;
	if (bwrap->cgroup && !context->has_cgroup_spaces)
		bwrap_fail(reading,
			   "Cannot create new cgroup namespace because the "
			   "kernel does not support it");
	if (bwrap->cgroup_try && context->has_cgroup_spaces)
		bwrap->cgroup = true;
}

static void check_ids(struct bwrap_reading *reading)
{
	const struct bwrap *bwrap = reading->bwrap;
	const struct bwrap_context *context = bwrap->context;

	if (bwrap->user || bwrap->userns >= 0)
		return;
	if (bwrap->uid >= 0 && bwrap->uid != context->uid)
		bwrap_fail(reading, "Specifying --uid requires --unshare-user "
				    "or --userns");
	if (bwrap->gid >= 0 && bwrap->gid != context->gid)
		bwrap_fail(reading, "Specifying --gid requires --unshare-user "
				    "or --userns");
}

static void check_spaces(struct bwrap_reading *reading)
{
	const struct bwrap *bwrap = reading->bwrap;

	if (bwrap->hostname != NULL && !bwrap->uts)
		bwrap_fail(reading,
			   "Specifying --hostname requires --unshare-uts");
	if (bwrap->as_pid_1 && !bwrap->pid)
		bwrap_fail(reading,
			   "Specifying --as-pid-1 requires --unshare-pid");
	if (bwrap->as_pid_1 && bwrap->lock_count != 0)
		bwrap_fail(reading, "Specifying --as-pid-1 and --lock-file is "
				    "not permitted");
}

static void drop_closed(int *fd, bool (*is_open)(int fd))
{
	if (*fd >= 0 && !is_open(*fd))
		*fd = INT_MAX;
}

void bwrap_drop_closed(struct bwrap *bwrap, bool (*is_open)(int fd))
{
	int *const named[] = { &bwrap->userns,	  &bwrap->userns2,
			       &bwrap->pidns,	  &bwrap->sync_fd,
			       &bwrap->block_fd,  &bwrap->userns_block_fd,
			       &bwrap->info_fd,	  &bwrap->json_status_fd,
			       &bwrap->seccomp_fd };

	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
		drop_closed(named[i], is_open);
	for (size_t i = 0; i < bwrap->wish_count; i++)
		drop_closed(&bwrap->wishes[i].fd, is_open);
}

void bwrap_check(struct bwrap_reading *reading)
{
	check_layers(reading);
	check_joining(reading);
	imply(reading);
	check_ids(reading);
	check_spaces(reading);
}
