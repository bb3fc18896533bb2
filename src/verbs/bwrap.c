/*
 * cordon bwrap, and cordon called as bwrap: bubblewrap's command line.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/io.h"
#include "base/report.h"
#include "base/text.h"
#include "host/become.h"
#include "host/collect.h"
#include "host/facts.h"
#include "host/load.h"
#include "host/spaces.h"
#include "plan/bwrap.h"
#include "plan/plan.h"
#include "policy/bwrap.h"
#include "verbs/bwrap.h"
#include "verbs/verbs.h"
#include "watch/monitor.h"

enum { FAILED = 1 };

struct bwrap_run {
	struct arena arena, planning;
	struct bwrap bwrap;
	struct facts facts;
	struct plan plan;
};

static void say(struct arena *arena, const struct bwrap_message *message)
{
	const char *level = message->level == BWRAP_ERROR ? "<3>" : "<4>";

	report_usage(arena_join(arena, message->has_prefix ? level : "",
				"bwrap: ", message->text, "\n", NULL));
}

static int fail(struct bwrap_run *run, const char *text)
{
	say(&run->arena, &(struct bwrap_message){
				 BWRAP_ERROR, run->bwrap.level_prefix, text });
	return FAILED;
}

static void add_usage(struct text *out, const char *name)
{
	struct bwrap_usage usage;

	text_printf(out, "usage: %s [OPTIONS...] [--] COMMAND [ARGS...]\n\n",
		    name);
	for (size_t i = 0; bwrap_usage(i, &usage); i++) {
		size_t length = strlen(usage.name);

		text_printf(out, "    --%s", usage.name);
		if (usage.values != NULL) {
			text_printf(out, " %s", usage.values);
			length += 1 + strlen(usage.values);
		}
		text_printf(out, "%*s%s\n",
			    length < 30 ? (int)(31 - length) : 1, "",
			    usage.help);
	}
}

static int help(struct bwrap_run *run, const char *name, bool is_fault)
{
	struct text out;

	text_init(&out, &run->arena);
	add_usage(&out, name);
	if (!is_fault)
		return verb_say(&out);
	report_usage(out.bytes);
	return FAILED;
}

static int answer_with(struct bwrap_run *run, const char *line)
{
	struct text out;

	text_init(&out, &run->arena);
	text_add(&out, line);
	return verb_say(&out);
}

static int load_and_close(void *load, int fd, const char **bytes,
			  size_t *length)
{
	int err = load_fd(load, fd, bytes, length);

	if (err != -EBADF)
		(void)close(fd);
	return err;
}

static enum bwrap_answer read_words(struct bwrap_run *run, char **words)
{
	static struct load load;
	static struct bwrap_context context;

	load.arena = &run->arena;
	context = (struct bwrap_context){
		.uid = getuid(),
		.gid = getgid(),
		.has_user_spaces = spaces_have_user(&run->arena),
		.has_cgroup_spaces = spaces_have_cgroup(&run->arena),
		.has_labels = spaces_have_labels(),
		.environ = environ,
		.load_fd = load_and_close,
		.load = &load,
	};
	return bwrap_read(&run->bwrap, &run->arena, &context, words);
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static const char *make_plan(struct bwrap_run *run)
{
	struct wants wants;
	const char *problem;

	bwrap_drop_closed(&run->bwrap, is_open);
	collect_identity(&run->facts, &run->arena);
	become_stdio(&run->facts);
	run->facts.cwd = collect_cwd(&run->arena);
	run->facts.caps = spaces_caps();
	become_roomy(&run->facts, run->bwrap.wish_count);
	do {
		arena_rewind(&run->planning);
		wants = (struct wants){ .arena = &run->planning };
		problem = plan_make_bwrap(&run->bwrap, &run->facts, &wants,
					  &run->plan);
		collect_paths(&run->facts, &run->arena, &wants);
	} while (wants.count != 0);
	return problem;
}

static int start(struct bwrap_run *run, pid_t parent)
{
	struct monitored result;
	const char *problem = make_plan(run);

	if (problem != NULL)
		return fail(run, problem);
	monitor_run(&run->plan, parent, &result);
	if (result.fault.error == 0)
		return result.code;
	return fail(run, bwrap_say(&run->arena, &run->plan, &result.fault));
}

int verb_bwrap_as(const char *name, char **words)
{
	static struct bwrap_run run;
	pid_t parent = getppid();
	enum bwrap_answer answer = read_words(&run, words);

	for (size_t i = 0; i < run.bwrap.message_count; i++)
		say(&run.arena, &run.bwrap.messages[i]);
	switch (answer) {
	case BWRAP_RUN:
		return start(&run, parent);
	case BWRAP_HELP:
		return help(&run, name, false);
	case BWRAP_USAGE:
		return help(&run, name, true);
	case BWRAP_SAY_VERSION:
		return answer_with(&run, "bubblewrap " BWRAP_VERSION "\n");
	case BWRAP_SAY_KERNEL:
		return answer_with(&run, "5.12.0\n");
	case BWRAP_FAULT:
		break;
	}
	return FAILED;
}

int verb_bwrap(char **words)
{
	return verb_bwrap_as("cordon bwrap", words);
}
