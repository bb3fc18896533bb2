/*
 * The words behind `check`. Which options take a value is known to the launcher
 * alone: `cordon features` says it.
 */
#include <json-c/json.h>
#include <string.h>

#include "base/arena.h"
#include "inspect/check.h"

/* Check's own to say, or gone once they are read. */
static bool is_taken(const char *name)
{
	static const char *const taken[] = { "args", "status-fd", "id",
					     "timeout" };

	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++) {
		if (strcmp(taken[i], name) == 0)
			return true;
	}
	return false;
}

static const char *text_of(struct json_object *object, const char *name)
{
	struct json_object *value = NULL;

	(void)json_object_object_get_ex(object, name, &value);
	return value == NULL ? "" : json_object_get_string(value);
}

/* Whether the next word is its value; "[VALUE]" may stand behind = only. */
static bool takes_word(struct json_object *features, const char *name)
{
	struct json_object *list = NULL;
	size_t count = 0;

	(void)json_object_object_get_ex(features, "options", &list);
	if (json_object_is_type(list, json_type_array))
		count = json_object_array_length(list);
	for (size_t i = 0; i < count; i++) {
		struct json_object *option = json_object_array_get_idx(list, i);
		const char *argument = text_of(option, "argument");

		if (strcmp(text_of(option, "name"), name) == 0)
			return *argument != '\0' && *argument != '[';
	}
	return false;
}

/* One option, and its value behind it. Returns how many words that are. */
static size_t read_option(struct check *check, struct json_object *features,
			  const char *const *words, const char **wrong)
{
	const char *word = words[0] + 2;
	size_t length = strcspn(word, "=");
	const char *name = arena_strndup(check->arena, word, length);

	if (is_taken(name))
		*wrong = arena_join(check->arena, "--", name, ": not for check",
				    NULL);
	return word[length] == '\0' && words[1] != NULL &&
			       takes_word(features, name)
		       ? 2
		       : 1;
}

/* Returns what is wrong, or NULL. */
static const char *sort(struct check *check, struct json_object *features,
			const char *const *words, const char **rules)
{
	const char *wrong = NULL;
	size_t used;

	for (; *words != NULL && wrong == NULL; words += used) {
		used = 1;
		if (strcmp(*words, "--json") == 0) {
			check->as_json = true;
			continue;
		}
		if (strncmp(*words, "--", 2) != 0 || (*words)[2] == '\0')
			return "it takes rules, and no command";
		used = read_option(check, features, words, &wrong);
		memcpy(rules, words, used * sizeof(*words));
		rules += used;
	}
	return wrong;
}

const char *words_read(struct check *check, const char *const *words,
		       const char *features)
{
	struct json_object *tree = json_tokener_parse(features);
	size_t count = 0;
	const char *wrong;

	while (words[count] != NULL)
		count++;
	/* zero, so that it ends with NULL */
	check->rules = arena_alloc(check->arena,
				   (count + 1) * sizeof(*check->rules));
	wrong = sort(check, tree, words, check->rules);
	(void)json_object_put(tree);
	return wrong;
}
