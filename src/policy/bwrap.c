/*
 * Reads bubblewrap's words through the table of bwrap_options.c. Messages are
 * the original's, to the letter: tools look for them.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "policy/bwrap_read.h"

enum { WORDS_MAX = 9000 };

static void say(struct bwrap_reading *reading, int level, const char *text)
{
	struct bwrap *bwrap = reading->bwrap;

	bwrap->messages = arena_grow(bwrap->arena, bwrap->messages,
				     bwrap->message_count,
				     sizeof(*bwrap->messages));
	bwrap->messages[bwrap->message_count++] =
		(struct bwrap_message){ level, bwrap->level_prefix, text };
}

void bwrap_answer(struct bwrap_reading *reading, enum bwrap_answer answer)
{
	if (reading->is_ended)
		return;
	reading->answer = answer;
	reading->is_ended = true;
}

void bwrap_fail(struct bwrap_reading *reading, const char *text)
{
	if (reading->is_ended)
		return;
	say(reading, BWRAP_ERROR, text);
	bwrap_answer(reading, BWRAP_FAULT);
}

void bwrap_failf(struct bwrap_reading *reading, const char *format, ...)
{
	char line[512];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	bwrap_fail(reading, arena_strdup(reading->bwrap->arena, line));
}

static size_t find_env(const struct bwrap *bwrap, const char *name)
{
	size_t length = strlen(name), i = 0;

	while (i < bwrap->env_count &&
	       (strncmp(bwrap->env[i], name, length) != 0 ||
		bwrap->env[i][length] != '='))
		i++;
	return i;
}

static void add_env(struct bwrap *bwrap, char *entry)
{
	bwrap->env = arena_grow(bwrap->arena, bwrap->env, bwrap->env_count,
				sizeof(*bwrap->env));
	bwrap->env[bwrap->env_count++] = entry;
}

void bwrap_set_env(struct bwrap *bwrap, const char *name, const char *value)
{
	char *entry = arena_join(bwrap->arena, name, "=", value, NULL);
	size_t i = find_env(bwrap, name);

	if (i < bwrap->env_count)
		bwrap->env[i] = entry;
	else
		add_env(bwrap, entry);
}

void bwrap_unset_env(struct bwrap *bwrap, const char *name)
{
	size_t i;

	while ((i = find_env(bwrap, name)) < bwrap->env_count)
		memmove(bwrap->env + i, bwrap->env + i + 1,
			(--bwrap->env_count - i) * sizeof(*bwrap->env));
}

static const struct bwrap_option *find_option(const char *word)
{
	if (strncmp(word, "--", 2) != 0)
		return NULL;
	for (size_t i = 0; i < bwrap_option_count; i++) {
		if (strcmp(bwrap_options[i].name, word + 2) == 0)
			return &bwrap_options[i];
	}
	return NULL;
}

static void too_few(struct bwrap_reading *reading,
		    const struct bwrap_option *option)
{
	static const char *const counts[] = { "an argument", "two arguments",
					      "three arguments" };
	const char *count = counts[option->words - 1];

	if (option->flags & SAYS_ONE)
		count = "one argument";
	bwrap_failf(reading, "--%s takes %s",
		    option->alias == NULL ? option->name : option->alias,
		    count);
}

/* A modifier is for the next option, and for no other. */
static void check_modifiers(struct bwrap_reading *reading,
			    const struct bwrap_option *option)
{
	if (option->flags & IS_MODIFIER)
		return;
	if (reading->mode >= 0 && !(option->flags & TAKES_MODE))
		bwrap_fail(reading, "--perms must be followed by an option "
				    "that creates a file");
	if (reading->size != 0 && !(option->flags & TAKES_SIZE))
		bwrap_fail(reading, "--size must be followed by --tmpfs");
	if (reading->layer_count != 0 && !(option->flags & TAKES_LAYERS))
		bwrap_fail(reading,
			   "--overlay-src must be followed by another "
			   "--overlay-src or one of --overlay, --tmp-overlay, "
			   "or --ro-overlay");
}

static void check_values(struct bwrap_reading *reading,
			 const struct bwrap_option *option, char **values)
{
	bool *given = &reading->given[option - bwrap_options];

	for (unsigned i = 0; i < option->words; i++) {
		bool is_path = option->flags & NO_EMPTY ||
			       (option->flags & LAST_PATH &&
				i + 1 == option->words);

		if (is_path && *values[i] == '\0')
			bwrap_failf(reading,
				    "--%s does not take an empty path argument",
				    option->name);
	}
	if (reading->is_ended || !(option->flags & ONCE))
		return;
	if (*given)
		say(reading, BWRAP_WARNING,
		    arena_join(reading->bwrap->arena, "Only the last --",
			       option->name, " option will take effect", NULL));
	*given = true;
}

