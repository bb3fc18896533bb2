/*
 * Profiles: one option a line without its dashes, shell-like quoting, `~` and
 * ${VAR} or ${VAR:-default}, `#` comments. Hostile input: pure, bounded, and
 * every problem is a refusal with its line.
 */
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/fault.h"
#include "base/text.h"
#include "policy/apply.h"
#include "policy/options.h"
#include "policy/policy.h"
#include "policy/words.h"

/* Each of them may name others twice: the number is bounded too. */
enum { MAX_DEPTH = 8, MAX_PROFILES = 64 };

/* One line being read. */
struct line {
	struct policy *policy;
	const char *at, *end;
	const char *problem; /* the first one; the line is then dropped */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* ${NAME} or ${NAME:-default}; line->at stands behind "${". */
static void expand_variable(struct line *line, struct text *word)
{
	struct policy *policy = line->policy;
	const char *close = memchr(line->at, '}',
				   (size_t)(line->end - line->at));
	char *name, *fallback;
	const char *value;

	if (close == NULL) {
		line->problem = "${ has no }";
		line->at = line->end;
		return;
	}
	name = arena_strndup(policy->arena, line->at,
			     (size_t)(close - line->at));
	line->at = close + 1;
	fallback = strstr(name, ":-");
	if (fallback != NULL) {
		*fallback = '\0';
		fallback += 2;
	}
	value = policy_getenv(policy, name);
	if (fallback != NULL && (value == NULL || *value == '\0'))
		value = fallback;
	if (value == NULL) {
		line->problem = arena_join(policy->arena, "the variable ", name,
					   " is not set and has no default",
					   NULL);
		return;
	}
	text_add(word, value);
}

static void take_single_quoted(struct line *line, struct text *word)
{
	const char *close = memchr(line->at, '\'',
				   (size_t)(line->end - line->at));

	if (close == NULL) {
		line->problem = "a ' is not closed";
		line->at = line->end;
		return;
	}
	text_add_bytes(word, line->at, (size_t)(close - line->at));
	line->at = close + 1;
}

/* One character or one ${...}, bare or within double quotes. */
static void take_unit(struct line *line, struct text *word)
{
	char c = *line->at++;

	if (c == '\\' && line->at < line->end) {
		text_add_char(word, *line->at++);
	} else if (c == '$' && line->at < line->end && *line->at == '{') {
		line->at++;
		expand_variable(line, word);
	} else {
		text_add_char(word, c);
	}
}

static void take_double_quoted(struct line *line, struct text *word)
{
	while (line->at < line->end && *line->at != '"')
		take_unit(line, word);
	if (line->at == line->end)
		line->problem = "a \" is not closed";
	else
		line->at++;
}

/* A leading ~ alone or before a slash is the home, as in a shell. */
static void take_tilde(struct line *line, struct text *word)
{
	const char *next = line->at + 1;

	if (*line->at != '~' ||
	    (next < line->end && *next != '/' && !is_blank(*next)))
		return;
	line->at++;
	if (line->policy->context->home == NULL)
		line->problem = "~ is used but HOME is not set";
	else
		text_add(word, line->policy->context->home);
}

static const char *take_word(struct line *line)
{
	struct text word;

	text_init(&word, line->policy->arena);
	take_tilde(line, &word);
	while (line->at < line->end && !is_blank(*line->at)) {
		if (*line->at == '\'') {
			line->at++;
			take_single_quoted(line, &word);
		} else if (*line->at == '"') {
			line->at++;
			take_double_quoted(line, &word);
		} else {
			take_unit(line, &word);
		}
	}
	return word.bytes;
}

static void skip_blanks(struct line *line)
{
	while (line->at < line->end && is_blank(*line->at))
		line->at++;
	/* a # begins a comment only where a word could begin */
	if (line->at < line->end && *line->at == '#')
		line->at = line->end;
}

static void refuse_line(struct line *line, enum reason reason, const char *text)
{
	refuse(&line->policy->refusals, reason, &line->policy->current, text,
	       NULL);
}

static void apply_line(struct line *line, const char *name, const char *value)
{
	struct policy *policy = line->policy;
	const struct option *option = option_find(name);

	if (option == NULL) {
		(void)words_refuse_unknown(policy, name);
		return;
	}
	policy->current.option = option->name;
	policy->current.word = value;
	if (!(option->use & USE_PROFILE))
		refuse_line(line, REASON_BAD_OPTION,
			    "belongs on the command line, not in a profile");
	else if (value == NULL && option->argument != NULL &&
		 *option->argument != '[')
		refuse_line(line, REASON_BAD_VALUE, "a value is missing");
	else if (value != NULL && option->argument == NULL)
		refuse_line(line, REASON_BAD_VALUE,
			    "this option takes no value");
	else
		words_apply(policy, option, value);
}

static void read_line(struct line *line)
{
	const char *name, *value = NULL;

	line->policy->current.option = NULL;
	line->policy->current.word = NULL;
	if (memchr(line->at, '\0', (size_t)(line->end - line->at)) != NULL) {
		refuse_line(line, REASON_BAD_PROFILE, "a NUL byte");
		return;
	}
	skip_blanks(line);
	if (line->at == line->end)
		return;
	name = take_word(line);
	skip_blanks(line);
	if (line->at < line->end) {
		value = take_word(line);
		skip_blanks(line);
	}
	line->policy->current.option = name;
	line->policy->current.word = value;
	if (line->problem != NULL)
		refuse_line(line, REASON_BAD_PROFILE, line->problem);
	else if (line->at < line->end)
		refuse_line(line, REASON_BAD_PROFILE,
			    "one option and one value a line; quote a value "
			    "that has blanks");
	else
		apply_line(line, name, value);
}

void policy_read_profile(struct policy *policy, const char *file,
			 const char *text)
{
	struct origin outer = policy->current;
	unsigned number = 0;

	while (*text != '\0') {
		size_t length = strcspn(text, "\n");
		struct line line = { .policy = policy,
				     .at = text,
				     .end = text + length };

		if (length > 0 && text[length - 1] == '\r')
			line.end--;
		policy->current = (struct origin){ .place = PLACE_PROFILE,
						   .file = file,
						   .line = ++number };
		read_line(&line);
		text += length;
		text += *text == '\n';
	}
	policy->current = outer;
}

static void note_named(struct policy *policy, const char *file)
{
	struct named_profile *named;

	policy->named = arena_grow(policy->arena, policy->named,
				   policy->named_count, sizeof(*named));
	named = &policy->named[policy->named_count++];
	*named = (struct named_profile){ file, policy->current };
}

bool words_load(struct policy *policy, const char *name, const char **file,
		const char **text)
{
	const struct policy_context *context = policy->context;
	bool named = strchr(name, '/') == NULL;
	int err;

	if (policy->profile_depth == MAX_DEPTH ||
	    policy->profile_count == MAX_PROFILES) {
		refuse(&policy->refusals, REASON_BAD_PROFILE, &policy->current,
		       "profiles name each other without end", NULL);
		return false;
	}
	err = context->load_profile(context->load, name, file, text);
	if (err != 0) {
		refuse(&policy->refusals, REASON_BAD_PROFILE, &policy->current,
		       err == -ENOENT
			       ? "no such profile"
			       : arena_join(policy->arena, "cannot be read: ",
					    fault_errno_name(-err), NULL),
		       err == -ENOENT && named
			       ? text_quote_after(
					 policy->arena,
					 arena_join(policy->arena, "--",
						    policy->current.option, " ",
						    NULL),
					 arena_join(policy->arena, "./", name,
						    NULL))
			       : NULL);
		return false;
	}
	if (named)
		note_named(policy, *file);
	return true;
}

void apply_profile(struct policy *policy, const char *value)
{
	const char *file, *text;

	if (!words_load(policy, value, &file, &text))
		return;
	policy->profile_count++;
	policy->profile_depth++;
	policy_read_profile(policy, file, text);
	policy->profile_depth--;
}
