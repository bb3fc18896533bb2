/*
 * Answers what `cordon explain` is asked, from the entries and operations of
 * the finished plan: the rule that decides, and what each attempt would give.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/path.h"
#include "base/text.h"
#include "plan/build.h"
#include "plan/explain.h"

static const char *kind_name(enum entry_kind kind)
{
	switch (kind) {
	case ENTRY_MASK:
		return "masked";
	case ENTRY_TMPFS:
		return "private, empty";
	case ENTRY_READ:
		return "read root";
	case ENTRY_PROTECT:
		return "protected, read-only";
	case ENTRY_OVERLAY:
		return "overlay";
	case ENTRY_WRITE:
		return "write root";
	case ENTRY_DEVICE:
		return "device";
	case ENTRY_PROC:
		return "the sandbox's own /proc";
	case ENTRY_DEV:
		return "the sandbox's own /dev";
	case ENTRY_CGROUPS:
		return "the limit's own cgroup, read-only";
	case ENTRY_PIN:
		return "pinned";
	}
	return NULL;
}

static void add_loser(struct build *build, struct answer *answer,
		      const struct origin *origin, const char *why)
{
	struct loser *loser = arena_alloc(build->arena, sizeof(*loser));

	*loser = (struct loser){ *origin, why, NULL };
	loser->next = answer->losers;
	answer->losers = loser;
}

static void add_losers(struct build *build, struct answer *answer,
		       const struct entry *entry)
{
	for (const struct loser *at = entry->losers; at != NULL; at = at->next)
		add_loser(build, answer, &at->origin, at->why);
	for (entry = entry->parent; entry != NULL; entry = entry->parent) {
		if (entry->kind == ENTRY_PIN)
			continue;
		add_loser(build, answer, &entry->origin, "less specific");
		for (const struct loser *at = entry->losers; at != NULL;
		     at = at->next)
			add_loser(build, answer, &at->origin, at->why);
	}
}

void build_pass(struct build *build, const struct passed *passed)
{
	if (build->policy->subjects == NULL)
		return;
	build->passed = arena_grow(build->arena, build->passed,
				   build->passed_count, sizeof(*passed));
	build->passed[build->passed_count++] = *passed;
}

const struct entry *explain_entry(const struct build *build, const char *place)
{
	const struct entry *entry = build_covering(build, place);

	while (entry != NULL && entry->kind == ENTRY_PIN)
		entry = entry->parent;
	return entry;
}

static bool is_about(const struct passed *passed, const struct node *node)
{
	return path_is_under(node->place, passed->path) ||
	       (node->host != NULL && path_is_under(node->host, passed->path));
}

/* An exception said of less than the entry shows decides in its stead. */
static bool is_closer(const struct passed *passed, const struct entry *entry)
{
	return passed->by != NULL && entry->source != NULL &&
	       path_is_under(passed->path, entry->source) &&
	       strcmp(passed->path, entry->source) != 0;
}

static void add_passed(struct build *build, struct answer *answer,
		       const struct entry *entry)
{
	bool decided = false;

	for (size_t i = 0; i < build->passed_count; i++) {
		const struct passed *passed = &build->passed[i];

		if (!is_about(passed, &answer->found.object))
			continue;
		if (!decided && entry != NULL && is_closer(passed, entry)) {
			add_loser(build, answer, &entry->origin,
				  "less specific");
			answer->origin = *passed->by;
			decided = true;
		}
		add_loser(build, answer, &passed->loser.origin,
			  passed->by == NULL
				  ? passed->loser.why
				  : arena_join(build->arena, "taken away by ",
					       origin_words(build->arena,
							    passed->by),
					       NULL));
	}
}

/* The rule behind the place, as the plan's entries say. */
static void find_rule(struct build *build, struct answer *answer)
{
	const struct node *node = &answer->found.object;
	const struct entry *entry = explain_entry(build, node->place);

	answer->kind = node->error == 0 ? "a directory of the sandbox's own"
					: "absent: no rule shows it";
	if (entry != NULL) {
		answer->kind = kind_name(entry->kind);
		answer->origin = entry->origin;
		answer->ruled = true;
		add_losers(build, answer, entry);
	}
	add_passed(build, answer, entry);
}

static const char *base_of(struct build *build)
{
	if (build->policy->cwd.word != NULL && build->cwd != NULL)
		return build->cwd;
	return build->policy->context->cwd;
}

/* A slash at the end stays: it says that it is a directory. */
static const char *full_path(struct build *build, const char *asked)
{
	const char *path = path_absolute(build->arena, base_of(build), asked);
	size_t length = strlen(asked);

	if (length < 2 || asked[length - 1] != '/')
		return path;
	return arena_join(build->arena, path, "/", NULL);
}

