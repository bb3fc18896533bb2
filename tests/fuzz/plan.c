/*
 * Words and a described machine through the planner. Two bytes are one step: a
 * rule or a change of the machine, and the path it is about. What must hold of
 * every plan is checked on its operations.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/path.h"
#include "plan/explain.h"
#include "plan/make.h"
#include "tests/fuzz/fuzz.h"
#include "tests/golden/asked.c"
#include "tests/golden/asked_bwrap.c"
#include "tests/golden/canned.c"
#include "tests/golden/resolve.c"

static const char machine[] =
	"machine uid=1000 gid=1000 kernel=6.12 landlock=6\n"
	"cwd /w\n"
	"dir /\ndir /usr\ndir /usr/bin\ndir /etc\nfile /etc/hosts\n"
	"file /usr/bin/x mode=755\nlink /bin usr/bin\n"
	"dir /proc\ndir /dev\ndir /tmp\ndir /run\ndir /var\ndir /var/tmp\n"
	"dir /home\ndir /home/u uid=1000\ndir /home/u/.ssh uid=1000\n"
	"dir /w uid=1000\ndir /w/a uid=1000\ndir /w/a/b uid=1000\n"
	"file /w/a/b/f uid=1000\nfile /w/f uid=1000\ndir /w/c uid=1000\n"
	"dir /s\ndir /s/a\ndir /s/a/b\n";

static const char *const places[] = {
	"/",	  "/w",		  "/w/a",     "/w/a/b",	  "/w/a/b/f", "/w/f",
	"/w/c",	  "/s",		  "/s/a",     "/s/a/b",	  "/home",    "/home/u",
	"/tmp",	  "/home/u/.ssh", "/etc",     "/usr/bin", "/bin",     "/w/l",
	"/w/a/l", "/run",	  "/var/tmp", "/m",	  "/dev/n",   "/tmp/x",
};
enum { PLACES = sizeof(places) / sizeof(*places) };

static const char *const rules[] = {
	"--read",  "--write",	 "--mask",   "--protect", "--overlay",
	"--tmpfs", "--read-try", "--unmask", "--root",	  "--home",
	"--tmp",   "--cwd",	 "--device",
};
enum { RULES = sizeof(rules) / sizeof(*rules) };

/* What else a step may do; SRC:DEST come first. */
enum step {
	STEP_READ_AT = RULES,
	STEP_WRITE_AT,
	STEP_LINK, /* the place becomes a link to the one named next */
	STEP_GONE,
	STEP_READ_ONLY,
	STEP_NAMES, /* a file with two names */
	STEP_ROOT_CALLER,
	STEP_NO_SYSTEM,
	STEPS,
};

enum { MOST_STEPS = 24 };

struct spoken {
	struct arena *arena;
	char *words[2 * MOST_STEPS + 8];
	size_t count;
	struct text facts;
};

static void say(struct spoken *spoken, const char *word)
{
	spoken->words[spoken->count++] = (char *)(uintptr_t)word;
}

static void describe(struct spoken *spoken, const char *what, const char *path,
		     const char *rest)
{
	text_printf(&spoken->facts, "%s %s%s\n", what, path, rest);
}

static void take_step(struct spoken *spoken, unsigned step, const char *path,
		      const char *next)
{
	switch (step % STEPS) {
	case STEP_READ_AT:
	case STEP_WRITE_AT:
		say(spoken,
		    step % STEPS == STEP_READ_AT ? "--read" : "--write");
		say(spoken, arena_join(spoken->arena, path, ":", next, NULL));
		break;
	case STEP_LINK:
		describe(spoken, "link", path,
			 arena_join(spoken->arena, " ", next, NULL));
		break;
	case STEP_GONE:
		describe(spoken, "gone", path, "");
		break;
	case STEP_READ_ONLY:
		describe(spoken, "mount", path, " read-only uid=1000");
		break;
	case STEP_NAMES:
		describe(spoken, "file", path, " nlink=2");
		break;
	case STEP_ROOT_CALLER:
		describe(spoken, "machine", "uid=0", " gid=0");
		break;
	case STEP_NO_SYSTEM:
		say(spoken, "--no-system");
		break;
	default:
		say(spoken, rules[step % STEPS]);
		say(spoken, path);
	}
}

static bool is_mount(const struct op *op)
{
	static const enum op_kind kinds[] = {
		OP_ROOT_BIND, OP_BIND, OP_OVERLAY, OP_PRIVATE, OP_TMPFS,
		OP_DEV,	      OP_PROC, OP_PIN,	   OP_PROTECT, OP_MASK,
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (op->kind == kinds[i])
			return true;
	}
	return false;
}

