/*
 * Reading a case and planning it, as the verbs `run` and `show` would.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/io.h"
#include "base/number.h"
#include "base/path.h"
#include "base/report.h"
#include "plan/make.h"
#include "plan/plan.h"
#include "policy/options.h"
#include "policy/policy.h"
#include "tests/golden/asked.h"
#include "tests/golden/canned.h"

static char *const plain_environ[] = {
	(char *)(uintptr_t) "HOME=/home/u",
	(char *)(uintptr_t) "PATH=/usr/local/bin:/usr/bin:/bin",
	(char *)(uintptr_t) "USER=u",
	NULL,
};

enum section { HEAD, WORDS, FACTS, ENVIRON, TEXT, EXPECT };

static struct text *add_text(struct asked *asked, const char *name)
{
	struct asked_text *text;

	asked->texts = arena_grow(asked->arena, asked->texts, asked->text_count,
				  sizeof(*asked->texts));
	text = &asked->texts[asked->text_count++];
	text->name = name;
	text_init(&text->text, asked->arena);
	return &text->text;
}

static enum section section_of(struct asked *asked, const char *line)
{
	static const char *const names[] = { "", "# words", "# facts",
					     "# environment" };

	for (unsigned i = WORDS; i <= ENVIRON; i++) {
		if (strcmp(line, names[i]) == 0)
			return (enum section)i;
	}
	if (strcmp(line, "# expect") == 0)
		return EXPECT;
	if (strncmp(line, "# profile ", 10) == 0)
		line += 10;
	else if (strncmp(line, "# args ", 7) == 0)
		line += 7;
	else
		return HEAD;
	(void)add_text(asked, line);
	return TEXT;
}

static void add_variable(struct asked *asked, size_t count, char *line)
{
	asked->environ = arena_grow_from(asked->arena, asked->environ, count,
					 sizeof(*asked->environ), 64);
	asked->environ[count] = line;
	asked->environ[count + 1] = NULL;
}

static void take_line(struct asked *asked, enum section section,
		      const char *line)
{
	struct text *text = section == TEXT
				    ? &asked->texts[asked->text_count - 1].text
				    : &asked->facts;
	size_t variables = 0;

	if (section == HEAD || (*line == '\0' && section != TEXT))
		return;
	if (section == FACTS || section == TEXT) {
		text_add(text, line);
		text_add_char(text, '\n');
	} else if (section == ENVIRON) {
		while (asked->environ != NULL &&
		       asked->environ[variables] != NULL)
			variables++;
		add_variable(asked, variables, (char *)(uintptr_t)line);
	} else {
		asked->lines = arena_grow(asked->arena, asked->lines,
					  asked->line_count,
					  sizeof(*asked->lines));
		asked->lines[asked->line_count++] = line;
	}
}

void asked_read(struct asked *asked, struct arena *arena, const char *base,
		const char *text)
{
	enum section section = HEAD;
	const char *at = text;

	*asked = (struct asked){ .arena = arena, .head = text, .expect = "" };
	text_init(&asked->facts, arena);
	text_add(&asked->facts, base);
	while (*at != '\0') {
		size_t length = strcspn(at, "\n");
		const char *line = arena_strndup(arena, at, length);
		enum section next = section_of(asked, line);

		at += length;
		at += *at == '\n';
		if (next == EXPECT) {
			asked->expect = at;
			break;
		}
		if (next != HEAD)
			section = next;
		else
			take_line(asked, section, line);
	}
	asked->head_length = (size_t)(at - text);
	if (asked->line_count == 0)
		asked->problem = "no words";
}

static const struct text *find_text(const struct asked *asked, const char *name)
{
	for (size_t i = 0; i < asked->text_count; i++) {
		if (strcmp(asked->texts[i].name, name) == 0)
			return &asked->texts[i].text;
	}
	return NULL;
}

static int load_profile(void *load, const char *name, const char **file,
			const char **text)
{
	const struct asked *asked = load;
	const struct text *found = find_text(asked, name);

	*file = strchr(name, '/') != NULL
			? name
			: path_join(asked->arena, "/home/u/.config/cordon",
				    name);
	if (found == NULL)
		return strcmp(name, "./forbidden") == 0 ? -EACCES : -ENOENT;
	*text = found->bytes;
	return 0;
}

/* Words as a shell splits them, each with its NUL. */
static int load_fd(void *load, int fd, const char **bytes, size_t *length)
{
	const struct asked *asked = load;
	char name[NUMBER_ROOM];
	const struct text *found;
	struct text words;

	(void)number_write(name, (uint64_t)fd, 10);
	found = find_text(asked, name);
	if (found == NULL)
		return -EBADF;
	text_init(&words, asked->arena);
	for (const char *at = found->bytes; *at != '\0';) {
		size_t line = strcspn(at, "\n");

		for (char **word = canned_words(asked->arena, at, line);
		     *word != NULL; word++)
			text_add_bytes(&words, *word, strlen(*word) + 1);
		at += line + 1;
	}
	*bytes = words.bytes;
	*length = words.length;
	return 0;
}

