/*
 * `cordon show`: a page for people. It says what the operations mean, in the
 * order in which a reader asks.
 */
#include <string.h>

#include "base/path.h"
#include "base/text.h"
#include "plan/make.h"
#include "plan/plan.h"
#include "policy/policy.h"

static void add_bytes(struct text *out, uint64_t bytes)
{
	static const char units[] = "KMGT";
	unsigned unit = 0;

	for (bytes >>= 10; bytes >= 1024 && bytes % 1024 == 0 && unit < 3;
	     unit++)
		bytes >>= 10;
	text_add_number(out, bytes);
	text_add_char(out, units[unit]);
}

/* One heading for the first line of its kind. */
static void add_line(struct text *out, const char **heading)
{
	if (*heading != NULL)
		text_printf(out, "%s\n", *heading);
	*heading = NULL;
	text_add(out, "  ");
}

static void add_tree(const struct plan *plan, struct text *out,
		     const struct op *op)
{
	const char *source = plan_source(plan, op->slot);
	const char *path = op->path != NULL ? op->path : "/";

	text_add_quoted(out, path);
	if (strcmp(source, path) != 0) {
		text_add(out, "  from ");
		text_add_quoted(out, source);
	}
	text_add_char(out, '\n');
}

static bool is_root(const struct op *op)
{
	return op->kind == OP_BIND || op->kind == OP_ROOT_BIND;
}

static void add_roots(const struct plan *plan, struct text *out,
		      const char *heading, uint64_t flags)
{
	for (size_t i = 0; i < plan->op_count; i++) {
		const struct op *op = &plan->ops[i];

		if (!is_root(op) || (op->flags & BIND_READ) != flags)
			continue;
		add_line(out, &heading);
		add_tree(plan, out, op);
	}
}

static void add_kind(const struct plan *plan, struct text *out,
		     const char *heading, enum op_kind kind)
{
	for (size_t i = 0; i < plan->op_count; i++) {
		const struct op *op = &plan->ops[i];

		if (op->kind != kind)
			continue;
		add_line(out, &heading);
		if (op->slot >= 0)
			add_tree(plan, out, op);
		else
			text_printf(out, "%s\n", op->path);
	}
}

static void add_private(const struct plan *plan, struct text *out)
{
	const char *heading = "private, gone afterwards, together up to half "
			      "of memory";

	for (size_t i = 0; i < plan->op_count; i++) {
		const struct op *op = &plan->ops[i];

		if (op->kind != OP_TMPFS && op->kind != OP_PRIVATE &&
		    op->kind != OP_DEV && op->kind != OP_PROC)
			continue;
		add_line(out, &heading);
		text_add_quoted(out, op->path);
		if (op->kind == OP_TMPFS) {
			text_add(out, "  up to ");
			add_bytes(out, op->a);
		} else if (op->kind == OP_DEV) {
			text_add(out, "  null zero full random urandom tty "
				      "pts shm");
		}
		text_add_char(out, '\n');
	}
}

static void add_own_files(const struct plan *plan, struct text *out)
{
	const char *heading = "files of our own";

	for (size_t i = 0; i < plan->op_count; i++) {
		const struct op *op = &plan->ops[i];

		if (op->data == NULL ||
		    (op->kind != OP_FILE && op->kind != OP_COVER))
			continue;
		add_line(out, &heading);
		text_printf(out, "%s\n", op->path);
	}
}

static void add_list(struct text *out, const char *heading,
		     const char *const *items)
{
	if (items == NULL || *items == NULL)
		return;
	text_printf(out, "%s\n ", heading);
	for (; *items != NULL; items++)
		text_printf(out, " %s", *items);
	text_add_char(out, '\n');
}