static const char *path_of(const struct op *op)
{
	return op->kind == OP_ROOT_BIND ? "/" : op->path;
}

static const char *source_of(const struct plan *plan, const struct op *op)
{
	for (size_t i = 0; i < plan->op_count; i++) {
		if (plan->ops[i].kind == OP_SOURCE &&
		    plan->ops[i].slot == op->slot)
			return plan->ops[i].source;
	}
	return NULL;
}

/* The last mount that covers a path, of the first `count` operations. What is
 * bound onto itself shows what was there. */
static const struct op *covering(const struct plan *plan, size_t count,
				 const char *path)
{
	while (count-- > 0) {
		const struct op *op = &plan->ops[count];

		if (is_mount(op) && op->kind != OP_PIN &&
		    op->kind != OP_PROTECT && path_is_under(path, path_of(op)))
			return op;
	}
	return NULL;
}

/* Parents first, and no place twice: a later mount hides no earlier one. */
static void check_order(const struct plan *plan)
{
	for (size_t i = 0; i < plan->op_count; i++) {
		for (size_t j = 0; is_mount(&plan->ops[i]) && j < i; j++) {
			if (is_mount(&plan->ops[j]))
				MUST(!path_is_under(path_of(&plan->ops[j]),
						    path_of(&plan->ops[i])));
		}
	}
}

static bool is_made(const struct op *op)
{
	return op->kind == OP_DIR || op->kind == OP_LINK || op->kind == OP_FILE;
}

/* What is made is made once, in what is ours, and not over a mount. */
static void check_made(const struct plan *plan)
{
	for (size_t i = 0; i < plan->op_count; i++) {
		const struct op *op = &plan->ops[i], *above;

		if (!is_made(op))
			continue;
		above = covering(plan, i, op->path);
		MUST(above == NULL || above->kind == OP_PRIVATE ||
		     above->kind == OP_TMPFS || above->kind == OP_DEV);
		MUST(above == NULL || strcmp(path_of(above), op->path) != 0);
		for (size_t j = 0; j < i; j++)
			MUST(!is_made(&plan->ops[j]) ||
			     strcmp(plan->ops[j].path, op->path) != 0);
	}
}

static const char *real_of(const struct outcome *outcome, const char *path)
{
	const struct path_fact *fact = map_get(&outcome->facts.paths, path);

	return fact == NULL || fact->error != 0 ? NULL : fact->real;
}

static bool was_asked(const struct outcome *outcome, enum rule_kind kind,
		      const char *source)
{
	const struct policy *policy = &outcome->policy;
	const char *served[] = { policy->home.word, policy->tmp.word };

	for (size_t i = 0; i < policy->rule_count; i++) {
		const char *real = real_of(outcome, policy->rules[i].path);

		if (policy->rules[i].kind == kind && real != NULL &&
		    strcmp(real, source) == 0)
			return true;
	}
	for (size_t i = 0; i < 2 && kind == RULE_WRITE; i++) {
		const char *real = served[i] == NULL
					   ? NULL
					   : real_of(outcome, served[i]);

		if (real != NULL && strcmp(real, source) == 0)
			return true;
	}
	return false;
}

/* Nothing is writable that nobody asked to write. */
static void check_writes(const struct outcome *outcome)
{
	const struct plan *plan = &outcome->plan;

	for (size_t i = 0; i < plan->op_count; i++) {
		const struct op *op = &plan->ops[i];

		if ((op->kind == OP_BIND || op->kind == OP_ROOT_BIND) &&
		    !(op->flags & BIND_READ))
			MUST(was_asked(outcome, RULE_WRITE,
				       source_of(plan, op)));
		if (op->kind == OP_OVERLAY)
			MUST(was_asked(outcome, RULE_OVERLAY,
				       source_of(plan, op)));
	}
}

