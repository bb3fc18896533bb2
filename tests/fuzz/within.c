/*
 * A policy within another, both of steps as in plan.c; a byte says how many are
 * the outer's. What the plan shows of the host is shown by the outer's own plan,
 * with the same right: told from the operations of both, not from the entries
 * that the planner compares.
 */
#include "tests/fuzz/fuzz.h"

int plan_one(const uint8_t *data, size_t size);
#define LLVMFuzzerTestOneInput plan_one
#include "tests/fuzz/plan.c"
#undef LLVMFuzzerTestOneInput

/* Is the place shown as part of this mount, or by one over it? */
static bool is_last(const struct plan *plan, const struct op *root,
		    const char *place)
{
	for (size_t i = 0; i < plan->op_count; i++) {
		const struct op *op = &plan->ops[i];

		if (op->kind == OP_SAME && path_is_under(place, op->path))
			return false;
	}
	return covering(plan, plan->op_count, place) == root;
}

static bool is_writable(const struct plan *plan, const struct op *root,
			const char *place)
{
	if (root->kind == OP_OVERLAY || (root->flags & BIND_READ))
		return false;
	for (size_t i = 0; i < plan->op_count; i++) {
		const struct op *op = &plan->ops[i];

		if (op->kind == OP_PROTECT && path_is_under(place, op->path) &&
		    path_is_under(op->path, path_of(root)))
			return false;
	}
	return true;
}

static bool shows(const struct plan *plan, const char *object, bool writing)
{
	struct arena arena = { 0 };
	bool shown = false;

	for (size_t i = 0; i < plan->op_count && !shown; i++) {
		const struct op *root = &plan->ops[i];
		const char *source, *place;

		if (root->kind != OP_BIND && root->kind != OP_ROOT_BIND &&
		    root->kind != OP_OVERLAY)
			continue;
		source = source_of(plan, root);
		if (!path_is_under(object, source))
			continue;
		place = path_join(&arena, path_of(root),
				  path_below(object, source));
		shown = is_last(plan, root, place) &&
			(!writing || is_writable(plan, root, place));
	}
	arena_done(&arena);
	return shown;
}

/* The command and its directory are no part of what a policy allows. */
static bool is_whole(const struct outcome *outcome)
{
	for (size_t i = 0; i < outcome->policy.refusals.count; i++) {
		enum reason reason = outcome->policy.refusals.items[i].reason;

		if (reason != REASON_BAD_CWD && reason != REASON_NEEDS_READ &&
		    reason != REASON_NOT_FOUND &&
		    reason != REASON_NOT_EXECUTABLE)
			return false;
	}
	return true;
}

static void check_within(const struct asked *asked, char **words)
{
	static char *const outer_words[] = {
		(char *)(uintptr_t) "show", (char *)(uintptr_t) "--profile",
		(char *)(uintptr_t) "./o",  (char *)(uintptr_t) "--",
		(char *)(uintptr_t) "x",    NULL
	};
	const struct outcome *inner = asked_plan(asked, words);
	const struct outcome *outer;
	struct canned canned;

	MUST(inner->rounds < MOST_ROUNDS);
	if (!is_whole(inner))
		return;
	outer = asked_plan(asked, (char **)(uintptr_t)outer_words);
	if (!is_whole(outer))
		return; /* refused by a place of its own that is not there */
	canned_init(&canned, asked->arena);
	canned_read(&canned, asked->facts.bytes);
	for (size_t i = 0; i < canned.count; i++) {
		const char *object = canned.list[i]->path;

		if (map_get(&canned.nodes, object) == NULL)
			continue;
		MUST(!shows(&inner->plan, object, false) ||
		     shows(&outer->plan, object, false));
		MUST(!shows(&inner->plan, object, true) ||
		     shows(&outer->plan, object, true));
	}
}

/* Words as the lines of a profile. */
static void add_lines(struct text *text, char **words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bool option = strncmp(words[i], "--", 2) == 0;

		text_add(text, option ? (i > 0 ? "\n" : "") : " ");
		text_add(text, words[i] + (option ? 2 : 0));
	}
	text_add_char(text, '\n');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = { 0 };
	struct asked_text text = { .name = "./o" };
	struct asked asked = { .arena = &arena,
			       .texts = &text,
			       .text_count = 1 };
	struct spoken outer = { .arena = &arena }, inner = { .arena = &arena };
	size_t split = size > 0 ? 1 + 2 * (data[0] % 12) : 1;

	text_init(&outer.facts, &arena);
	text_add(&outer.facts, machine);
	say(&inner, "show");
	say(&inner, "--within");
	say(&inner, "./o");
	for (size_t i = 1; i + 1 < size && i < 2 * MOST_STEPS - 8; i += 2) {
		struct spoken *who = i < split ? &outer : &inner;

		inner.facts = outer.facts;
		take_step(who, data[i], places[data[i + 1] % PLACES],
			  places[i + 3 < size ? data[i + 3] % PLACES : 1]);
		outer.facts = who->facts;
	}
	text_init(&text.text, &arena);
	add_lines(&text.text, outer.words, outer.count);
	say(&inner, "--");
	say(&inner, "x");
	asked.facts = outer.facts;
	check_within(&asked, inner.words);
	arena_done(&arena);
	return 0;
}
