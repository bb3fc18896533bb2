/*
 * What the mutant launcher (tests/helpers/cordon-mutant) leaves out: cordon with
 * CORDON_TEST_MUTANT, and the words of CORDON_TEST_LEAVE_OUT.
 *
 * The table is all that can be left out; another word ends the process before
 * there is a sandbox. The user, mount and pid namespaces and the pivot are not
 * in it and never shall be: the engine counts on them for its own acts. Without
 * a pid namespace the kill(-1, SIGKILL) with which init ends is everybody's end
 * whom the caller may kill, without a mount namespace the new root covers the
 * machine's.
 */
#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/path.h"
#include "engine/mutant.h"
#include "plan/plan.h"

#ifndef AT_RECURSIVE
#	define AT_RECURSIVE 0x8000
#endif

#ifndef SYS_mount_setattr
#	define SYS_mount_setattr 442
#endif

#ifndef CLONE_NEWCGROUP
#	define CLONE_NEWCGROUP 0x02000000
#endif

#define NO_OP OP_KINDS

static const struct {
	const char *name;
	enum op_kind op; /* taken away from the plan, or NO_OP */
	uint64_t space;	 /* not made */
} parts[] = {
	{ "cover", OP_COVER, 0 },
	{ "drop", OP_DROP, 0 },
	{ "fds", OP_FDS, 0 },
	{ "filter", OP_FILTER, 0 },
	{ "hostname", OP_HOSTNAME, 0 },
	{ "keyring", OP_KEYRING, 0 },
	{ "loopback", OP_LOOPBACK, 0 },
	{ "mask", OP_MASK, 0 },
	{ "names", OP_NAMES, 0 },
	{ "no-cgroups", OP_NO_CGROUPS, 0 },
	{ "no-nesting", OP_NO_NESTING, 0 },
	{ "protect", OP_PROTECT, 0 },
	{ "scope", OP_SCOPE, 0 },
	{ "seal", OP_SEAL, 0 },
	{ "verify", OP_VERIFY, 0 },
	/* namespaces that only narrow what a call reaches */
	{ "cgroup-space", NO_OP, CLONE_NEWCGROUP },
	{ "ipc-space", NO_OP, CLONE_NEWIPC },
	{ "net-space", NO_OP, CLONE_NEWNET },
	{ "uts-space", NO_OP, CLONE_NEWUTS },
	/* looked up by name below */
	{ "deep", NO_OP, 0 },		/* below a bind its flags do not hold */
	{ "nodev", NO_OP, 0 },		/* of binds */
	{ "nosuid", NO_OP, 0 },		/* of binds */
	{ "own-proc", NO_OP, 0 },	/* /proc is the host's */
	{ "private-mounts", NO_OP, 0 }, /* binds keep their propagation */
	{ "proc-cover", NO_OP, 0 },	/* settings are as root's */
	{ "read-only", NO_OP, 0 },	/* read roots are writable */
	{ "temp", NO_OP, 0 },		/* /tmp is what --read / shows of it */
	{ "upper", NO_OP, 0 },		/* overlays are writable binds */
	{ "writable", NO_OP, 0 },	/* write roots are read-only */
};
enum { PARTS = sizeof(parts) / sizeof(*parts) };

static const uint64_t may_lack = CLONE_NEWCGROUP | CLONE_NEWIPC | CLONE_NEWNET |
				 CLONE_NEWUTS;

/* Read in the supervisor: init's environment is wiped. */
static bool lacks[PARTS];

bool mutant_lacks(const char *what)
{
	for (size_t i = 0; i < PARTS; i++) {
		if (strcmp(parts[i].name, what) == 0)
			return lacks[i];
	}
	abort();
}

static void note_word(const char *word, size_t length)
{
	for (size_t i = 0; i < PARTS; i++) {
		if (strlen(parts[i].name) == length &&
		    memcmp(parts[i].name, word, length) == 0) {
			lacks[i] = true;
			return;
		}
	}
	abort();
}

static void read_words(void)
{
	const char *at = getenv("CORDON_TEST_LEAVE_OUT");

	while (at != NULL && *at != '\0') {
		size_t length = strcspn(at, " ");

		note_word(at, length);
		at += length;
		at += *at == ' ';
	}
}

/* With the host's there, what would be made in it is there already. */
static bool is_temp(const struct op *op)
{
	return (op->kind == OP_PRIVATE || op->kind == OP_DIR ||
		op->kind == OP_FILE) &&
	       path_is_under(op->path, "/tmp");
}

static bool is_taken(const struct op *op)
{
	if (mutant_lacks("temp") && is_temp(op))
		return true;
	for (size_t i = 0; i < PARTS; i++) {
		if (lacks[i] && parts[i].op == op->kind)
			return true;
	}
	return false;
}

static void change_spaces(struct op *op)
{
	for (size_t i = 0; i < PARTS; i++) {
		if (lacks[i])
			op->flags &= ~(parts[i].space & may_lack);
	}
}

static void change_bind(struct op *op)
{
	if (op->flags & BIND_READ) {
		if (mutant_lacks("read-only"))
			op->flags &= ~(uint64_t)BIND_READ;
	} else if (mutant_lacks("writable")) {
		op->flags |= BIND_READ;
	}
}

static void change(struct op *op)
{
	if (op->kind == OP_SPACES)
		change_spaces(op);
	if (op->kind == OP_PROC && mutant_lacks("proc-cover"))
		op->flags &= ~(uint64_t)PROC_COVER;
	if (op->kind == OP_BIND || op->kind == OP_ROOT_BIND)
		change_bind(op);
	if (op->kind == OP_SOURCE && mutant_lacks("upper"))
		op->flags &= ~(uint64_t)SOURCE_PLACE;
	if (op->kind == OP_OVERLAY && mutant_lacks("upper"))
		op->kind = OP_BIND;
}

void mutant_change(const struct plan *plan)
{
	size_t *count = (size_t *)(uintptr_t)&plan->op_count;
	size_t kept = 0;

	read_words();
	for (size_t i = 0; i < plan->op_count; i++) {
		struct op *op = &plan->ops[i];

		if (is_taken(op))
			continue;
		change(op);
		plan->ops[kept++] = *op;
	}
	*count = kept;
}

int mutant_mount_setattr(int fd, unsigned flags, uint64_t set, uint64_t clear)
{
	struct mount_attr attr = { .attr_set = set, .attr_clr = clear };

	if (!mutant_lacks("private-mounts"))
		attr.propagation = MS_PRIVATE;
	if (mutant_lacks("nosuid"))
		attr.attr_set &= ~(uint64_t)MOUNT_ATTR_NOSUID;
	if (mutant_lacks("nodev"))
		attr.attr_set &= ~(uint64_t)MOUNT_ATTR_NODEV;
	if (mutant_lacks("deep"))
		flags &= ~(unsigned)AT_RECURSIVE;
	return (int)syscall(SYS_mount_setattr, fd, "", flags | AT_EMPTY_PATH,
			    &attr, sizeof(attr));
}
