/*
 * What check has found, for people and as JSON.
 */
#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/json.h"
#include "base/text.h"
#include "config.h"
#include "inspect/check.h"
#include "inspect/inspect.h"
#include "inspect/probe.h"

enum { MANY = 4 };

static const struct {
	const char *word, *mark;
} states[] = {
	[STATE_HOLDS] = { "ok", "ok  " },
	[STATE_FAILS] = { "no", "NO  " },
	[STATE_UNPROVEN] = { "unproven", "??  " },
	[STATE_NONE] = { "none", "-   " },
};
static_assert(sizeof(states) / sizeof(*states) == STATE_NONE + 1,
	      "every state has its words");

static const char *expected(const struct attempt *attempt)
{
	return strcmp(attempt->expect, EXPECT_SAME) == 0 ? attempt->outside
							 : attempt->expect;
}

static bool is_answer(const char *got)
{
	return got != NULL && strcmp(got, PROBE_NOT_TRIED) != 0;
}

/* NULL expected: the answer outside, which is not known. */
static bool is_made(const struct attempt *attempt)
{
	return is_answer(attempt->got) && expected(attempt) != NULL;
}

static bool holds(const struct attempt *attempt)
{
	return is_made(attempt) && check_fits(expected(attempt), attempt->got);
}

static bool is_sample(const struct attempt *attempt)
{
	return attempt->control != NULL &&
	       strcmp(attempt->control, CONTROL_OTHER) == 0;
}

/* What was denied inside must have been possible outside. */
static bool is_proven(const struct attempt *attempt)
{
	if (!is_made(attempt))
		return false;
	if (attempt->control == NULL)
		return true;
	if (!is_answer(attempt->outside))
		return false;
	if (is_sample(attempt))
		return strcmp(attempt->outside, attempt->got) != 0;
	return strcmp(attempt->control, CONTROL_ANY) == 0 ||
	       check_fits(attempt->control, attempt->outside);
}

static const struct attempt *first_of(const struct check *check,
				      enum step_id step,
				      bool (*is)(const struct attempt *))
{
	for (size_t i = 0; i < check->count; i++) {
		if (check->attempts[i].step == step && is(&check->attempts[i]))
			return &check->attempts[i];
	}
	return NULL;
}

static bool any(const struct attempt *attempt)
{
	return attempt->step < STEP_KINDS;
}

/* Outside it was not possible either: a denial that has nothing to do with the
 * sandbox, or an answer with nothing to compare. */
static bool is_idle(const struct attempt *attempt)
{
	if (attempt->control == NULL || is_sample(attempt) ||
	    is_proven(attempt))
		return false;
	return strcmp(attempt->expect, EXPECT_SAME) == 0 ||
	       (attempt->outside != NULL &&
		strcmp(attempt->outside, attempt->got) == 0);
}

static bool fails(const struct attempt *attempt)
{
	return is_made(attempt) && !holds(attempt) && !is_idle(attempt);
}

static bool is_proven_sample(const struct attempt *attempt)
{
	return is_sample(attempt) && is_proven(attempt);
}

static bool is_unproven(const struct attempt *attempt)
{
	return is_sample(attempt) ? !is_made(attempt) : !is_proven(attempt);
}

static bool is_step_proven(const struct check *check, enum step_id step)
{
	return first_of(check, step, is_unproven) == NULL &&
	       (first_of(check, step, is_sample) == NULL ||
		first_of(check, step, is_proven_sample) != NULL);
}

static enum step_state state_of(const struct check *check, enum step_id step)
{
	if (first_of(check, step, any) == NULL)
		return STATE_NONE;
	if (first_of(check, step, fails) != NULL)
		return STATE_FAILS;
	return is_step_proven(check, step) ? STATE_HOLDS : STATE_UNPROVEN;
}

static unsigned count_states(const struct check *check, enum step_state state)
{
	unsigned count = 0;

	for (unsigned i = 0; i < STEP_KINDS; i++)
		count += state_of(check, (enum step_id)i) == state;
	return count;
}

static size_t count_attempts(const struct check *check, enum step_id step,
			     bool (*is)(const struct attempt *))
{
	size_t count = 0;

	for (size_t i = 0; i < check->count; i++)
		count += check->attempts[i].step == step &&
			 is(&check->attempts[i]);
	return count;
}

static void add_samples(struct text *out, const struct check *check,
			enum step_id step)
{
	if (first_of(check, step, is_sample) != NULL)
		text_printf(out, ", %zu of them not so outside",
			    count_attempts(check, step, is_proven_sample));
}

/* The different answers, when they are few: "EACCES, EROFS". */
static void add_answers(struct text *out, const struct check *check,
			enum step_id step)
{
	const char *different[MANY];
	size_t count = 0, known;
	size_t all = count_attempts(check, step, any);

	for (size_t i = 0; i < check->count && count < MANY; i++) {
		const struct attempt *attempt = &check->attempts[i];

		if (attempt->step != step)
			continue;
		for (known = 0; known < count; known++) {
			if (strcmp(different[known], attempt->got) == 0)
				break;
		}
		if (known == count)
			different[count++] = attempt->got;
	}
	if (count == MANY || step == STEP_MOUNTS) {
		text_printf(out, "%zu as expected", all);
		add_samples(out, check, step);
		return;
	}
	for (size_t i = 0; i < count; i++)
		text_printf(out, "%s%s", i == 0 ? "" : ", ", different[i]);
	if (all > 1)
		text_printf(out, " (%zu tried)", all);
}