static const char *home_of(struct arena *arena, const struct policy *policy)
{
	const char *home = policy_getenv(policy, "HOME");

	if (home == NULL || *home != '/' || path_has_dotdot(home) ||
	    path_has_control(home))
		return NULL;
	return path_absolute(arena, NULL, home);
}

/* The very lines that a user would see: the one voice speaks into a file. */
static void say_refusals(const struct policy *policy, struct text *out)
{
	const struct refusals *refusals = &policy->refusals;
	struct arena *arena = policy->arena;
	int file = memfd_create("stderr", MFD_CLOEXEC);
	int stderr_fd = dup(STDERR_FILENO);
	char *bytes;
	size_t length;

	(void)dup2(file, STDERR_FILENO);
	for (size_t i = 0; i < refusals->count; i++) {
		const struct refusal *refusal = &refusals->items[i];

		report_refused(arena_join(arena,
					  origin_words(arena, &refusal->origin),
					  ": ", refusal->text, NULL),
			       reason_name(refusal->reason), refusal->mend);
	}
	(void)dup2(stderr_fd, STDERR_FILENO);
	(void)close(stderr_fd);
	if (lseek(file, 0, SEEK_SET) == 0 &&
	    io_read_all(arena, file, 1 << 20, &bytes, &length) == 0)
		text_add_bytes(out, bytes, length);
	(void)close(file);
	text_printf(out, "exit %d\n", refusals_exitcode(refusals));
}

const char *asked_say(const struct outcome *outcome)
{
	const struct policy *policy = &outcome->policy;
	struct text out;

	if (outcome->problem != NULL)
		return outcome->problem;
	text_init(&out, policy->arena);
	if (outcome->is_bwrap)
		asked_say_bwrap(outcome, &out);
	else if (policy->refusals.count != 0)
		say_refusals(policy, &out);
	else if (policy->json)
		plan_print_json(policy, &outcome->plan, &out);
	else if (policy->ops)
		plan_print_ops(&outcome->plan, &out);
	else
		plan_print_page(policy, &outcome->plan, &out);
	return out.bytes;
}

static void make_plan(const struct canned *canned, struct outcome *outcome)
{
	struct policy *policy = &outcome->policy;
	size_t spoken = policy->refusals.count;
	struct wants wants;

	canned_facts(canned, policy, policy->arena, &outcome->facts);
	do {
		wants = (struct wants){ .arena = policy->arena };
		policy->refusals.count = spoken;
		plan_make(policy, &outcome->facts, &wants, &policy->refusals,
			  &outcome->plan);
		canned_answer(canned, policy->arena, &outcome->facts, &wants);
	} while (wants.count != 0 && ++outcome->rounds < MOST_ROUNDS);
}

static void begin(const struct asked *asked, char **words,
		  const struct canned *canned, struct outcome *outcome)
{
	struct policy *policy = &outcome->policy;

	outcome->context = (struct policy_context){
		.environ = asked->environ != NULL ? asked->environ
						  : plain_environ,
		.cwd = canned->cwd,
		.words = words + 1,
		.load_profile = load_profile,
		.load_fd = load_fd,
		.load = (void *)(uintptr_t)asked,
	};
	policy_init(policy, asked->arena, &outcome->context);
	outcome->context.home = home_of(asked->arena, policy);
}

static void read_policy(char **words, struct outcome *outcome)
{
	struct origin origin = { .place = PLACE_CLI, .word = "--" };
	struct policy *policy = &outcome->policy;

	policy->use = USE_RUN;
	if (strcmp(words[0], "show") == 0)
		policy->use = USE_SHOW;
	if (strcmp(words[0], "explain") == 0)
		policy->use = USE_EXPLAIN;
	policy_read_cli(policy, words + 1);
	policy_finish(policy);
	if (policy->command == NULL && strcmp(words[0], "run") == 0)
		refuse(&policy->refusals, REASON_NO_COMMAND, &origin,
		       "there is no command", "cordon -- sh");
}

const struct outcome *asked_plan(const struct asked *asked, char **words)
{
	struct outcome *outcome = arena_alloc(asked->arena, sizeof(*outcome));
	struct canned canned;

	canned_init(&canned, asked->arena);
	canned_read(&canned, asked->facts.bytes);
	if (canned.problem != NULL) {
		outcome->problem = arena_join(
			asked->arena, "facts: ", canned.problem, "\n", NULL);
		return outcome;
	}
	begin(asked, words, &canned, outcome);
	if (strcmp(words[0], "bwrap") == 0) {
		asked_bwrap(asked, words + 1, &canned, outcome);
		return outcome;
	}
	read_policy(words, outcome);
	make_plan(&canned, outcome);
	return outcome;
}
