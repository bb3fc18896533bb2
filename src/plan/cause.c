/*
 * What is known of why a command may have failed: a fact about a path that its
 * words name, read off the plan as explain reads it. That the command stumbled
 * over it is for the reader to say.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/exitcode.h"
#include "base/path.h"
#include "base/program.h"
#include "base/text.h"
#include "plan/build.h"
#include "plan/explain.h"
#include "plan/make.h"

enum {
	WORDS = 64,  /* more are not looked at */
	SCRIPTS = 5, /* BINPRM_BUF's depth: the kernel follows no more */
};

/* One path that the command names. */
struct named {
	const char *word; /* as it was typed */
	struct answer answer;
	const struct entry *entry; /* decides about it, or NULL */
};

static const char *fact_of(struct build *build, const struct named *named,
			   const char *text)
{
	struct text line;

	text_init(&line, build->arena);
	text_add_quoted(&line, named->word);
	text_add(&line, ", which the command names, ");
	text_add(&line, text);
	return line.bytes;
}

/* "--read /usr (command line)" */
static const char *said(struct build *build, const struct entry *entry)
{
	const struct origin *origin = &entry->origin;
	const char *words = origin_words(build->arena, origin);

	if (origin->place != PLACE_CLI)
		return words; /* they say where */
	return arena_join(build->arena, words, " (",
			  origin_said(build->arena, origin), ")", NULL);
}

static const char *tell_masked(struct build *build, const struct named *named)
{
	if (named->entry == NULL || named->entry->kind != ENTRY_MASK)
		return NULL;
	return fact_of(build, named,
		       arena_join(build->arena, "is masked: ",
				  said(build, named->entry), NULL));
}

static const char *show_words(struct build *build, const struct answer *answer)
{
	struct arena scratch = { 0 };
	const char *words = explain_mend(build, answer, &scratch);

	arena_done(&scratch);
	return words;
}

/* Outside it is there, and no rule shows it. */
static const char *tell_absent(struct build *build, const struct named *named)
{
	const struct node *object = &named->answer.found.object;
	const struct path_fact *fact;
	const char *words, *where = "", *dest = "";

	if (object->error != ENOENT || object->host != NULL)
		return NULL;
	fact = build_fact(build, object->place, 0);
	if (fact == NULL || fact->error != 0)
		return NULL;
	if (named->entry != NULL && named->entry->kind == ENTRY_TMPFS) {
		where = ", where a private place is at ";
		dest = named->entry->dest;
	}
	words = show_words(build, &named->answer);
	return fact_of(build, named,
		       arena_join(build->arena, "is not shown in the sandbox",
				  where, dest, words != NULL ? "; " : "",
				  words != NULL ? words : "", NULL));
}

/* Could the caller write to it outside, and only the mount forbids it here? */
static bool is_kept(struct build *build, const struct node *node)
{
	const struct path_fact *fact;

	if (node->error != 0 || node->opaque || !node->read_only ||
	    node->host == NULL || (node->access & W_OK) == 0 ||
	    (!S_ISREG(node->mode) && !S_ISDIR(node->mode)))
		return false;
	fact = build_fact(build, node->host, WANT_WRITABLE);
	return fact != NULL && fact->error == 0 && !fact->read_only_mount;
}

/* The object; or, of a name with a slash that is not there, its directory. A
 * name without one need not be meant as a path. */
static const char *tell_read_only(struct build *build,
				  const struct named *named)
{
	const struct found *found = &named->answer.found;
	const struct entry *entry = named->entry;
	const char *what = "is read-only here: ";

	if (found->object.error == ENOENT && strchr(named->word, '/') != NULL) {
		if (!is_kept(build, &found->dir))
			return NULL;
		entry = explain_entry(build, found->dir.place);
		what = "is a name in a directory that is read-only here: ";
	} else if (!is_kept(build, &found->object)) {
		return NULL;
	}
	/* to root all of the system is such a file, and most are only read */
	if (entry == NULL ||
	    (S_ISREG(found->object.mode) && !build_is_typed(&entry->origin)))
		return NULL;
	return fact_of(
		build, named,
		arena_join(build->arena, what, said(build, entry), NULL));
}

