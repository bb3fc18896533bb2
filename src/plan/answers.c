/*
 * `cordon explain`: the answers for people, and as one JSON object.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/fault.h"
#include "base/json.h"
#include "base/text.h"
#include "plan/explain.h"
#include "plan/make.h"
#include "plan/plan.h"
#include "policy/refusal.h"

static const struct {
	const char *name, *words;
} attempts[] = {
	[ATTEMPT_READ] = { "read", "open for reading" },
	[ATTEMPT_WRITE] = { "write", "open for writing" },
	[ATTEMPT_CREATE_IN] = { "create_in", "create in it" },
	[ATTEMPT_CREATE] = { "create", "create beside it" },
	[ATTEMPT_RENAME] = { "rename", "rename" },
	[ATTEMPT_CONNECT] = { "connect", "connect" },
};
static_assert(sizeof(attempts) / sizeof(*attempts) == ATTEMPTS,
	      "every attempt has its words");

static const char *result_name(int result, const char *fine)
{
	if (result == TRY_OK)
		return fine;
	return result == TRY_DEPENDS ? "depends" : fault_errno_name(result);
}

static void add_origin(struct text *out, const struct origin *origin)
{
	const char *words = origin_words(out->arena, origin);

	text_add(out, words);
	if (origin->place != PLACE_CLI || origin->set != NULL)
		return; /* the words say where */
	text_printf(out, " (%s", origin_said(out->arena, origin));
	if (origin->line != 0)
		text_printf(out, ", word %u", origin->line);
	text_add_char(out, ')');
}

static void add_answer(struct text *out, const struct answer *answer)
{
	text_add_quoted(out, answer->asked);
	text_printf(out, ": %s", answer->kind != NULL ? answer->kind : "?");
	if (answer->ruled) {
		text_add(out, ", ");
		add_origin(out, &answer->origin);
	}
	text_add_char(out, '\n');
	if (answer->place != NULL &&
	    strcmp(answer->place, answer->asked) != 0) {
		text_add(out, "  leads to: ");
		text_add_quoted(out, answer->place);
		text_add_char(out, '\n');
	}
	if (answer->object != NULL &&
	    strcmp(answer->object, answer->place) != 0) {
		text_add(out, "  of the host: ");
		text_add_quoted(out, answer->object);
		text_add_char(out, '\n');
	}
	for (const struct loser *at = answer->losers; at != NULL;
	     at = at->next) {
		text_printf(out, "  loses, %s: ", at->why);
		add_origin(out, &at->origin);
		text_add_char(out, '\n');
	}
	for (size_t i = 0; i < ATTEMPTS; i++) {
		int result = answer->tries[i];

		/* of what is no socket there is nothing to say */
		if (result != TRY_NONE && result != ECONNREFUSED)
			text_printf(out, "  %s: %s\n", attempts[i].words,
				    result_name(result, "yes"));
	}
	if (answer->note != NULL)
		text_printf(out, "  note: %s\n", answer->note);
	if (answer->mend != NULL)
		text_printf(out, "  to open it: %s\n", answer->mend);
}

void plan_print_answers(const struct plan *plan, struct text *out)
{
	for (size_t i = 0; i < plan->answer_count; i++)
		add_answer(out, &plan->answers[i]);
}

static void json_origin(struct json *json, const struct origin *origin)
{
	struct arena *arena = json->out->arena;

	json_string(json, "words", origin_words(arena, origin));
	json_string(json, "said", origin_said(arena, origin));
	if (origin->line != 0)
		json_number(json, "line", origin->line);
}

static void json_answer(struct json *json, const struct answer *answer)
{
	json_open(json, NULL, '{');
	json_string(json, answer->address ? "address" : "path", answer->asked);
	if (answer->place != NULL)
		json_string(json, "place", answer->place);
	if (answer->object != NULL)
		json_string(json, "object", answer->object);
	if (answer->kind != NULL)
		json_string(json, "kind", answer->kind);
	if (answer->ruled) {
		json_open(json, "rule", '{');
		json_origin(json, &answer->origin);
		json_close(json, '}');
	}
	json_open(json, "losers", '[');
	for (const struct loser *at = answer->losers; at != NULL;
	     at = at->next) {
		json_open(json, NULL, '{');
		json_origin(json, &at->origin);
		json_string(json, "why", at->why);
		json_close(json, '}');
	}
	json_close(json, ']');
	for (size_t i = 0; i < ATTEMPTS; i++) {
		if (answer->tries[i] != TRY_NONE)
			json_string(json, attempts[i].name,
				    result_name(answer->tries[i], "ok"));
	}
	if (answer->note != NULL)
		json_string(json, "note", answer->note);
	if (answer->mend != NULL)
		json_string(json, "to_open", answer->mend);
	json_close(json, '}');
}

void plan_print_answers_json(const struct plan *plan, struct text *out)
{
	struct json json;

	json_init(&json, out);
	json_open(&json, NULL, '{');
	json_number(&json, "v", 1);
	json_open(&json, "answers", '[');
	for (size_t i = 0; i < plan->answer_count; i++)
		json_answer(&json, &plan->answers[i]);
	json_close(&json, ']');
	json_close(&json, '}');
	text_add_char(out, '\n');
}
