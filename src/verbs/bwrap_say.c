/*
 * Faults in bubblewrap's words: tools look for them.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/fault.h"
#include "plan/plan.h"
#include "policy/bwrap.h"
#include "verbs/bwrap.h"

enum form { ALONE, REASON, OBJECT, OBJECT_REASON };

static const struct {
	const char *stage, *call; /* NULL: any */
	enum form form;
	const char *words;
} sayings[] = {
	{ "source", NULL, OBJECT_REASON, "Can't find source path " },
	{ "place", "mkdir", OBJECT_REASON, "Can't mkdir " },
	{ "place", "create", OBJECT_REASON, "Can't create file at " },
	{ "place", "link", OBJECT, "Can't mount on symlink destination " },
	{ "place", "no directory", OBJECT, "Destination is not a directory " },
	{ "place", "no file", OBJECT, "Destination is not a file " },
	{ NULL, "parents", OBJECT_REASON, "Can't mkdir parents for " },
	{ "file-label", NULL, REASON, "setfscreatecon failed" },
	{ "make-dir", NULL, OBJECT_REASON, "Can't mkdir " },
	{ "make-file", "create", OBJECT_REASON, "Can't create file " },
	{ "make-file", NULL, OBJECT_REASON, "Can't write data to file " },
	{ "data", "create", OBJECT_REASON, "Can't create tmpfile for " },
	{ "data", NULL, OBJECT_REASON, "Can't write data to file " },
	{ "chmod", NULL, OBJECT_REASON, "Can't chmod " },
	{ "remount", NULL, OBJECT_REASON, "Can't remount readonly on " },
	{ "mqueue", NULL, OBJECT_REASON, "Can't mount mqueue on " },
	{ "proc", NULL, OBJECT_REASON, "Can't mount proc on " },
	{ "tmpfs", NULL, OBJECT_REASON, "Can't mount tmpfs on " },
	{ "dev", NULL, OBJECT_REASON, "Can't set up dev at " },
	{ "hostname", NULL, OBJECT_REASON, "Can't set hostname to " },
	{ "pivot", NULL, REASON, "pivot_root" },
	{ "loopback", "socket", REASON, "loopback: Failed to open socket" },
	{ "loopback", NULL, REASON, "loopback: Failed RTM_NEWADDR" },
	{ "map-uid", NULL, REASON, "setting up uid map" },
	{ "map-gid", NULL, REASON, "setting up gid map" },
	{ "private-tree", NULL, REASON, "Failed to make / slave" },
	{ "no-users-left", NULL, ALONE,
	  "creation of new user namespaces was not disabled as requested" },
	{ "find-cwd", NULL, OBJECT_REASON, "Can't chdir to " },
	{ "search", NULL, OBJECT_REASON, "execvp " },
	{ "label", NULL, REASON, "label_exec failed" },
	{ NULL, "open lock", OBJECT_REASON, "Unable to open lock file " },
	{ NULL, "lock", OBJECT_REASON, "Unable to lock file " },
	{ NULL, "read seccomp", REASON, "Can't read seccomp data" },
	{ NULL, "size of seccomp", ALONE,
	  "Invalid seccomp data, must be multiple of 8" },
	{ NULL, "seccomp", REASON, "prctl(PR_SET_SECCOMP)" },
};

static bool is_it(const char *word, const char *said)
{
	return word == NULL || strcmp(word, said) == 0;
}

static const char *reason(int error)
{
	if (error == ENOSPC)
		return "Limit exceeded (ENOSPC). (Hint: Check that "
		       "/proc/sys/fs/mount-max is sufficient, typically "
		       "100000)";
	return bwrap_reason(error);
}

static const char *say_spaces(struct arena *arena, int error)
{
	if (error == EPERM || error == EACCES)
		return "No permissions to create a new namespace, likely "
		       "because the kernel does not allow non-privileged user "
		       "namespaces. On e.g. debian this can be enabled with "
		       "'sysctl kernel.unprivileged_userns_clone=1'.";
	if (error == ENOSPC || error == EUSERS)
		return "Creating new namespace failed: nesting depth or "
		       "/proc/sys/user/max_*_namespaces exceeded (ENOSPC)";
	return arena_join(arena, "Creating new namespace failed: ",
			  bwrap_reason(error), NULL);
}