/* The next program that the kernel starts for this one, or NULL. */
static const char *next_program(struct build *build, const struct node *node)
{
	const struct path_fact *fact;
	const char *next;

	if (node->error != 0 || node->host == NULL || !S_ISREG(node->mode) ||
	    (node->access & X_OK) == 0)
		return NULL;
	fact = build_fact(build, node->host, WANT_HEAD);
	if (fact == NULL || fact->head == NULL)
		return NULL;
	next = program_interpreter(build->arena, fact->head, fact->head_length);
	return next == NULL ? NULL
			    : path_absolute(build->arena, build->cwd, next);
}

/* Of a program that is there the kernel says ENOENT, too, when what is to start
 * it is not. */
static const char *tell_interpreter(struct build *build,
				    const struct named *named)
{
	struct answer answer = named->answer;
	const char *words, *path;

	for (int depth = 0; depth < SCRIPTS; depth++) {
		path = next_program(build, &answer.found.object);
		if (path == NULL)
			return NULL;
		answer.path = path;
		if (!find_attempts(build, path, &answer.found, answer.tries))
			return NULL;
		if (answer.found.object.error == ENOENT)
			break;
	}
	if (answer.found.object.error != ENOENT)
		return NULL;
	answer.place = answer.found.object.place;
	words = show_words(build, &answer);
	return fact_of(build, named,
		       arena_join(build->arena, "is started by ", path,
				  ", which is not in the sandbox",
				  words != NULL ? "; " : "",
				  words != NULL ? words : "", NULL));
}

/* From what is closest to an answer to what is furthest. */
static const struct {
	const char *(*tell)(struct build *, const struct named *);
	int status;	 /* 0: whatever it is */
	bool of_program; /* of the command's first word, too: it was found */
	bool is_last; /* of more than one: what is written stands at the end */
} tellings[] = {
	{ tell_interpreter, EXIT_NOT_FOUND, true, false },
	{ tell_masked, 0, false, false },
	{ tell_absent, 0, false, false },
	{ tell_read_only, 0, false, true },
};

enum { FACTS = sizeof(tellings) / sizeof(*tellings) };

struct causes {
	struct build *build;
	int status;
	bool is_program; /* the word that is looked at */
	const char *texts[FACTS];
};

static bool is_asked(const struct causes *causes, size_t i)
{
	return (tellings[i].status == 0 ||
		tellings[i].status == causes->status) &&
	       (tellings[i].of_program || !causes->is_program);
}

static void look_at(struct causes *causes, const char *word)
{
	struct build *build = causes->build;
	struct named named = { .word = word };
	struct answer *answer = &named.answer;

	if (*word == '\0' || strlen(word) >= PATH_MAX || build->cwd == NULL)
		return;
	answer->path = path_absolute(build->arena, build->cwd, word);
	if (!find_attempts(build, answer->path, &answer->found, answer->tries))
		return;
	answer->place = answer->found.object.place;
	named.entry = explain_entry(build, answer->place);
	for (size_t i = 0; i < FACTS; i++) {
		const char *text = NULL;

		if (is_asked(causes, i))
			text = tellings[i].tell(build, &named);
		if (text != NULL &&
		    (tellings[i].is_last || causes->texts[i] == NULL))
			causes->texts[i] = text;
	}
}

/* PATH, --opt=PATH, if=PATH. */
static void look_at_word(struct causes *causes, const char *word)
{
	const char *value = strchr(word, '=');

	if (*word != '-')
		look_at(causes, word);
	if (value != NULL)
		look_at(causes, value + 1);
}

const char *plan_cause(const struct policy *policy, const struct facts *facts,
		       struct wants *wants, int status)
{
	struct refusals refusals = { .arena = wants->arena };
	struct plan plan = { .status_fd = -1, .cgroup_fd = -1 };
	struct build build = { .arena = wants->arena,
			       .policy = policy,
			       .facts = facts,
			       .wants = wants,
			       .refusals = &refusals,
			       .plan = &plan };
	struct causes causes = { .build = &build, .status = status };
	char **argv = policy->command;

	map_init(&build.made, build.arena);
	map_init(&build.asked, build.arena);
	build_walls(&build);
	build_cwd(&build);
	for (size_t i = 0; i < WORDS && argv[i] != NULL; i++) {
		causes.is_program = i == 0;
		if (i > 0 || strchr(argv[i], '/') != NULL)
			look_at_word(&causes, argv[i]);
	}
	for (size_t i = 0; i < FACTS && wants->count == 0; i++) {
		if (causes.texts[i] != NULL)
			return causes.texts[i];
	}
	return NULL;
}
