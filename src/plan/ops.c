/*
 * `cordon show --ops`: one operation a line, from one table that says which
 * fields an operation has.
 */
#include <assert.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "plan/make.h"
#include "plan/plan.h"

enum field {
	HAS_SLOT = 1 << 0,
	HAS_PATH = 1 << 1,
	HAS_SOURCE = 1 << 2,
	HAS_MODE = 1 << 3,
	HAS_ID = 1 << 4,
	HAS_SIZE = 1 << 5,   /* of data */
	HAS_BOUNDS = 1 << 6, /* a: bytes, b: inodes */
	HAS_PAIR = 1 << 7,   /* a and b as bare numbers */
	HAS_A = 1 << 8,
	HAS_FD = 1 << 9,
	HAS_ABOVE = 1 << 10, /* a: mode of what is made above */
};

static const struct {
	const char *name;
	enum op_sort sort;
	unsigned fields;
	const char *flags[8]; /* names of the bits of op->flags, from bit 0 */
} kinds[] = {
	[OP_SPACES] = { "spaces", SORT_NONE, 0, { NULL } },
	[OP_CGROUP] = { "cgroup", SORT_NONE, HAS_SOURCE | HAS_SIZE, { NULL } },
	[OP_MAP_UID] = { "map-uid", SORT_NONE, HAS_PAIR, { NULL } },
	[OP_MAP_GID] = { "map-gid", SORT_NONE, HAS_PAIR, { NULL } },
	[OP_SOURCE] = { "source",
			SORT_NONE,
			HAS_SLOT | HAS_SOURCE | HAS_ID,
			{ "place" } },
	[OP_STORE] = { "store", SORT_NONE, HAS_BOUNDS, { NULL } },
	[OP_ROOT] = { "root", SORT_OWN, 0, { NULL } },
	[OP_ROOT_BIND] = { "root-bind",
			   SORT_HOST,
			   HAS_SLOT,
			   { "read", "device" } },
	[OP_DIR] = { "dir", SORT_OBJECT, HAS_PATH | HAS_MODE, { NULL } },
	[OP_LINK] = { "link", SORT_OBJECT, HAS_PATH | HAS_SOURCE, { NULL } },
	[OP_FILE] = { "file",
		      SORT_OBJECT,
		      HAS_PATH | HAS_MODE | HAS_SIZE,
		      { NULL } },
	[OP_BIND] = { "bind",
		      SORT_HOST,
		      HAS_PATH | HAS_SLOT,
		      { "read", "device", "proc" } },
	[OP_OVERLAY] = { "overlay", SORT_HOST, HAS_PATH | HAS_SLOT, { NULL } },
	[OP_PRIVATE] = { "private", SORT_OWN, HAS_PATH | HAS_MODE, { NULL } },
	[OP_TMPFS] = { "tmpfs",
		       SORT_OWN,
		       HAS_PATH | HAS_MODE | HAS_BOUNDS,
		       { NULL } },
	[OP_SAME] = { "same", SORT_AGAIN, HAS_PATH | HAS_SOURCE, { NULL } },
	[OP_COVER] = { "cover",
		       SORT_COVER,
		       HAS_PATH | HAS_MODE | HAS_SIZE,
		       { NULL } },
	[OP_DEV] = { "dev", SORT_KERNEL, HAS_PATH, { "own", "core" } },
	[OP_DEVICE] = { "device", SORT_HOST, HAS_PATH | HAS_SLOT, { NULL } },
	[OP_CONSOLE] = { "console",
			 SORT_KERNEL,
			 HAS_PATH | HAS_SLOT,
			 { NULL } },
	[OP_PROC] = { "proc", SORT_KERNEL, HAS_PATH, { "cover" } },
	[OP_CGROUPS] = { "cgroups", SORT_KERNEL, HAS_PATH, { NULL } },
	[OP_PIN] = { "pin", SORT_SELF, HAS_PATH, { NULL } },
	[OP_PROTECT] = { "protect", SORT_SELF, HAS_PATH | HAS_ID, { NULL } },
	[OP_MASK] = { "mask", SORT_MASK, HAS_PATH | HAS_ID, { NULL } },
	[OP_SEAL] = { "seal", SORT_SEAL, HAS_PATH, { NULL } },
	[OP_VERIFY] = { "verify", SORT_NONE, 0, { NULL } },
	[OP_NO_NESTING] = { "no-nesting", SORT_NONE, 0, { NULL } },
	[OP_NO_CGROUPS] = { "no-cgroups", SORT_NONE, 0, { NULL } },
	[OP_PIVOT] = { "pivot", SORT_NONE, 0, { NULL } },
	[OP_HOSTNAME] = { "hostname", SORT_NONE, HAS_SOURCE, { NULL } },
	[OP_LOOPBACK] = { "loopback", SORT_NONE, HAS_A, { "no-ping" } },
	[OP_NAMES] = { "names", SORT_NONE, 0, { NULL } },
	[OP_KEYRING] = { "keyring", SORT_NONE, 0, { NULL } },
	[OP_PROCS] = { "procs", SORT_NONE, HAS_A, { NULL } },
	[OP_DROP] = { "drop", SORT_NONE, 0, { NULL } },
	[OP_JOIN_USER] = { "join-user", SORT_NONE, HAS_FD, { "later" } },
	[OP_JOIN_PID] = { "join-pid", SORT_NONE, HAS_FD, { NULL } },
	[OP_PRIVATE_TREE] = { "private-tree", SORT_NONE, 0, { NULL } },
	[OP_ONE_MORE_USER] = { "one-more-user", SORT_NONE, 0, { NULL } },
	[OP_FILE_LABEL] = { "file-label", SORT_NONE, HAS_SOURCE, { NULL } },
	[OP_PLACE] = { "place",
		       SORT_NONE,
		       HAS_PATH | HAS_MODE | HAS_ABOVE,
		       { NULL } },
	[OP_MAKE_DIR] = { "make-dir",
			  SORT_NONE,
			  HAS_PATH | HAS_MODE | HAS_ABOVE,
			  { NULL } },
	[OP_MAKE_FILE] = { "make-file",
			   SORT_NONE,
			   HAS_FD | HAS_PATH | HAS_MODE | HAS_ABOVE,
			   { NULL } },
	[OP_MAKE_LINK] = { "make-link",
			   SORT_NONE,
			   HAS_PATH | HAS_SOURCE,
			   { NULL } },
	[OP_CHMOD] = { "chmod", SORT_NONE, HAS_PATH | HAS_MODE, { NULL } },
	[OP_REMOUNT] = { "remount", SORT_NONE, HAS_PATH, { NULL } },
	[OP_DATA] = { "data",
		      SORT_NONE,
		      HAS_FD | HAS_PATH | HAS_MODE,
		      { "read" } },
	[OP_MQUEUE] = { "mqueue", SORT_NONE, HAS_PATH, { NULL } },
	[OP_LAYER] = { "layer", SORT_NONE, HAS_SLOT, { NULL } },
	[OP_LAYERED] = { "layered", SORT_NONE, HAS_PATH, { "write", "store" } },
	[OP_NO_MORE_USERS] = { "no-more-users", SORT_NONE, HAS_PAIR, { NULL } },
	[OP_NO_USERS_LEFT] = { "no-users-left", SORT_NONE, 0, { NULL } },
	[OP_CAPS] = { "caps", SORT_NONE, HAS_A, { "ambient", "bounding" } },
	[OP_FIND_CWD] = { "find-cwd", SORT_NONE, 0, { NULL } },
	[OP_LABEL] = { "label", SORT_NONE, HAS_SOURCE, { NULL } },
	[OP_OWN_FILTER] = { "own-filter", SORT_NONE, HAS_SIZE, { NULL } },
	[OP_LATE_FILTER] = { "late-filter", SORT_NONE, HAS_FD, { NULL } },
	[OP_SEARCH] = { "search", SORT_NONE, HAS_PATH, { NULL } },
	[OP_WATCH] = { "watch",
		       SORT_NONE,
		       0,
		       { "net", "messages", "files", "reads", "calls",
			 "required" } },
	[OP_LIMIT] = { "limit", SORT_NONE, HAS_PAIR, { "soft" } },
	[OP_SCOPE] = { "scope", SORT_NONE, 0, { NULL } },
	[OP_CWD] = { "cwd", SORT_NONE, HAS_PATH, { NULL } },
	[OP_FDS] = { "fds", SORT_NONE, 0, { "reopen" } },
	[OP_FILTER] = { "filter", SORT_NONE, HAS_SOURCE, { NULL } },
	[OP_EXEC] = { "exec", SORT_NONE, HAS_PATH, { NULL } },
};
static_assert(sizeof(kinds) / sizeof(*kinds) == OP_KINDS,
	      "every operation has a row");