/* A masked object is not shown by any root that it lies in. */
static void check_mask(const struct plan *plan, const char *real)
{
	for (size_t i = 0; i < plan->op_count; i++) {
		const struct op *root = &plan->ops[i], *last;
		struct arena arena = { 0 };
		const char *source, *place, *seen;

		if (root->kind != OP_BIND && root->kind != OP_ROOT_BIND &&
		    root->kind != OP_OVERLAY)
			continue;
		source = source_of(plan, root);
		if (strcmp(real, source) == 0 || !path_is_under(real, source))
			continue;
		place = path_join(&arena, path_of(root),
				  path_below(real, source));
		last = covering(plan, plan->op_count, place);
		MUST(last != NULL);
		if (last->kind == OP_BIND || last->kind == OP_ROOT_BIND ||
		    last->kind == OP_OVERLAY) {
			source = source_of(plan, last);
			seen = path_join(&arena, source,
					 path_below(place, path_of(last)));
			MUST(strcmp(seen, real) != 0 ||
			     strcmp(source, real) == 0);
		}
		arena_done(&arena);
	}
}

static void check_masks(const struct outcome *outcome)
{
	const struct policy *policy = &outcome->policy;

	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct rule *rule = &policy->rules[i];
		const char *real = real_of(outcome, rule->path);

		if (rule->kind == RULE_MASK && rule->origin.set == NULL &&
		    real != NULL)
			check_mask(&outcome->plan, real);
	}
}

static void check_answer(const struct answer *answer)
{
	bool shut = false;

	for (size_t i = 0; i < ATTEMPTS; i++)
		shut |= answer->tries[i] > TRY_OK;
	MUST(answer->place != NULL && answer->kind != NULL);
	MUST(answer->mend == NULL || shut);
}

static void check_text(const struct asked *asked, const struct outcome *one,
		       char **words)
{
	const struct outcome *two = asked_plan(asked, words);
	struct text text[2];

	text_init(&text[0], asked->arena);
	text_init(&text[1], asked->arena);
	plan_print_ops(&one->plan, &text[0]);
	plan_print_ops(&two->plan, &text[1]);
	MUST(strcmp(text[0].bytes, text[1].bytes) == 0);
	plan_print_page(&one->policy, &one->plan, &text[0]);
	plan_print_json(&one->policy, &one->plan, &text[0]);
}

/* The same rules, and every place is asked for. What is offered opens it, so
 * something is shut; and the same facts may be told of a command. */
static void check_explained(const struct asked *asked, char **words)
{
	char *all[2 * MOST_STEPS + PLACES + 8];
	struct text text;
	struct wants wants = { .arena = asked->arena };
	struct outcome *outcome;
	size_t count = 0;

	for (; strcmp(words[count], "--") != 0; count++)
		all[count] = words[count];
	all[0] = (char *)(uintptr_t) "explain";
	all[count++] = (char *)(uintptr_t) "--";
	for (size_t i = 0; i < PLACES; i++)
		all[count++] = (char *)(uintptr_t)places[i];
	all[count] = NULL;
	outcome = (struct outcome *)(uintptr_t)asked_plan(asked, all);
	MUST(outcome->rounds < MOST_ROUNDS);
	if (outcome->policy.refusals.count != 0)
		return;
	MUST(outcome->plan.answer_count == PLACES);
	for (size_t i = 0; i < PLACES; i++)
		check_answer(&outcome->plan.answers[i]);
	text_init(&text, asked->arena);
	plan_print_answers(&outcome->plan, &text);
	plan_print_answers_json(&outcome->plan, &text);
	outcome->policy.command = all + count - PLACES;
	(void)plan_cause(&outcome->policy, &outcome->facts, &wants, 127);
}

static void check(const struct asked *asked, char **words)
{
	const struct outcome *outcome = asked_plan(asked, words);

	MUST(outcome->problem == NULL);
	MUST(outcome->rounds < MOST_ROUNDS);
	for (size_t i = 0; i < outcome->policy.refusals.count; i++)
		MUST(outcome->policy.refusals.items[i].text != NULL);
	if (outcome->policy.refusals.count != 0)
		return;
	check_order(&outcome->plan);
	check_made(&outcome->plan);
	check_writes(outcome);
	check_masks(outcome);
	check_text(asked, outcome, words);
	check_explained(asked, words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = { 0 };
	struct asked asked = { .arena = &arena };
	struct spoken spoken = { .arena = &arena };

	text_init(&spoken.facts, &arena);
	text_add(&spoken.facts, machine);
	say(&spoken, "show");
	for (size_t i = 0; i + 1 < size && i < 2 * MOST_STEPS; i += 2)
		take_step(&spoken, data[i], places[data[i + 1] % PLACES],
			  places[i + 3 < size ? data[i + 3] % PLACES : 1]);
	say(&spoken, "--");
	say(&spoken, "x");
	asked.facts = spoken.facts;
	check(&asked, spoken.words);
	arena_done(&arena);
	return 0;
}
