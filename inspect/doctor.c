/*
 * cordon doctor: every thing of the table tried, and told.
 */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sched.h>

#include "base/arena.h"
#include "base/hint.h"
#include "base/io.h"
#include "base/json.h"
#include "base/proc.h"
#include "base/report.h"
#include "base/text.h"
#include "config.h"
#include "inspect/doctor.h"
#include "inspect/inspect.h"

static const struct {
	const char *word; /* of JSON */
	const char *mark; /* of a line */
} states[] = {
	[THING_OK] = { "ok", "ok  " },
	[THING_MISSING] = { "missing", "NO  " },
	[THING_LIMITED] = { "limited", "part" },
	[THING_INFO] = { "info", "info" },
	[THING_UNTRIED] = { "untried", "-   " },
};
static_assert(sizeof(states) / sizeof(*states) == STATE_KINDS,
	      "every state has its words");

/* In the trying process. Its maps are made first where the try needs an id;
 * should they fail here, they have failed as a thing of their own before. */
static void make_try(const struct thing *thing, struct tried *tried)
{
	int err = 0;

	if (thing->needs & 1U << DO_MAPS)
		err = try_maps(tried);
	if (err == 0 && thing->try != NULL)
		err = thing->try(tried);
	if (err == 0)
		tried->fault.error = 0;
	tried->finished = true;
}

static _Noreturn void try_main(const struct thing *thing, struct tried *tried)
{
	make_try(thing, tried);
	_exit(0);
}

struct spawn {
	const struct thing *thing;
	struct tried *tried;
};

/* Exits by returning: it is on a stack of proc_spawn's. */
static int spawn(void *argument)
{
	struct spawn *given = argument;

	make_try(given->thing, given->tried);
	return 0;
}

/* A filter that kills leaves nothing but the signal. */
static void await(pid_t pid, struct tried *tried)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (tried->finished)
		return;
	fault_copy(tried->fault.stage, sizeof(tried->fault.stage), "try");
	(void)fault_set(&tried->fault, "signal",
			WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "",
			ENOSYS);
}

static void try_apart(const struct thing *thing, struct tried *tried)
{
	struct spawn given = { thing, tried };
	uint64_t spaces = thing->spaces;
	int pidfd = -1;
	pid_t pid;

	if (spaces != 0)
		spaces |= CLONE_NEWUSER;
	pid = thing->place == CHILD ? proc_spawn(spawn, &given, 0)
				    : proc_clone(spaces, -1, &pidfd);
	if (pid == 0)
		try_main(thing, tried);
	fd_close(&pidfd);
	if (pid > 0) {
		await(pid, tried);
		return;
	}
	fault_copy(tried->fault.stage, sizeof(tried->fault.stage), "spaces");
	(void)fault_set(&tried->fault,
			thing->place == CHILD ? "clone" : "clone3", "",
			(int)pid);
}

static void try_here(const struct thing *thing, struct tried *tried)
{
	if (thing->try(tried) == 0)
		tried->fault.error = 0;
}

/* The first thing that is missing and needed, or THING_KINDS. */
static enum thing_id lacking(const struct found *found, uint32_t needs)
{
	unsigned i = 0;

	while (i < THING_KINDS &&
	       ((needs & 1U << i) == 0 || (found[i].state != THING_MISSING &&
					   found[i].state != THING_UNTRIED)))
		i++;
	return (enum thing_id)i;
}

static enum state judge(const struct thing *thing, const struct tried *tried)
{
	if (tried->fault.error == 0)
		return thing->lack == THING_INFO ? THING_INFO : THING_OK;
	return thing->lack;
}

static void examine(struct found *found, struct tried *shared,
		    const char *launcher)
{
	for (unsigned i = 0; i < THING_KINDS; i++) {
		const struct thing *thing = &things[i];

		found[i].because = lacking(found, thing->needs);
		if (found[i].because != THING_KINDS) {
			found[i].state = THING_UNTRIED;
			continue;
		}
		*shared = (struct tried){ .uid = geteuid(),
					  .gid = getegid(),
					  .launcher = launcher };
		if (thing->place == HERE)
			try_here(thing, shared);
		else
			try_apart(thing, shared);
		found[i].tried = *shared;
		found[i].state = judge(thing, shared);
	}
}

/* Consequence, cause and mend of a lack. */
struct advice {
	const char *means, *cause, *mend;
};

static struct advice advise(const struct thing *thing,
			    const struct found *found)
{
	const struct hint *hint = hint_find(&found->tried.fault);
	struct advice advice = {
		.means = thing->means,
		.cause = hint != NULL ? hint->cause : NULL,
		.mend = hint != NULL ? hint->mend : thing->mend,
	};

	if (advice.mend == NULL)
		advice.mend = "uname -r; grep Seccomp: /proc/self/status";
	return advice;
}

static bool is_lack(enum state state)
{
	return state == THING_MISSING || state == THING_LIMITED;
}

/* "call object: EPERM" */
static void add_fault(struct text *out, const struct fault *fault)
{
	text_printf(out, ": %s", fault->call);
	if (fault->object[0] != '\0')
		text_printf(out, " %s", fault->object);
	text_printf(out, ": %s", fault_errno_name(fault->error));
}