static const struct {
	uint64_t flag;
	const char *name;
} spaces[] = {
	{ CLONE_NEWUSER, "user" }, { CLONE_NEWNS, "mount" },
	{ CLONE_NEWPID, "pid" },   { CLONE_NEWIPC, "ipc" },
	{ CLONE_NEWUTS, "uts" },   { CLONE_NEWCGROUP, "cgroup" },
	{ CLONE_NEWNET, "net" },
};

const char *plan_op_name(enum op_kind kind)
{
	return kinds[kind].name;
}

const struct op *plan_find(const struct plan *plan, enum op_kind kind)
{
	for (size_t i = 0; i < plan->op_count; i++) {
		if (plan->ops[i].kind == kind)
			return &plan->ops[i];
	}
	return NULL;
}

const char *plan_source(const struct plan *plan, int slot)
{
	for (size_t i = 0; i < plan->op_count; i++) {
		if (plan->ops[i].kind == OP_SOURCE && plan->ops[i].slot == slot)
			return plan->ops[i].source;
	}
	return "";
}

enum op_sort plan_op_sort(enum op_kind kind)
{
	return kinds[kind].sort;
}

static const char *type_name(uint32_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFDIR:
		return "dir";
	case S_IFREG:
		return "file";
	case S_IFCHR:
	case S_IFBLK:
		return "device";
	case S_IFSOCK:
		return "socket";
	case S_IFIFO:
		return "fifo";
	default:
		return "any";
	}
}