static void explain_path(struct build *build, struct answer *answer)
{
	const struct node *object = &answer->found.object;

	if (*answer->asked != '/' && base_of(build) == NULL) {
		answer->note = "the current directory has no name";
		return;
	}
	answer->path = full_path(build, answer->asked);
	if (!find_attempts(build, answer->path, &answer->found, answer->tries))
		return;
	answer->place = object->place;
	answer->object = object->error == 0 ? object->host : NULL;
	find_rule(build, answer);
}

/* Why no words open it, where that is known. */
static const char *find_note(struct build *build, const struct answer *answer)
{
	const struct entry *entry = explain_entry(build, answer->place);
	const int *tries = answer->tries;
	const struct path_fact *fact;

	if (entry != NULL && entry->kind == ENTRY_MASK)
		return NULL;
	if (tries[ATTEMPT_READ] == EACCES || tries[ATTEMPT_WRITE] == EACCES)
		return "EACCES is by its own mode, or that of a directory on "
		       "the way";
	if (tries[ATTEMPT_READ] != ENOENT)
		return NULL;
	fact = build_fact(build, answer->place, 0);
	return fact != NULL && build_is_gone(fact->error)
		       ? "there is none outside either"
		       : NULL;
}

/* When all is known that the answers themselves want. */
static void mend_paths(struct build *build, struct answer *answers,
		       size_t count)
{
	struct arena scratch = { 0 };

	for (size_t i = 0; i < count; i++) {
		if (answers[i].path == NULL)
			continue;
		answers[i].mend = explain_mend(build, &answers[i], &scratch);
		answers[i].note = find_note(build, &answers[i]);
	}
	arena_done(&scratch);
}

/* Does it end like an address: a colon and digits? A path that does is asked
 * for by ./ or in full. */
static bool is_address(const char *word)
{
	const char *port = strrchr(word, ':');

	return *word != '/' && *word != '.' && port != NULL && port != word &&
	       port[1] != '\0' &&
	       port[1 + strspn(port + 1, "0123456789")] == '\0';
}

static bool is_loopback(const char *word)
{
	return strncmp(word, "127.", 4) == 0 ||
	       strncmp(word, "[::1]:", 6) == 0 ||
	       strncmp(word, "::1:", 4) == 0 ||
	       strncmp(word, "localhost:", 10) == 0;
}

static bool is_numeric(const char *word)
{
	return *word == '[' || word[strspn(word, "0123456789.:")] == '\0';
}

/* The words that check_net and --within accept. */
static const char *net_mend(const struct build *build)
{
	const struct policy *policy = build->policy;
	bool closes = build->facts->landlock >= SCOPES_ABI ||
		      policy->allow_abstract;

	for (size_t i = 0; i < policy->outer_count; i++) {
		const struct policy *outer = policy->outers[i].policy;

		if (outer->net != NET_HOST ||
		    (!closes && !outer->allow_abstract))
			return NULL;
	}
	return closes ? "--net host" : "--net host --allow-abstract";
}

static void explain_address(struct build *build, struct answer *answer)
{
	bool host = build->policy->net == NET_HOST;

	answer->address = true;
	answer->origin = build->policy->net_origin;
	answer->ruled = answer->origin.option != NULL;
	answer->kind = host ? "the host's network" : "no network";
	answer->tries[ATTEMPT_CONNECT] = host ? TRY_DEPENDS : ENETUNREACH;
	answer->mend = host ? NULL : net_mend(build);
	if (host) {
		answer->note = "as outside";
	} else if (is_loopback(answer->asked)) {
		answer->kind = "the sandbox's own loopback";
		answer->tries[ATTEMPT_CONNECT] = TRY_DEPENDS;
		answer->note = "works when a program inside listens, else "
			       "ECONNREFUSED; never the host's";
	} else if (!is_numeric(answer->asked)) {
		answer->note = "the name is not found, as nobody can be asked";
	}
}

void build_explain(struct build *build)
{
	char **words = build->policy->subjects;
	struct answer *answers;
	size_t count = 0;

	if (words == NULL || build->wants->count != 0)
		return;
	while (words[count] != NULL)
		count++;
	answers = arena_alloc(build->arena, (count + 1) * sizeof(*answers));
	for (size_t i = 0; i < count; i++) {
		answers[i].asked = words[i];
		for (size_t j = 0; j < ATTEMPTS; j++)
			answers[i].tries[j] = TRY_NONE;
		if (is_address(words[i]))
			explain_address(build, &answers[i]);
		else
			explain_path(build, &answers[i]);
	}
	if (build->wants->count == 0 && build->refusals->count == 0)
		mend_paths(build, answers, count);
	build->plan->answers = answers;
	build->plan->answer_count = count;
}
