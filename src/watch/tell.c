/*
 * The words of a run. Never arguments, never an environment value: a stream is
 * kept in logs.
 */
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>

#include "base/fault.h"
#include "base/hint.h"
#include "base/report.h"
#include "engine/engine.h"
#include "plan/plan.h"
#include "watch/outcome.h"
#include "watch/status.h"
#include "watch/tell.h"

#ifndef CLONE_NEWCGROUP
#	define CLONE_NEWCGROUP 0x02000000
#endif

void tell_note(struct status *status, const struct plan *plan,
	       const char *token, const char *text)
{
	struct json *json = status_begin(status, "note");

	if (json == NULL) {
		if (!plan->quiet)
			report_line("note", text);
		return;
	}
	json_string(json, "token", token);
	json_string(json, "text", text);
	status_end(status);
}

void tell_notes(struct status *status, const struct plan *plan)
{
	const char *const *note = plan->notes;

	for (; note != NULL && *note != NULL; note++)
		tell_note(status, plan, "plan", *note);
}

static const struct {
	const char *name;
	size_t at; /* in struct plan_counts */
} counts[] = {
	{ "read", offsetof(struct plan_counts, read) },
	{ "write", offsetof(struct plan_counts, write) },
	{ "overlay", offsetof(struct plan_counts, overlay) },
	{ "tmpfs", offsetof(struct plan_counts, tmpfs) },
	{ "mask", offsetof(struct plan_counts, mask) },
	{ "protect", offsetof(struct plan_counts, protect) },
	{ "device", offsetof(struct plan_counts, device) },
};
enum { COUNTS = sizeof(counts) / sizeof(*counts) };
static_assert(sizeof(struct plan_counts) == COUNTS * sizeof(unsigned),
	      "every kind of rule is told");

static unsigned count_of(const struct plan *plan, size_t i)
{
	unsigned count;

	memcpy(&count, (const char *)&plan->counts + counts[i].at,
	       sizeof(count));
	return count;
}

static const struct {
	uint64_t flag;
	const char *name;
} spaces[] = {
	{ CLONE_NEWUSER, "user" },     { CLONE_NEWNS, "mount" },
	{ CLONE_NEWPID, "pid" },       { CLONE_NEWIPC, "ipc" },
	{ CLONE_NEWUTS, "uts" },       { CLONE_NEWNET, "net" },
	{ CLONE_NEWCGROUP, "cgroup" },
};

static const struct {
	enum op_kind kind;
	const char *name;
} walls[] = {
	{ OP_PIVOT, "root" },		{ OP_NO_NESTING, "no-nesting" },
	{ OP_KEYRING, "keyring" },	{ OP_PROCS, "procs" },
	{ OP_DROP, "no-capabilities" }, { OP_FILTER, "seccomp" },
};

/* Read off the operations and not off what was asked: each one that stands in
 * the plan has been done when this is told. */
static void add_walls(struct json *json, const struct plan *plan)
{
	const struct op *clone = plan_find(plan, OP_SPACES);

	json_open(json, "walls", '[');
	for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++) {
		if (clone != NULL && (clone->flags & spaces[i].flag) != 0)
			json_string(json, NULL, spaces[i].name);
	}
	for (size_t i = 0; i < sizeof(walls) / sizeof(*walls); i++) {
		if (plan_find(plan, walls[i].kind) != NULL)
			json_string(json, NULL, walls[i].name);
	}
	json_close(json, ']');
}

static void add_list(struct json *json, const char *name,
		     const char *const *words)
{
	json_open(json, name, '[');
	for (; words != NULL && *words != NULL; words++)
		json_string(json, NULL, *words);
	json_close(json, ']');
}

static void add_word(struct json *json, const char *name, const char *word)
{
	if (word == NULL)
		json_null(json, name);
	else
		json_string(json, name, word);
}