/* Names only: values may be secrets. */
static void add_environment(const struct plan *plan, struct text *out)
{
	text_add(out, "environment\n  kept or set:");
	for (char **at = plan->envp; at != NULL && *at != NULL; at++) {
		text_add_char(out, ' ');
		text_add_bytes(out, *at, strcspn(*at, "="));
	}
	text_add_char(out, '\n');
	if (plan->dropped_env == NULL || plan->dropped_env[0] == NULL)
		return;
	text_add(out, "  dropped:");
	for (const char *const *at = plan->dropped_env; *at != NULL; at++)
		text_printf(out, " %s", *at);
	text_add_char(out, '\n');
}

static void add_settings(const struct plan *plan, struct text *out)
{
	const struct op *uid = plan_find(plan, OP_MAP_UID);
	const struct op *gid = plan_find(plan, OP_MAP_GID);
	const struct op *cwd = plan_find(plan, OP_CWD);
	const struct op *exec = plan_find(plan, OP_EXEC);
	const struct op *watch = plan_find(plan, OP_WATCH);

	text_printf(out, "network\n  %s\n",
		    plan->host_network
			    ? "the host's"
			    : "none: loopback only, 127.0.0.1 and ::1");
	if (watch != NULL && watch->flags & WATCH_NET)
		text_add(out, "watched on the network\n  where connects and "
			      "sends go, and the names that are looked up\n");
	if (watch != NULL && watch->flags & WATCH_FILES)
		text_printf(out,
			    "watched files\n  what is opened for writing%s, "
			    "made, renamed or removed\n",
			    watch->flags & WATCH_READS ? " and for reading"
						       : "");
	text_printf(out, "system call filter\n  %s%s\n", plan->filter,
		    watch != NULL && watch->flags & WATCH_CALLS
			    ? "; what it denies is told"
			    : "");
	text_printf(out, "identity\n  uid %llu gid %llu host name %s\n",
		    (unsigned long long)uid->a, (unsigned long long)gid->a,
		    plan_find(plan, OP_HOSTNAME)->source);
	if (plan->timeout_ms != 0)
		text_printf(out,
			    "timeout\n  %llu ms, then TERM, %llu ms "
			    "later KILL\n",
			    (unsigned long long)plan->timeout_ms,
			    (unsigned long long)plan->grace_ms);
	add_list(out, "limits", plan->limits);
	if (cwd != NULL)
		text_printf(out, "working directory\n  %s\n", cwd->path);
	if (exec != NULL)
		text_printf(out, "command\n  %s\n", exec->path);
}

static void add_notes(const struct plan *plan, struct text *out)
{
	const char *heading = "notes";

	for (size_t i = 0; plan->notes[i] != NULL; i++) {
		add_line(out, &heading);
		text_printf(out, "%s\n", plan->notes[i]);
	}
	heading = "skipped, not there";
	for (size_t i = 0; plan->skipped[i] != NULL; i++) {
		add_line(out, &heading);
		text_printf(out, "%s\n", plan->skipped[i]);
	}
}

static void add_outers(const struct policy *policy, struct text *out)
{
	const char *heading = "no wider than";

	for (size_t i = 0; i < policy->outer_count; i++) {
		add_line(out, &heading);
		text_add_quoted(out, policy->outers[i].file);
		text_add_char(out, '\n');
	}
}

void plan_print_page(const struct policy *policy, const struct plan *plan,
		     struct text *out)
{
	add_roots(plan, out, "written, on the host", 0);
	add_roots(plan, out, "read", BIND_READ);
	add_kind(plan, out, "overlaid: writable, gone afterwards", OP_OVERLAY);
	add_kind(plan, out, "protected: read-only inside what is written",
		 OP_PROTECT);
	add_kind(plan, out, "masked: opening it fails", OP_MASK);
	add_kind(plan, out, "devices", OP_DEVICE);
	add_private(plan, out);
	add_own_files(plan, out);
	add_settings(plan, out);
	add_environment(plan, out);
	if (policy->nested)
		text_add(out, "nested\n  namespaces and mounts inside are "
			      "allowed: more of the kernel is within reach\n");
	add_outers(policy, out);
	add_notes(plan, out);
}
