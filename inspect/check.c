/*
 * cordon check: starts the sandbox that the rules describe with the probe in it,
 * makes every attempt outside first where it has a control, and holds the
 * answers and the mount table against the plan.
 */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fault.h"
#include "base/io.h"
#include "base/report.h"
#include "base/sys.h"
#include "inspect/check.h"
#include "inspect/inspect.h"
#include "inspect/talk.h"

/* The one voice of a check that could not be made. */
static int broken(struct check *check, const char *what, const char *why)
{
	report_line("check", arena_join(check->arena, what,
					*why == '\0' ? "" : ": ", why, NULL));
	return INSPECT_BROKEN;
}

static int broken_by(struct check *check, const char *what, int err)
{
	return broken(check, what, fault_errno_name(err < 0 ? -err : err));
}

static size_t count_rules(const struct check *check)
{
	size_t count = 0;

	while (check->rules[count] != NULL)
		count++;
	return count;
}

/* LAUNCHER VERB... [--read SELF] RULES [-- SELF - probe], NULL-terminated. The
 * probe's one file is shown where the rules hide it. */
static const char *const *argv_of(const struct check *check, int status,
				  const char *const *verb, bool with_probe)
{
	const char **argv = arena_alloc(
		check->arena, (count_rules(check) + 16) * sizeof(*argv));
	const char *const probe[] = { "--", check->self, "-", "probe", NULL };
	size_t n = 0;

	argv[n++] = check->launcher;
	for (; *verb != NULL; verb++)
		argv[n++] = *verb;
	if (status >= 0) {
		argv[n++] = "--status-fd";
		argv[n++] = arena_printf(check->arena, "%d", status);
	}
	if (with_probe && check->reads_self) {
		argv[n++] = "--read";
		argv[n++] = check->self;
	}
	for (size_t i = 0; check->rules[i] != NULL; i++)
		argv[n++] = check->rules[i];
	for (size_t i = 0; with_probe && probe[i] != NULL; i++)
		argv[n++] = probe[i];
	return argv;
}

/* Runs `show`, for the plan with a status stream, else for its complaints. Returns its exit status or -errno. */
static int show(struct check *check, int status, bool with_probe,
		struct talk *talk)
{
	const char *const verb[] = { "show", status >= 0 ? "--json" : NULL,
				     NULL };
	const int passed[TALK_PASSED] = { status, -1, -1 };
	int err = talk_start(talk, check->arena,
			     argv_of(check, status, verb, with_probe), passed,
			     -1);

	return err == 0 ? talk_end(talk) : err;
}

/* Asks for the plan: with the probe as it is found, then with its one file
 * shown, then without it, to know whether the rules are at fault. */
static int ask_plan(struct check *check, int status, struct talk *talk)
{
	int code = show(check, status, true, talk);

	if (code != 0) {
		check->reads_self = true;
		code = show(check, status, true, talk);
	}
	if (code == 0)
		return 0;
	if (show(check, -1, false, talk) != 0) {
		report_usage(talk->complaints.bytes);
		return broken(check, "the rules are refused", "");
	}
	(void)show(check, -1, true, talk);
	report_usage(talk->complaints.bytes);
	return broken(check, "its program cannot be run behind these rules",
		      "");
}

static int read_plan(struct check *check, int status)
{
	const struct shown_op *op;
	struct talk talk;
	int code = ask_plan(check, status, &talk);

	if (code != 0)
		return code;
	if (shown_read(&check->plan, check->arena, talk.said.bytes) != 0)
		return broken(check, "show does not print a plan", "");
	op = shown_find(&check->plan, "map-uid");
	check->uid = op == NULL ? geteuid() : (unsigned)op->b;
	op = shown_find(&check->plan, "map-gid");
	check->gid = op == NULL ? getegid() : (unsigned)op->b;
	return 0;
}

static const char *const *control_words(const struct attempt *attempt)
{
	return attempt->control_words[0] != NULL ? attempt->control_words
						 : attempt->words;
}

/* A process that ends or is silent takes the rest with it, and that is said: what
 * was not tried is unproven. */
static int lost(struct check *check, const struct attempt *attempt,
		const char *where, int err)
{
	if (talk_is_interrupted())
		return broken(check, "interrupted", "");
	report_line("check",
		    arena_join(check->arena, where,
			       err == -EPIPE ? " ended at: " : " stays at: ",
			       attempt->what, NULL));
	return 0;
}

static int ask_outside(struct check *check, struct talk *talk)
{
	for (size_t i = 0; i < check->count; i++) {
		struct attempt *attempt = &check->attempts[i];
		int err;

		if (attempt->control == NULL)
			continue;
		err = talk_ask(talk, control_words(attempt), &attempt->outside);
		if (err != 0)
			return lost(check, attempt, "the probe outside", err);
	}
	return 0;
}

/* Every attempt with a control, by the same probe, outside. */
static int make_controls(struct check *check)
{
	const char *const argv[] = {
		check->self,
		"-",
		"probe",
		arena_printf(check->arena, "%u", check->uid),
		arena_printf(check->arena, "%u", check->gid),
		NULL,
	};
	const int passed[TALK_PASSED] = { check->planted.fds[0],
					  check->planted.fds[1], -1 };
	struct talk talk;
	int err = talk_start(&talk, check->arena, argv, passed, -1);
	int code;

	if (err != 0)
		return broken_by(check, "the probe outside", err);
	code = ask_outside(check, &talk);
	(void)talk_end(&talk);
	return code;
}

static bool is_text(struct json_object *event, const char *name,
		    const char *text)
{
	struct json_object *value = NULL;

	return json_object_object_get_ex(event, name, &value) &&
	       strcmp(json_object_get_string(value), text) == 0;
}