static void say_ready(const struct plan *plan)
{
	struct arena arena = { 0 };
	struct text line;

	text_init(&line, &arena);
	for (size_t i = 0; i < COUNTS; i++) {
		text_add_number(&line, count_of(plan, i));
		text_add_char(&line, ' ');
		text_add(&line, counts[i].name);
		text_add(&line, i + 1 < COUNTS ? ", " : "; ");
	}
	text_add(&line, "net ");
	text_add(&line, plan->net != NULL ? plan->net : "none");
	text_add(&line, ", seccomp ");
	text_add(&line, plan->filter != NULL ? plan->filter : "none");
	report_line("ready", line.bytes);
	arena_done(&arena);
}

void tell_ready(struct status *status, const struct plan *plan, pid_t init)
{
	struct json *json = status_begin(status, "ready");

	if (plan->verbose)
		say_ready(plan);
	if (json == NULL)
		return;
	json_number(json, "pid", (uint64_t)init);
	json_open(json, "rules", '{');
	for (size_t i = 0; i < COUNTS; i++)
		json_number(json, counts[i].name, count_of(plan, i));
	json_close(json, '}');
	add_list(json, "skipped", plan->skipped);
	add_word(json, "net", plan->net);
	add_word(json, "seccomp", plan->filter);
	add_list(json, "limits", plan->limits);
	add_list(json, "dropped_env", plan->dropped_env);
	add_walls(json, plan);
	status_end(status);
}

static void add_path(struct json *json, const struct plan *plan)
{
	const struct op *exec = plan_find(plan, OP_EXEC);

	if (exec != NULL && exec->path != NULL)
		json_string(json, "path", exec->path);
}

void tell_exec(struct status *status, const struct plan *plan, pid_t pid)
{
	struct json *json = status_begin(status, "exec");

	if (json == NULL)
		return;
	add_path(json, plan);
	json_number(json, "pid", (uint64_t)pid);
	status_end(status);
}

static void add_fault(struct json *json, const struct fault *fault)
{
	json_string(json, "call", fault->call);
	json_string(json, "errno", fault_errno_name(fault->error));
	json_string(json, "text", strerror(fault->error));
}

static void tell_failed(struct status *status, const struct fault *fault)
{
	struct json *json = status_begin(status, "failed");

	report_failed(fault, hint_for(fault));
	if (json == NULL)
		return;
	json_string(json, "stage", fault->stage);
	add_fault(json, fault);
	json_string(json, "object", fault->object);
	json_string(json, "words", fault->words);
	if (hint_for(fault) != NULL)
		json_string(json, "mend", hint_for(fault));
	status_end(status);
}

static void tell_exec_failed(struct status *status, const struct plan *plan,
			     const struct outcome *outcome)
{
	struct json *json = status_begin(status, "exec-failed");

	report_failed(&outcome->fault, NULL);
	if (json == NULL)
		return;
	add_path(json, plan);
	add_fault(json, &outcome->fault);
	json_number(json, "code", (uint64_t)outcome_code(outcome));
	status_end(status);
}

/* Nothing but the kernel or the superuser outside can kill init. */
static void say_lost(const struct outcome *outcome)
{
	struct arena arena = { 0 };
	struct text line;

	text_init(&line, &arena);
	text_add(&line, "the sandbox's first process ");
	if (WIFSIGNALED(outcome->init_status)) {
		text_add(&line, "was killed by signal ");
		text_add_number(&line,
				(uint64_t)WTERMSIG(outcome->init_status));
	} else {
		text_add(&line, "ended");
	}
	text_add(&line, " before the command did");
	report_line("failed", line.bytes);
	arena_done(&arena);
}

static void say_done(const struct status *status, const struct plan *plan,
		     const struct outcome *outcome)
{
	const struct hello_usage *usage = &outcome->usage;
	struct arena arena = { 0 };
	struct text line;

	text_init(&line, &arena);
	text_printf(&line, "exit %d (%s) after %llu ms; ",
		    outcome_code(outcome),
		    outcome_cause_name(outcome_cause(outcome, plan)),
		    (unsigned long long)status_elapsed(status));
	text_printf(&line, "user %llu ms, system %llu ms, peak %llu KiB, ",
		    (unsigned long long)usage->user_us / 1000,
		    (unsigned long long)usage->system_us / 1000,
		    (unsigned long long)usage->peak_kib);
	text_printf(&line, "%llu left over",
		    (unsigned long long)usage->left_over);
	report_line("done", line.bytes);
	arena_done(&arena);
}

