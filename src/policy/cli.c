/*
 * Words of the command line and of --args: --NAME VALUE, --NAME=VALUE, then
 * the command.
 */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/number.h"
#include "policy/apply.h"
#include "policy/options.h"
#include "policy/policy.h"
#include "policy/words.h"

void words_apply(struct policy *policy, const struct option *option,
		 const char *value)
{
	policy->current.option = option->name;
	policy->current.word = option->argument == NULL ? NULL : value;
	policy->current.set = NULL;
	if ((option->use & USE_SHOW) && !(option->use & policy->use))
		refuse(&policy->refusals, REASON_BAD_OPTION, &policy->current,
		       option->use & USE_EXPLAIN
			       ? "only cordon show and cordon explain have "
				 "this option"
			       : "only cordon show has this option",
		       NULL);
	else
		option->set(policy, value);
}

bool words_outranked(const struct policy *policy, const struct origin *said)
{
	return said->option != NULL && said->place > policy->current.place;
}

void refuse_here(struct policy *policy, enum reason reason, const char *text,
		 const char *mend)
{
	refuse(&policy->refusals, reason, &policy->current, text, mend);
}

/* "--raed=x" without what is not its name. */
static const char *bare_name(struct policy *policy, const char *word)
{
	word += strspn(word, "-");
	return arena_strndup(policy->arena, word, strcspn(word, "="));
}

const struct option *words_refuse_unknown(struct policy *policy,
					  const char *name)
{
	const struct option *nearest = option_nearest(bare_name(policy, name));
	const char *mend = "cordon --help";

	policy->current.option = NULL;
	policy->current.word = name;
	if (nearest != NULL)
		mend = arena_join(policy->arena,
				  policy->current.place == PLACE_PROFILE ? ""
									 : "--",
				  nearest->name, NULL);
	refuse(&policy->refusals, REASON_BAD_OPTION, &policy->current,
	       "no such option", mend);
	return nearest;
}

/* An argument in brackets may be left out and must then be joined by "=". */
static bool takes_next(const struct option *option)
{
	return option->argument != NULL && *option->argument != '[';
}

static char *const *read_option(struct policy *policy, char *const *words)
{
	const char *name = *words + 2;
	const char *value = strchr(name, '=');
	const struct option *option;

	if (value != NULL)
		name = arena_strndup(policy->arena, name,
				     (size_t)(value++ - name));
	option = option_find(name);
	if (option == NULL) {
		/* its value is no command: the words behind it count too */
		option = words_refuse_unknown(policy, *words++);
		return words + (option != NULL && takes_next(option) &&
				value == NULL && *words != NULL);
	}
	policy->current.option = option->name;
	policy->current.word = value;
	if (value != NULL && option->argument == NULL) {
		refuse(&policy->refusals, REASON_BAD_VALUE, &policy->current,
		       "this option takes no value", NULL);
		return words + 1;
	}
	if (value == NULL && takes_next(option)) {
		value = *++words;
		policy->current.line++;
	}
	if (value == NULL && takes_next(option)) {
		refuse(&policy->refusals, REASON_BAD_VALUE, &policy->current,
		       arena_join(policy->arena, "a value is missing: ",
				  option->argument, NULL),
		       NULL);
		return words;
	}
	words_apply(policy, option, value);
	return words + 1;
}

char *const *words_read(struct policy *policy, char *const *words)
{
	policy->current.line = 1;
	while (*words != NULL) {
		if (strcmp(*words, "--") == 0)
			return words + 1;
		if (strncmp(*words, "--", 2) == 0) {
			words = read_option(policy, words);
		} else if (**words == '-' && (*words)[1] != '\0') {
			(void)words_refuse_unknown(policy, *words);
			words++;
		} else {
			return words;
		}
		policy->current.line++;
	}
	return NULL;
}

static void take_command(struct policy *policy, char *const *words)
{
	if (words == NULL || *words == NULL)
		return;
	if (policy->command != NULL) {
		policy->current.option = NULL;
		policy->current.word = *words;
		refuse(&policy->refusals, REASON_CONFLICT, &policy->current,
		       "a second command: --args has one already", NULL);
		return;
	}
	policy->command = (char **)(uintptr_t)words;
}

/* What explain is asked about stands where run has its command. */
static void take_words(struct policy *policy, char *const *words)
{
	if (policy->use != USE_EXPLAIN)
		take_command(policy, words);
	else if (words != NULL && *words != NULL)
		policy->subjects = (char **)(uintptr_t)words;
}

void policy_read_cli(struct policy *policy, char *const *words)
{
	policy->current = (struct origin){ .place = PLACE_CLI };
	take_words(policy, words_read(policy, words));
	within_narrow(policy);
}

/* Words separated by NUL, as an argument vector that borrows the bytes. */
static char **split_words(struct policy *policy, const char *bytes,
			  size_t length)
{
	size_t count = 0, used = 0;
	char **words;

	for (size_t i = 0; i < length; i++)
		count += bytes[i] == '\0';
	words = arena_alloc(policy->arena, (count + 2) * sizeof(*words));
	for (size_t at = 0; at < length; at += strlen(bytes + at) + 1)
		words[used++] = (char *)(uintptr_t)(bytes + at);
	return words;
}

void apply_args(struct policy *policy, const char *value)
{
	struct origin outer = policy->current;
	const char *bytes;
	size_t length;
	uint64_t fd;

	if (outer.place != PLACE_CLI) {
		refuse(&policy->refusals, REASON_BAD_FD, &outer,
		       "only the command line names a descriptor of words",
		       NULL);
		return;
	}
	if (number_parse(value, INT32_MAX, &fd) != 0 ||
	    policy->context->load_fd(policy->context->load, (int)fd, &bytes,
				     &length) != 0) {
		refuse(&policy->refusals, REASON_BAD_FD, &outer,
		       "cannot be read as a descriptor", NULL);
		return;
	}
	policy->current = (struct origin){ .place = PLACE_ARGS };
	take_command(policy,
		     words_read(policy, split_words(policy, bytes, length)));
	policy->current = outer;
}