static const char *say_join(struct arena *arena, const struct fault *fault)
{
	if (strcmp(fault->stage, "join-pid") == 0)
		return arena_join(arena, "Setting pidns failed: ",
				  bwrap_reason(fault->error), NULL);
	if (strcmp(fault->call, "setns later") == 0)
		return arena_join(arena, "Setting userns2 failed: ",
				  strerror(fault->error), NULL);
	if (strcmp(fault->call, "setns") == 0 && fault->error == EINVAL)
		return "Joining the specified user namespace failed, it might "
		       "not be a descendant of the current user namespace.";
	return arena_join(arena, "Joining specified user namespace failed: ",
			  bwrap_reason(fault->error), NULL);
}

static const char *say_link(struct arena *arena, const struct fault *fault)
{
	const char *begin = arena_join(arena, "Can't make symlink at ",
				       fault->object, ": ", NULL);

	if (strcmp(fault->call, "other link") == 0)
		return arena_join(arena, begin, "existing destination is ",
				  fault->words, NULL);
	if (strcmp(fault->call, "no link") == 0)
		return arena_join(arena, begin,
				  "destination exists and is not a symlink",
				  NULL);
	return arena_join(arena, begin, bwrap_reason(fault->error), NULL);
}

static const char *source_of(const struct plan *plan, const char *path)
{
	for (size_t i = 0; i < plan->op_count; i++) {
		const struct op *op = &plan->ops[i];

		if (op->kind == OP_BIND && strcmp(op->path, path) == 0)
			return plan_source(plan, op->slot);
	}
	return "";
}

static const char *say_bind(struct arena *arena, const struct plan *plan,
			    const struct fault *fault)
{
	return arena_join(arena, "Can't bind mount ",
			  source_of(plan, fault->object), " on ", fault->object,
			  ": ",
			  strcmp(fault->call, "move_mount") == 0
				  ? "Unable to mount source on destination"
				  : "Unable to apply mount flags",
			  ": ", reason(fault->error), NULL);
}

static const char *say_layers(struct arena *arena, const struct fault *fault)
{
	if (fault->error == ELOOP)
		return "Overlay directories may not overlap";
	return arena_join(arena, "Can't make overlay mount on ", fault->object,
			  ": ", bwrap_reason(fault->error), NULL);
}

static const char *say_plain(struct arena *arena, const struct fault *fault)
{
	for (size_t i = 0; i < sizeof(sayings) / sizeof(*sayings); i++) {
		enum form form = sayings[i].form;
		bool has_object = form == OBJECT || form == OBJECT_REASON;
		bool has_reason = form == REASON || form == OBJECT_REASON;

		if (!is_it(sayings[i].stage, fault->stage) ||
		    !is_it(sayings[i].call, fault->call))
			continue;
		return arena_join(arena, sayings[i].words,
				  has_object ? fault->object : "",
				  has_reason ? ": " : "",
				  has_reason ? reason(fault->error) : "", NULL);
	}
	return arena_join(arena, fault->stage, " ", fault->call, " ",
			  fault->object, ": ", reason(fault->error), NULL);
}

const char *bwrap_say(struct arena *arena, const struct plan *plan,
		      const struct fault *fault)
{
	if (strcmp(fault->stage, "spaces") == 0)
		return say_spaces(arena, fault->error);
	if (strncmp(fault->stage, "join-", 5) == 0)
		return say_join(arena, fault);
	if (strcmp(fault->stage, "make-link") == 0 &&
	    strcmp(fault->call, "parents") != 0)
		return say_link(arena, fault);
	if (strcmp(fault->stage, "bind") == 0)
		return say_bind(arena, plan, fault);
	if (strcmp(fault->stage, "layered") == 0)
		return say_layers(arena, fault);
	return say_plain(arena, fault);
}