static void add_signal(struct json *json, const struct outcome *outcome)
{
	int signal = outcome_signal(outcome);

	if (signal == 0)
		json_null(json, "signal");
	else
		json_number(json, "signal", (uint64_t)signal);
	json_bool(json, "core", signal != 0 && WCOREDUMP(outcome->raw));
}

void tell_unwatched(struct status *status, const struct plan *plan, int error)
{
	struct arena arena = { 0 };
	struct text line;

	text_init(&line, &arena);
	text_add(&line, "what is denied is not told: ");
	if (error == EBUSY)
		text_add(&line, "a program outside listens to system calls "
				"already, and only one may");
	else
		text_printf(&line, "seccomp: %s", strerror(error));
	tell_note(status, plan, "unwatched", line.bytes);
	arena_done(&arena);
}

static void add_denied(struct json *json, const struct plan *plan,
		       const struct outcome *outcome)
{
	const struct op *watch = plan_find(plan, OP_WATCH);

	if (watch == NULL || outcome->is_unwatched) {
		json_null(json, "denied");
		return;
	}
	json_open(json, "denied", '{');
	if (watch->flags & WATCH_NET)
		json_number(json, denied_kind_name(DENIED_NET),
			    outcome->denied[DENIED_NET]);
	if (watch->flags & WATCH_FILES)
		json_number(json, denied_kind_name(DENIED_FILE),
			    outcome->denied[DENIED_FILE]);
	if (engine_hears_denials(plan))
		json_number(json, denied_kind_name(DENIED_CALL),
			    outcome->denied[DENIED_CALL]);
	json_close(json, '}');
}

static void tell_exit(struct status *status, const struct plan *plan,
		      const struct outcome *outcome)
{
	enum cause cause = outcome_cause(outcome, plan);
	uint64_t wall = status_elapsed(status);
	struct json *json = status_begin(status, "exit");

	if (json == NULL)
		return;
	json_number(json, "code", (uint64_t)outcome_code(outcome));
	add_signal(json, outcome);
	json_string(json, "cause", outcome_cause_name(cause));
	add_word(json, "limit",
		 cause == CAUSE_LIMIT ? outcome_limit(outcome, plan) : NULL);
	json_number(json, "wall_ms", wall);
	json_number(json, "user_ms", outcome->usage.user_us / 1000);
	json_number(json, "system_ms", outcome->usage.system_us / 1000);
	json_number(json, "peak_kib", outcome->usage.peak_kib);
	json_number(json, "left_over", outcome->usage.left_over);
	add_denied(json, plan, outcome);
	status_end(status);
}

void tell_count(struct status *status, const struct plan *plan,
		const char *token, const char *text, uint64_t count)
{
	struct arena arena = { 0 };
	struct text line;

	text_init(&line, &arena);
	text_add(&line, text);
	text_add(&line, ": ");
	text_add_number(&line, count);
	tell_note(status, plan, token, line.bytes);
	arena_done(&arena);
}

void tell_end(struct status *status, const struct plan *plan,
	      const struct outcome *outcome)
{
	if (outcome->unkillable != 0)
		tell_count(status, plan, "unkillable",
			   "processes that the kernel cannot kill are left",
			   outcome->unkillable);
	/* which of them it hits is the kernel's choice: it need not be the
	 * command, which then fails without a reason to be seen */
	if (outcome->oom_kills != 0)
		tell_count(status, plan, "out_of_memory",
			   "processes killed by --limit memory",
			   outcome->oom_kills);
	if (outcome->ending == ENDING_FAULT) {
		tell_failed(status, &outcome->fault);
		return;
	}
	if (outcome->ending == ENDING_EXEC_FAILED) {
		tell_exec_failed(status, plan, outcome);
		return;
	}
	if (outcome_cause(outcome, plan) == CAUSE_LOST)
		say_lost(outcome);
	tell_exit(status, plan, outcome);
	if (plan->verbose)
		say_done(status, plan, outcome);
}