static void tell(struct text *out, unsigned i, const struct found *found)
{
	const struct thing *thing = &things[i];
	struct advice advice;

	text_printf(out, "%s %s", states[found->state].mark, thing->name);
	if (found->state == THING_UNTRIED)
		text_printf(out, ": not tried without %s",
			    things[found->because].name);
	if (found->tried.note[0] != '\0')
		text_printf(out, ": %s", found->tried.note);
	if (is_lack(found->state))
		add_fault(out, &found->tried.fault);
	text_add_char(out, '\n');
	if (!is_lack(found->state))
		return;
	advice = advise(thing, found);
	text_printf(out, "     means: %s\n", advice.means);
	if (advice.cause != NULL)
		text_printf(out, "     cause: %s\n", advice.cause);
	text_printf(out, "     mend:  %s\n", advice.mend);
}

static void tell_container(struct text *out, const struct container *container)
{
	const char *evidence;

	if (!container->is_here(out->arena, &evidence))
		return;
	text_printf(out, "in   %s (%s)\n", container->name, evidence);
	for (const char *const *flag = container->flags; *flag != NULL; flag++)
		text_printf(out, "     flags: %s\n", *flag);
}

static unsigned count(const struct found *found, enum state state)
{
	unsigned n = 0;

	for (unsigned i = 0; i < THING_KINDS; i++)
		n += found[i].state == state;
	return n;
}

static void tell_all(struct text *out, const struct found *found)
{
	unsigned missing = count(found, THING_MISSING);
	unsigned limited = count(found, THING_LIMITED);

	for (unsigned i = 0; i < THING_KINDS; i++)
		tell(out, i, &found[i]);
	for (unsigned i = 0; i < container_count; i++)
		tell_container(out, &containers[i]);
	if (missing != 0)
		text_printf(out, "cordon cannot run here: %u missing", missing);
	else
		text_add(out, "cordon can run here");
	if (limited != 0)
		text_printf(out, ", %u in part", limited);
	text_add_char(out, '\n');
}

static void add_thing(struct json *json, unsigned i, const struct found *found)
{
	const struct thing *thing = &things[i];
	const struct fault *fault = &found->tried.fault;
	struct advice advice;

	json_open(json, NULL, '{');
	json_string(json, "name", thing->name);
	json_string(json, "state", states[found->state].word);
	if (found->tried.note[0] != '\0')
		json_string(json, "note", found->tried.note);
	if (found->state == THING_UNTRIED)
		json_string(json, "without", things[found->because].name);
	if (is_lack(found->state)) {
		advice = advise(thing, found);
		json_string(json, "call", fault->call);
		json_string(json, "object", fault->object);
		json_string(json, "errno", fault_errno_name(fault->error));
		json_string(json, "means", advice.means);
		if (advice.cause != NULL)
			json_string(json, "cause", advice.cause);
		json_string(json, "mend", advice.mend);
	}
	json_close(json, '}');
}

static void add_container(struct json *json, struct arena *arena,
			  const struct container *container)
{
	const char *evidence;

	if (!container->is_here(arena, &evidence))
		return;
	json_open(json, NULL, '{');
	json_string(json, "name", container->name);
	json_string(json, "evidence", evidence);
	json_open(json, "flags", '[');
	for (const char *const *flag = container->flags; *flag != NULL; flag++)
		json_string(json, NULL, *flag);
	json_close(json, ']');
	json_close(json, '}');
}

static void add_all(struct text *out, const struct found *found)
{
	struct json json;

	json_init(&json, out);
	json_open(&json, NULL, '{');
	json_string(&json, "version", PACKAGE_VERSION);
	json_bool(&json, "can_run", count(found, THING_MISSING) == 0);
	json_open(&json, "things", '[');
	for (unsigned i = 0; i < THING_KINDS; i++)
		add_thing(&json, i, &found[i]);
	json_close(&json, ']');
	json_open(&json, "containers", '[');
	for (unsigned i = 0; i < container_count; i++)
		add_container(&json, out->arena, &containers[i]);
	json_close(&json, ']');
	json_close(&json, '}');
	text_add_char(out, '\n');
}

static int say(struct arena *arena, const struct found *found, bool as_json)
{
	struct text out;

	text_init(&out, arena);
	if (as_json)
		add_all(&out, found);
	else
		tell_all(&out, found);
	return io_write_all(STDOUT_FILENO, out.bytes, out.length);
}

int doctor_main(const char *launcher, char **words)
{
	struct arena arena = { 0 };
	struct found *found = arena_alloc(&arena, THING_KINDS * sizeof(*found));
	struct tried *shared = mmap(NULL, sizeof(*shared),
				    PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	bool as_json = words[0] != NULL && strcmp(words[0], "--json") == 0;
	int code = INSPECT_BROKEN;

	if (words[as_json] != NULL)
		report_refused(arena_join(&arena, "doctor: unknown word: ",
					  words[as_json], NULL),
			       "bad_option", "cordon doctor --json");
	else if (shared != MAP_FAILED) {
		examine(found, shared, launcher);
		code = count(found, THING_MISSING) == 0 ? INSPECT_YES
							: INSPECT_NO;
		if (say(&arena, found, as_json) != 0)
			code = INSPECT_BROKEN;
	}
	arena_done(&arena);
	return code;
}
