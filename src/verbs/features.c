/*
 * cordon features: what this version knows, for programs. The drift tests read
 * the option table through it.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/exitcode.h"
#include "base/io.h"
#include "base/json.h"
#include "base/text.h"
#include "config.h"
#include "policy/options.h"
#include "policy/refusal.h"
#include "policy/sets.h"
#include "verbs/verbs.h"

static const char *const events[] = {
	"refused",     "failed", "ready",  "exec",
	"exec-failed", "note",	 "denied", "exit"
};
static const char *const presets[] = { "default", "devel", "none" };

static void add_option(struct json *json, const struct option *option)
{
	json_open(json, NULL, '{');
	json_string(json, "name", option->name);
	if (option->argument != NULL)
		json_string(json, "argument", option->argument);
	json_string(json, "help", option->help);
	json_bool(json, "profile", option->use & USE_PROFILE);
	json_bool(json, "show_only", option->use & USE_SHOW);
	json_bool(json, "later", option->use & USE_LATER);
	if (option->choices != NULL)
		json_string(json, "choices", option->choices);
	json_close(json, '}');
}

static void add_words(struct json *json, const char *name,
		      const char *const *words, size_t count)
{
	json_open(json, name, '[');
	for (size_t i = 0; i < count; i++)
		json_string(json, NULL, words[i]);
	json_close(json, ']');
}

static void add_reasons(struct json *json)
{
	json_open(json, "reasons", '[');
	for (unsigned i = 0; i < REASON_KINDS; i++)
		json_string(json, NULL, reason_name((enum reason)i));
	json_close(json, ']');
}

static void add_sets(struct json *json)
{
	json_open(json, "sets", '[');
	for (size_t i = 0; i < set_count; i++)
		json_string(json, NULL, sets[i].name);
	json_close(json, ']');
}

int verb_features(char **words)
{
	struct arena arena = { 0 };
	struct text out;
	struct json json;

	(void)words;
	text_init(&out, &arena);
	json_init(&json, &out);
	json_open(&json, NULL, '{');
	json_string(&json, "version", PACKAGE_VERSION);
	json_open(&json, "options", '[');
	for (size_t i = 0; i < option_count; i++)
		add_option(&json, &options[i]);
	json_close(&json, ']');
	add_sets(&json);
	add_words(&json, "seccomp", presets,
		  sizeof(presets) / sizeof(*presets));
	add_reasons(&json);
	add_words(&json, "events", events, sizeof(events) / sizeof(*events));
	json_close(&json, '}');
	text_add_char(&out, '\n');
	return verb_say(&out);
}