/* Alternatives are words split by spaces. */
static void add_expected(struct text *out, const char *words)
{
	for (; words != NULL && *words != '\0'; words++) {
		if (*words == ' ')
			text_add(out, " or ");
		else
			text_add_char(out, *words);
	}
}

static void add_failure(struct text *out, const struct check *check,
			enum step_id step)
{
	const struct attempt *attempt = first_of(check, step, fails);
	size_t more = count_attempts(check, step, fails) - 1;

	if (attempt == NULL)
		return;
	text_printf(out, "%s: expected ", attempt->what);
	add_expected(out, expected(attempt));
	text_printf(out, ", got %s", attempt->got);
	if (more != 0)
		text_printf(out, ", and %zu more", more);
}

static void add_control(struct text *out, const struct attempt *attempt)
{
	text_printf(out, "%s: %s, which proves nothing: outside it ",
		    attempt->what, attempt->got);
	if (!is_answer(attempt->outside)) {
		text_add(out, "was not tried");
		return;
	}
	text_add(out, "should be ");
	add_expected(out, attempt->control);
	text_printf(out, " and was %s", attempt->outside);
}

static void add_unproven(struct text *out, const struct check *check,
			 enum step_id step)
{
	const struct attempt *attempt = first_of(check, step, is_unproven);

	if (attempt == NULL)
		text_add(out, "outside each answer is the same, which proves "
			      "nothing");
	else if (!is_answer(attempt->got))
		text_printf(out, "%s: not tried", attempt->what);
	else
		add_control(out, attempt);
}

static void tell_step(struct text *out, const struct check *check,
		      enum step_id step)
{
	enum step_state state = state_of(check, step);
	const char *note = check->notes[step];

	text_printf(out, "%s%s: ", states[state].mark, steps[step].what);
	switch (state) {
	case STATE_HOLDS:
		add_answers(out, check, step);
		break;
	case STATE_FAILS:
		add_failure(out, check, step);
		break;
	case STATE_UNPROVEN:
		add_unproven(out, check, step);
		break;
	case STATE_NONE:
		text_add(out, note == NULL ? "not tried" : note);
		break;
	}
	if (note != NULL && state != STATE_NONE)
		text_printf(out, " (%s)", note);
	text_add_char(out, '\n');
}

static int code_of(const struct check *check)
{
	if (count_states(check, STATE_FAILS) != 0)
		return INSPECT_NO;
	return count_states(check, STATE_UNPROVEN) != 0 ? INSPECT_BROKEN
							: INSPECT_YES;
}

static void tell_all(struct text *out, const struct check *check)
{
	static const char *const sums[] = {
		[INSPECT_YES] = "the wall holds",
		[INSPECT_NO] = "the wall does not hold",
		[INSPECT_BROKEN] = "not all could be proven",
	};

	for (unsigned i = 0; i < STEP_KINDS; i++)
		tell_step(out, check, (enum step_id)i);
	text_printf(out,
		    "%s: %u steps hold, %u do not, %u unproven, %u not in "
		    "these rules\n",
		    sums[code_of(check)], count_states(check, STATE_HOLDS),
		    count_states(check, STATE_FAILS),
		    count_states(check, STATE_UNPROVEN),
		    count_states(check, STATE_NONE));
}

static void add_attempt(struct json *json, const struct attempt *attempt)
{
	json_open(json, NULL, '{');
	json_string(json, "what", attempt->what);
	json_string(json, "expect",
		    expected(attempt) == NULL ? "" : expected(attempt));
	if (attempt->got != NULL)
		json_string(json, "got", attempt->got);
	else
		json_null(json, "got");
	if (attempt->outside != NULL)
		json_string(json, "control", attempt->outside);
	json_bool(json, "holds", holds(attempt));
	json_bool(json, "proven", is_proven(attempt));
	json_close(json, '}');
}

static void add_step(struct json *json, const struct check *check,
		     enum step_id step)
{
	json_open(json, NULL, '{');
	json_string(json, "name", steps[step].name);
	json_string(json, "what", steps[step].what);
	json_string(json, "state", states[state_of(check, step)].word);
	if (check->notes[step] != NULL)
		json_string(json, "note", check->notes[step]);
	json_open(json, "attempts", '[');
	for (size_t i = 0; i < check->count; i++) {
		if (check->attempts[i].step == step)
			add_attempt(json, &check->attempts[i]);
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void add_all(struct text *out, const struct check *check)
{
	struct json json;

	json_init(&json, out);
	json_open(&json, NULL, '{');
	json_string(&json, "version", PACKAGE_VERSION);
	json_bool(&json, "holds", code_of(check) == INSPECT_YES);
	json_open(&json, "steps", '[');
	for (unsigned i = 0; i < STEP_KINDS; i++)
		add_step(&json, check, (enum step_id)i);
	json_close(&json, ']');
	json_close(&json, '}');
	text_add_char(out, '\n');
}

int verdict_tell(const struct check *check)
{
	struct text out;

	text_init(&out, check->arena);
	if (check->as_json)
		add_all(&out, check);
	else
		tell_all(&out, check);
	return io_write_all(STDOUT_FILENO, out.bytes, out.length) == 0
		       ? code_of(check)
		       : INSPECT_BROKEN;
}