/* What is known of the sandbox when the probe runs in it. */
struct start {
	pid_t pid; /* of `ready`, 0 when it was not built */
	bool has_begun;
};

static void note_event(struct start *start, struct json_object *event)
{
	struct json_object *value = NULL;

	if (is_text(event, "event", "ready") &&
	    json_object_object_get_ex(event, "pid", &value))
		start->pid = (pid_t)json_object_get_int(value);
	start->has_begun |= is_text(event, "event", "exec");
}

static struct start await_start(struct talk *talk)
{
	struct start start = { 0 };
	struct json_object *event;

	while (!start.has_begun && (event = talk_event(talk)) != NULL) {
		note_event(&start, event);
		(void)json_object_put(event);
	}
	return start;
}

/* Told behind the start; read when all has been told. */
static bool was_unwatched(struct talk *talk)
{
	struct json_object *event;
	bool was = false;

	while ((event = talk_event(talk)) != NULL) {
		was |= is_text(event, "token", "unwatched");
		(void)json_object_put(event);
	}
	return was;
}

static int ask_inside(struct check *check, struct talk *talk)
{
	for (size_t i = 0; i < check->count; i++) {
		struct attempt *attempt = &check->attempts[i];
		int err;

		if (attempt->words[0] == NULL)
			continue;
		err = talk_ask(talk, attempt->words, &attempt->got);
		if (err != 0 && talk->heard != 0)
			return lost(check, attempt, "the probe inside", err);
		if (err != 0)
			return err;
	}
	return 0;
}

/* What the sandbox said on standard error, when it is the reason. */
static int say_unbuilt(struct check *check, const struct talk *talk,
		       bool is_built, int status)
{
	report_usage(talk->complaints.bytes);
	if (!is_built)
		return broken(check, "the sandbox could not be built",
			      "cordon doctor says why");
	return broken(check,
		      arena_printf(check->arena,
				   "the probe did not start inside (exit "
				   "status %d)",
				   status),
		      "the rules hide its libraries (add --read /usr), or "
		      "their limits leave it too little");
}

/* The mount table first: it is there as long as the sandbox is. */
static int inside(struct check *check, struct talk *talk)
{
	struct start start = await_start(talk);
	int code = -ECHILD, status, table = 0;

	if (start.has_begun) {
		table = table_compare(check, start.pid);
		code = ask_inside(check, talk);
	}
	status = talk_end(talk);
	if (was_unwatched(talk))
		steps_unwatched(check);
	if (code < 0)
		return say_unbuilt(check, talk, start.pid != 0, status);
	return code != 0 || table == 0
		       ? code
		       : broken_by(check, "the mount table cannot be read",
				   table);
}

/* Takes both ends of the status pipe. */
static int make_sandbox(struct check *check, int pipe[2])
{
	static const char *const verb[] = { "run", NULL };
	const int passed[TALK_PASSED] = { pipe[1], check->planted.fds[0],
					  check->planted.fds[1] };
	struct talk talk;
	int err = talk_start(&talk, check->arena,
			     argv_of(check, pipe[1], verb, true), passed,
			     fd_take(&pipe[0]));

	fd_close(&pipe[1]);
	return err == 0 ? inside(check, &talk)
			: broken_by(check, check->launcher, err);
}

static int make_check(struct check *check, int pipe[2])
{
	const char *what = NULL;
	int err = planted_make(check, &what);
	int code;

	if (err != 0)
		return broken_by(check, what, err);
	steps_files(check);
	steps_world(check);
	code = make_controls(check);
	if (code == 0)
		code = make_sandbox(check, pipe);
	steps_afterwards(check);
	if (code == 0 && talk_is_interrupted())
		code = broken(check, "interrupted", "");
	return code;
}

static int run(struct check *check)
{
	int pipe[2];
	int code, err = table_read(&check->outer, check->arena,
				   "/proc/self/mountinfo");

	if (err != 0)
		return broken_by(check, "/proc/self/mountinfo", err);
	if (pipe2(pipe, O_CLOEXEC) != 0)
		return broken_by(check, "pipe", errno);
	code = read_plan(check, pipe[1]);
	if (code == 0) {
		code = make_check(check, pipe);
		planted_remove(&check->planted);
	}
	fd_close(&pipe[0]);
	fd_close(&pipe[1]);
	return code == 0 ? verdict_tell(check) : code;
}

static const char *own_file(struct arena *arena)
{
	char name[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", name, sizeof(name) - 1);

	return length <= 0 ? "" : arena_strndup(arena, name, (size_t)length);
}

/* A pipe must not become one of the first three. */
static void fill_stdio(void)
{
	int fd;

	do {
		fd = sys_openat(AT_FDCWD, "/dev/null", O_RDWR, 0);
	} while (fd >= 0 && fd < 3);
	fd_close(&fd);
}

static int read_words(struct check *check, char **words)
{
	const char *const argv[] = { check->launcher, "features", NULL };
	const int passed[TALK_PASSED] = { -1, -1, -1 };
	struct talk talk;
	const char *wrong;
	int code = talk_start(&talk, check->arena, argv, passed, -1);

	if (code == 0)
		code = talk_end(&talk);
	if (code < 0)
		return broken_by(check, check->launcher, code);
	wrong = words_read(check, (const char *const *)words, talk.said.bytes);
	return wrong == NULL ? 0 : broken(check, wrong, "");
}

int check_main(const char *launcher, char **words)
{
	struct arena arena = { 0 };
	struct check check = { .arena = &arena, .launcher = launcher };
	int code;

	fill_stdio();
	talk_watch_signals();
	check.self = own_file(&arena);
	code = read_words(&check, words);
	if (code == 0)
		code = run(&check);
	arena_done(&arena);
	return code;
}