static void read_option(struct bwrap_reading *reading,
			const struct bwrap_option *option, char **values)
{
	check_modifiers(reading, option);
	check_values(reading, option, values);
	if (reading->is_ended)
		return;
	option->read(reading, option, values);
	if (option->flags & IS_MODIFIER)
		return;
	reading->mode = -1;
	reading->size = 0;
	reading->layers = NULL;
	reading->layer_count = 0;
}

/* Its own tests' hidden switch: where there is one way only, none is forced. */
static bool read_debug(struct bwrap_reading *reading, const char *word)
{
	static const char name[] = "--debug-opt=";
	static const char *const forced[] = { "force-openat-fallback",
					      "force-mount-setattr-fallback",
					      "force-mount-fallback" };
	const char *value = word + sizeof(name) - 1;

	if (strncmp(word, name, sizeof(name) - 1) != 0)
		return false;
	for (size_t i = 0; i < sizeof(forced) / sizeof(*forced); i++) {
		if (strcmp(value, forced[i]) == 0)
			return true;
	}
	if (strcmp(value, "print-assumed-kernel") == 0)
		bwrap_answer(reading, BWRAP_SAY_KERNEL);
	bwrap_failf(reading, "Unknown --debug-opt value: %s", value);
	return true;
}

size_t bwrap_read_words(struct bwrap_reading *reading, char **words,
			size_t count)
{
	size_t at = 0;

	reading->words += count;
	if (reading->words > WORDS_MAX)
		bwrap_failf(reading, "Exceeded maximum number of arguments %d",
			    WORDS_MAX);
	while (!reading->is_ended && at < count && words[at][0] == '-') {
		const struct bwrap_option *option = find_option(words[at]);

		if (strcmp(words[at], "--") == 0)
			return at + 1;
		if (option == NULL && !read_debug(reading, words[at]))
			bwrap_failf(reading, "Unknown option %s", words[at]);
		else if (option != NULL && count - at - 1 < option->words)
			too_few(reading, option);
		else if (option != NULL)
			read_option(reading, option, words + at + 1);
		at += option == NULL ? 1 : 1 + option->words;
	}
	return at;
}

static void prepare(struct bwrap *bwrap, struct arena *arena,
		    const struct bwrap_context *context)
{
	*bwrap = (struct bwrap){
		.arena = arena,
		.context = context,
		.userns = -1,
		.userns2 = -1,
		.pidns = -1,
		.sync_fd = -1,
		.block_fd = -1,
		.userns_block_fd = -1,
		.info_fd = -1,
		.json_status_fd = -1,
		.seccomp_fd = -1,
		.uid = -1,
		.gid = -1,
	};
	for (char *const *entry = context->environ; *entry != NULL; entry++)
		add_env(bwrap, *entry);
}

enum bwrap_answer bwrap_read(struct bwrap *bwrap, struct arena *arena,
			     const struct bwrap_context *context, char **words)
{
	struct bwrap_reading reading = { .bwrap = bwrap, .mode = -1 };
	size_t count = 0, used;

	prepare(bwrap, arena, context);
	while (words[count] != NULL)
		count++;
	used = bwrap_read_words(&reading, words, count);
	bwrap->command = words + used;
	if (!reading.is_ended && used == count)
		bwrap_answer(&reading, BWRAP_USAGE);
	bwrap_check(&reading);
	if (reading.answer == BWRAP_RUN)
		add_env(bwrap, NULL);
	return reading.answer;
}

bool bwrap_usage(size_t i, struct bwrap_usage *usage)
{
	if (i >= bwrap_option_count)
		return false;
	*usage = (struct bwrap_usage){ bwrap_options[i].name,
				       bwrap_options[i].values,
				       bwrap_options[i].help };
	return true;
}

/* musl has other words for some; and words are what tools know. */
const char *bwrap_reason(int error)
{
	static const struct {
		int error;
		const char *text;
	} differing[] = {
		{ EIO, "Input/output error" },
		{ ENOMEM, "Cannot allocate memory" },
		{ EBUSY, "Device or resource busy" },
		{ EXDEV, "Invalid cross-device link" },
		{ EMFILE, "Too many open files" },
		{ ENOTTY, "Inappropriate ioctl for device" },
		{ ENAMETOOLONG, "File name too long" },
		{ ELOOP, "Too many levels of symbolic links" },
		{ EOVERFLOW, "Value too large for defined data type" },
		{ EUSERS, "Too many users" },
	};

	for (size_t i = 0; i < sizeof(differing) / sizeof(*differing); i++) {
		if (differing[i].error == error)
			return differing[i].text;
	}
	return strerror(error);
}
