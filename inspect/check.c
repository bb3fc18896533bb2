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

/* Runs `show`. Returns its exit status or -errno. */
static int show(struct check *check, int status, bool with_probe,
		struct talk *talk)
{
	const char *const verb[] = { "show", with_probe ? "--json" : NULL,
				     NULL };
	const int passed[TALK_PASSED] = { status, -1, -1 };
	int err = talk_start(talk, check->arena,
			     argv_of(check, status, verb, with_probe), passed,
			     -1);

	return err == 0 ? talk_end(talk) : err;
}

static const char hidden[] =
	"cannot run behind these rules: they hide it or what it needs; add "
	"--read /usr";

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
	if (show(check, -1, false, talk) == 0)
		return broken(check, check->self, hidden);
	report_usage(talk->complaints.bytes);
	return broken(check, "the rules are refused", "");
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
	op = shown_find(&check->plan, "exec");
	if (op == NULL || op->path == NULL ||
	    strcmp(op->path, check->self) != 0)
		return broken(check, "it takes rules, and no command", "");
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

	for (size_t i = 0; i < check->count && err == 0; i++) {
		struct attempt *attempt = &check->attempts[i];

		if (attempt->control != NULL)
			err = talk_ask(&talk, control_words(attempt),
				       &attempt->outside);
	}
	(void)talk_end(&talk);
	return err == 0 ? 0 : broken_by(check, "the control outside", err);
}

/* The pid of `ready`, or 0 when the sandbox was not built. */
static pid_t await_ready(struct talk *talk)
{
	struct json_object *event, *value;
	pid_t pid = 0;

	while (pid == 0 && (event = talk_event(talk)) != NULL) {
		if (json_object_object_get_ex(event, "event", &value) &&
		    strcmp(json_object_get_string(value), "ready") == 0 &&
		    json_object_object_get_ex(event, "pid", &value))
			pid = (pid_t)json_object_get_int(value);
		(void)json_object_put(event);
	}
	return pid;
}

static int make_attempts(struct check *check, struct talk *talk)
{
	int err = 0;

	for (size_t i = 0; i < check->count && err == 0; i++) {
		struct attempt *attempt = &check->attempts[i];

		if (attempt->words[0] != NULL)
			err = talk_ask(talk, attempt->words, &attempt->got);
	}
	return err;
}

/* What the sandbox said on standard error, when it is the reason. */
static int say_lost(struct check *check, const struct talk *talk,
		    bool is_unbuilt, int err)
{
	report_usage(talk->complaints.bytes);
	if (is_unbuilt)
		return broken(check, "the sandbox could not be built",
			      "cordon doctor says why");
	if (talk->heard == 0)
		return broken(check, "the probe did not start inside",
			      "do the rules hide its libraries? add --read "
			      "/usr");
	return broken_by(check, "the probe ended before the last attempt", err);
}

static int inside(struct check *check, struct talk *talk)
{
	pid_t pid = await_ready(talk);
	int err = pid == 0 ? -ECHILD : make_attempts(check, talk);
	int table = 0;

	if (err == 0)
		table = table_compare(check, pid);
	(void)talk_end(talk);
	if (err != 0)
		return say_lost(check, talk, pid == 0, err);
	return table == 0 ? 0
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

/* Rules that are check's own to say, or that are gone once they are read. */
static const char *taken_word(const char *const *words)
{
	static const char *const taken[] = { "--args", "--status-fd", "--id",
					     "--timeout" };

	for (; *words != NULL; words++) {
		for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++) {
			size_t length = strlen(taken[i]);

			if (strncmp(*words, taken[i], length) == 0 &&
			    ((*words)[length] == '\0' ||
			     (*words)[length] == '='))
				return taken[i];
		}
	}
	return NULL;
}

/* --json stands before or behind the rules. */
static void read_words(struct check *check, char **words)
{
	size_t count = 0;
	const char **rules;

	while (words[count] != NULL)
		count++;
	rules = arena_alloc(check->arena, (count + 1) * sizeof(*rules));
	check->rules = rules;
	if (count != 0 && strcmp(words[0], "--json") == 0) {
		check->as_json = true;
		words++;
		count--;
	}
	if (count != 0 && strcmp(words[count - 1], "--json") == 0) {
		check->as_json = true;
		count--;
	}
	for (size_t i = 0; i < count; i++)
		rules[i] = words[i];
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

int check_main(const char *launcher, char **words)
{
	struct arena arena = { 0 };
	struct check check = { .arena = &arena, .launcher = launcher };
	const char *taken;
	int code;

	fill_stdio();
	talk_watch_signals();
	check.self = own_file(&arena);
	read_words(&check, words);
	taken = taken_word(check.rules);
	if (taken != NULL)
		code = broken(&check, taken, "not for check");
	else
		code = run(&check);
	arena_done(&arena);
	return code;
}
