/*
 * Known causes by failing call and errno. Only what is likely is said.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/fault.h"
#include "base/hint.h"

static const struct {
	const char *stage, *call;
	int error; /* 0: any */
	const char *text;
} hints[] = {
	{ "spaces", "clone3", EPERM,
	  "user namespaces are shut: sysctl kernel.unprivileged_userns_clone=1 "
	  "(Debian), or an AppArmor profile with `userns,` for cordon (Ubuntu), "
	  "or in a container: --security-opt seccomp=unconfined" },
	{ "spaces", "clone3", ENOSPC,
	  "no namespace left: raise sysctl user.max_user_namespaces (and its "
	  "like), or this is already inside a sandbox that forbids nesting" },
	{ "spaces", "clone3", ENOSYS,
	  "clone3 is filtered here, or Linux is older than 5.3" },
	{ "spaces", "clone3", EUSERS, "namespaces are nested too deeply" },
	{ "map-uid", NULL, EPERM,
	  "user namespaces are restricted: an AppArmor profile with `userns,` "
	  "for cordon (Ubuntu 24.04: sysctl "
	  "kernel.apparmor_restrict_unprivileged_userns)" },
	{ NULL, "fsmount", EPERM,
	  "a new /proc may not show more than the old one, parts of which are "
	  "masked: in a container: --security-opt systempaths=unconfined" },
	{ NULL, "fsopen", ENOSYS, "the mount API needs Linux 5.12" },
	{ "overlay", "fsopen", ENODEV, "the overlay module: modprobe overlay" },
	{ NULL, "mount_setattr", ENOSYS, "the mount API needs Linux 5.12" },
	{ "keyring", "keyctl", EDQUOT,
	  "this user's key quota is used up (keyring_quota): sysctl "
	  "kernel.keys.maxkeys" },
	{ "pivot", "pivot_root", EINVAL,
	  "the root file system is the initramfs, which cannot be left: "
	  "switch_root to a tmpfs first" },
	{ "limit", "setrlimit", EPERM,
	  "the limit is above the hard limit that is in force: ulimit -H" },
	{ "filter", "seccomp", EINVAL,
	  "this kernel has no seccomp filters, or the program is not one" },
	{ "watch", "seccomp", EBUSY,
	  "a program outside listens to system calls already, as a container "
	  "engine can, and only one may: end that, or leave out --report and "
	  "--fail-on" },
	{ "watch", "seccomp", EINVAL, "watching needs Linux 5.5" },
	{ NULL, NULL, EMFILE, "raise the limit of open files: ulimit -n" },
	{ NULL, "another object took the place of", ESTALE,
	  "somebody renamed it during the start; run it again" },
};

const char *hint_for(const struct fault *fault)
{
	for (size_t i = 0; i < sizeof(hints) / sizeof(*hints); i++) {
		if (hints[i].error != fault->error)
			continue;
		if (hints[i].stage != NULL &&
		    strcmp(hints[i].stage, fault->stage) != 0)
			continue;
		if (hints[i].call == NULL ||
		    strcmp(hints[i].call, fault->call) == 0)
			return hints[i].text;
	}
	return NULL;
}
