/*
 * The words that would open what explain finds shut. Nothing is reckoned: each
 * way of saying it differently is planned and walked like the policy itself,
 * and it is offered when that plan is accepted and opens something.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/path.h"
#include "base/text.h"
#include "plan/build.h"
#include "plan/explain.h"

/* One way to say it differently. */
struct way {
	const char *words;
	struct rule rule;	      /* one more, of RULE_KINDS: none */
	const struct origin *without; /* a typed word to leave out, or NULL */
};

/* Two each: an exception, a read, a write and a write of the directory. */
enum { WAYS = 8 };

struct ways {
	struct way items[WAYS];
	size_t count;
};

static void add_way(struct ways *ways, const struct way *way)
{
	ways->items[ways->count++] = *way;
}

/* Can a path be typed as the value of a rule, and mean just this path? */
static bool is_typeable(const char *path)
{
	return !path_has_control(path) && strpbrk(path, "*?[") == NULL &&
	       strstr(path, ":/") == NULL;
}

static bool is_typed(const struct entry *entry)
{
	return entry != NULL && build_is_typed(&entry->origin);
}

static const char *const option_of[] = {
	[RULE_READ] = "read",		[RULE_WRITE] = "write",
	[RULE_DEVICE] = "device",	[RULE_UNMASK] = "unmask",
	[RULE_UNPROTECT] = "unprotect",
};

static const char *words_of(struct build *build, struct rule *rule,
			    const char *value)
{
	rule->origin = (struct origin){ .place = PLACE_CLI,
					.option = option_of[rule->kind],
					.word = value };
	return origin_words(build->arena, &rule->origin);
}

/* An exception; and where that would contradict the word itself, without it. */
static void add_uncovering(struct build *build, struct ways *ways,
			   const struct entry *entry, enum rule_kind kind)
{
	struct way way = { .rule = { .kind = kind, .path = entry->source } };

	way.words = words_of(build, &way.rule, entry->source);
	if (is_typeable(entry->source))
		add_way(ways, &way);
	if (!is_typed(entry))
		return;
	way.rule.kind = RULE_KINDS;
	way.without = &entry->origin;
	way.words = arena_join(build->arena, "leave out ",
			       origin_words(build->arena, way.without), NULL);
	add_way(ways, &way);
}

/* A root of the place; and in place of the one that was typed for it. */
static void add_showing(struct build *build, struct ways *ways,
			enum rule_kind kind, const struct node *node)
{
	const struct entry *entry = explain_entry(build, node->place);
	struct way way = { .rule = { .kind = kind, .path = node->place } };
	const char *value = node->place;

	if (strcmp(node->place, "/") == 0 || !is_typeable(node->place))
		return;
	if (node->error == 0 && node->host != NULL &&
	    strcmp(node->host, node->place) != 0) {
		if (!is_typeable(node->host))
			return;
		way.rule.path = node->host;
		way.rule.dest = node->place;
		value = arena_join(build->arena, node->host, ":", node->place,
				   NULL);
	}
	way.words = words_of(build, &way.rule, value);
	add_way(ways, &way);
	if (!is_typed(entry) || strcmp(entry->dest, node->place) != 0)
		return;
	way.without = &entry->origin;
	way.words = arena_join(build->arena, way.words, " in place of ",
			       origin_words(build->arena, way.without), NULL);
	add_way(ways, &way);
}

static void list_ways(struct build *build, const struct answer *answer,
		      struct ways *ways)
{
	const struct found *found = &answer->found;
	const struct entry *entry = explain_entry(build, found->object.place);
	bool in_dev = path_is_under(answer->place, "/dev");
	int read = answer->tries[ATTEMPT_READ];

	if (entry != NULL && entry->kind == ENTRY_MASK) {
		add_uncovering(build, ways, entry, RULE_UNMASK);
		return;
	}
	if (entry != NULL && entry->kind == ENTRY_PROTECT)
		add_uncovering(build, ways, entry, RULE_UNPROTECT);
	if (read != TRY_OK)
		add_showing(build, ways, in_dev ? RULE_DEVICE : RULE_READ,
			    &found->object);
	add_showing(build, ways, RULE_WRITE, &found->object);
	/* a name that is not there yet, in a directory of the host */
	if (read != TRY_OK && found->dir.error == 0 && found->dir.host != NULL)
		add_showing(build, ways, RULE_WRITE, &found->dir);
}

static bool is_same_word(const struct origin *a, const struct origin *b)
{
	return a->place == b->place && a->line == b->line &&
	       a->file == b->file && a->word == b->word && a->set == b->set;
}

/* The policy's rules, said in this way; false when the word to leave out is no
 * rule. */
static bool change_rules(struct policy *policy, struct arena *scratch,
			 const struct way *way)
{
	struct rule *rules =
		arena_alloc(scratch, (policy->rule_count + 1) * sizeof(*rules));
	size_t count = 0, whole = policy->rule_count;

	for (size_t i = 0; i < whole; i++) {
		const struct rule *rule = &policy->rules[i];

		if (way->without == NULL ||
		    !is_same_word(&rule->origin, way->without))
			rules[count++] = *rule;
	}
	if (way->without != NULL && count == whole)
		return false;
	if (way->rule.kind != RULE_KINDS)
		rules[count++] = way->rule;
	policy->rules = rules;
	policy->rule_count = count;
	return true;
}

/* Nobody opens a whole directory for the sake of a rename. */
static bool is_better(const int before[ATTEMPTS], const int after[ATTEMPTS])
{
	bool opens = false;

	for (size_t i = 0; i < ATTEMPTS; i++) {
		if (before[i] == TRY_OK && after[i] != TRY_OK)
			return false;
		opens |= i != ATTEMPT_RENAME && before[i] > TRY_OK &&
			 after[i] == TRY_OK;
	}
	return opens;
}

/* Facts that the trial wants are the build's to ask for, and the next pass
 * knows. */
static bool is_opening(struct build *build, const struct answer *answer,
		       struct arena *scratch, const struct way *way)
{
	struct policy policy = *build->policy;
	struct refusals refusals = { .arena = scratch };
	struct wants wants = { .arena = scratch };
	struct plan plan = { .status_fd = -1, .cgroup_fd = -1 };
	struct build trial = { .arena = scratch,
			       .policy = &policy,
			       .facts = build->facts,
			       .wants = &wants,
			       .refusals = &refusals,
			       .plan = &plan,
			       .is_trial = true };
	int tries[ATTEMPTS];
	struct found found;

	arena_rewind(scratch);
	policy.subjects = NULL;
	if (!change_rules(&policy, scratch, way))
		return false;
	map_init(&trial.made, scratch);
	map_init(&trial.asked, scratch);
	build_walls(&trial);
	if (wants.count == 0 && refusals.count == 0 &&
	    find_attempts(&trial, answer->path, &found, tries))
		return is_better(answer->tries, tries);
	for (size_t i = 0; i < wants.count; i++)
		(void)build_fact(
			build, arena_strdup(build->arena, wants.items[i].path),
			wants.items[i].flags);
	return false;
}

const char *explain_mend(struct build *build, const struct answer *answer,
			 struct arena *scratch)
{
	struct ways ways = { .count = 0 };

	list_ways(build, answer, &ways);
	for (size_t i = 0; i < ways.count; i++) {
		if (is_opening(build, answer, scratch, &ways.items[i]))
			return ways.items[i].words;
	}
	return NULL;
}
