/*
 * bubblewrap's words: what the verb `bwrap' would plan, and how it is written
 * down.
 */
#include "base/arena.h"
#include "plan/bwrap.h"
#include "plan/make.h"
#include "tests/golden/asked.h"
#include "tests/golden/canned.h"

enum { CAPS_OF_ROOT = 41 };

void asked_bwrap(const struct asked *asked, char **words,
		 const struct canned *canned, struct outcome *outcome)
{
	struct bwrap_context *context = arena_alloc(asked->arena,
						    sizeof(*context));
	struct facts *facts = &outcome->facts;
	struct wants wants;

	canned_facts(canned, &outcome->policy, asked->arena, facts);
	facts->cwd = canned->cwd;
	if (facts->root)
		facts->caps = (UINT64_C(1) << CAPS_OF_ROOT) - 1;
	*context = (struct bwrap_context){
		.uid = facts->uid,
		.gid = facts->gid,
		.has_user_spaces = true,
		.has_cgroup_spaces = true,
		.environ = outcome->context.environ,
		.load_fd = outcome->context.load_fd,
		.load = outcome->context.load,
	};
	outcome->is_bwrap = true;
	outcome->answer = bwrap_read(&outcome->bwrap, asked->arena, context,
				     words);
	if (outcome->answer != BWRAP_RUN)
		return;
	do {
		wants = (struct wants){ .arena = asked->arena };
		outcome->fault = plan_make_bwrap(&outcome->bwrap, facts, &wants,
						 &outcome->plan);
		canned_answer(canned, asked->arena, facts, &wants);
	} while (wants.count != 0 && ++outcome->rounds < MOST_ROUNDS);
}

static void say_words(struct text *out, const char *name, char *const *words)
{
	text_add(out, name);
	for (; *words != NULL; words++) {
		text_add_char(out, ' ');
		text_add_quoted(out, *words);
	}
	text_add_char(out, '\n');
}

static void say_fd(struct text *out, const char *name, int fd)
{
	if (fd >= 0)
		text_printf(out, "%s %d\n", name, fd);
}

static void say_if(struct text *out, const char *name, bool holds)
{
	if (holds)
		text_printf(out, "%s\n", name);
}

/* What is no operation: the processes around the command. */
static void say_monitor(const struct plan_monitor *monitor, struct text *out)
{
	say_if(out, "reaper", monitor->has_reaper);
	say_if(out, "new-session", monitor->new_session);
	say_if(out, "die-with-parent", monitor->die_with_parent);
	say_fd(out, "sync", monitor->sync_fd);
	say_fd(out, "block", monitor->block_fd);
	say_fd(out, "userns-block", monitor->userns_block_fd);
	say_fd(out, "info", monitor->info_fd);
	say_fd(out, "json", monitor->json_fd);
	for (size_t i = 0; i < monitor->lock_count; i++)
		text_printf(out, "lock %s\n", monitor->locks[i]);
	for (size_t i = 0; i < monitor->shut_count; i++)
		say_fd(out, "shut", monitor->shut[i]);
}

static void say_plan(const struct plan *plan, struct text *out)
{
	plan_print_ops(plan, out);
	say_monitor(plan->monitor, out);
	for (size_t i = 0; i < plan->cwd_count; i++)
		text_printf(out, "start %s\n", plan->cwds[i].path);
	say_words(out, "argv", plan->argv);
	say_words(out, "env", plan->envp);
}

void asked_say_bwrap(const struct outcome *outcome, struct text *out)
{
	const struct bwrap *bwrap = &outcome->bwrap;

	for (size_t i = 0; i < bwrap->message_count; i++)
		text_printf(out, "%d%s: %s\n", bwrap->messages[i].level,
			    bwrap->messages[i].has_prefix ? " prefixed" : "",
			    bwrap->messages[i].text);
	if (outcome->answer == BWRAP_USAGE)
		text_add(out, "usage\n");
	if (outcome->answer != BWRAP_RUN)
		return;
	if (outcome->fault != NULL)
		text_printf(out, "3: %s\n", outcome->fault);
	else
		say_plan(&outcome->plan, out);
}