static void add_id(struct text *out, const struct op_id *id)
{
	text_add_char(out, ' ');
	text_add(out, type_name(id->type));
	if (id->ino == 0)
		return;
	text_add_char(out, ' ');
	text_add_number(out, id->dev >> 32);
	text_add_char(out, ':');
	text_add_number(out, id->dev & 0xffffffff);
	text_add_char(out, ':');
	text_add_number(out, id->ino);
}

static void add_bounds(struct text *out, const struct op *op)
{
	text_add(out, " size=");
	if (op->a == 0)
		text_add(out, "50%");
	else
		text_add_number(out, op->a);
	text_add(out, " inodes=");
	text_add_number(out, op->b);
}

static void add_number(struct text *out, uint64_t number)
{
	text_add_char(out, ' ');
	text_add_number(out, number);
}

static void add_word(struct text *out, const char *word)
{
	text_add_char(out, ' ');
	text_add_quoted(out, word);
}

static void add_flags(struct text *out, const struct op *op)
{
	const char *const *names = kinds[op->kind].flags;

	for (unsigned bit = 0; names[bit] != NULL; bit++) {
		if (op->flags & 1U << bit)
			add_word(out, names[bit]);
	}
	for (size_t i = 0;
	     op->kind == OP_SPACES && i < sizeof(spaces) / sizeof(*spaces);
	     i++) {
		if (op->flags & spaces[i].flag)
			add_word(out, spaces[i].name);
	}
}

static void print_op(struct text *out, const struct op *op)
{
	unsigned fields = kinds[op->kind].fields;

	text_add(out, kinds[op->kind].name);
	if (fields & HAS_SLOT)
		add_number(out, (uint64_t)op->slot);
	if (fields & HAS_FD)
		add_number(out, (uint64_t)op->fd);
	if (fields & HAS_PATH)
		add_word(out, op->path);
	if (fields & HAS_SOURCE)
		add_word(out, op->source);
	if (fields & HAS_MODE)
		text_printf(out, " mode=%04o", op->mode);
	if (fields & HAS_ABOVE)
		text_printf(out, " above=%04o", (unsigned)op->a);
	if (fields & HAS_PAIR) {
		add_number(out, op->a);
		add_number(out, op->b);
	}
	if (fields & HAS_A)
		add_number(out, op->a);
	if (fields & HAS_ID)
		add_id(out, &op->id);
	if (fields & HAS_BOUNDS)
		add_bounds(out, op);
	if (fields & HAS_SIZE)
		text_printf(out, " bytes=%zu", op->size);
	add_flags(out, op);
	text_add_char(out, '\n');
}

void plan_print_ops(const struct plan *plan, struct text *out)
{
	for (size_t i = 0; i < plan->op_count; i++)
		print_op(out, &plan->ops[i]);
}
