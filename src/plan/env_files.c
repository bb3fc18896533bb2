/*
 * The set @env-files: names at the top of each write root. It is for profiles,
 * so whatever an earlier run has left there must not make this one refuse, nor
 * hide anything but itself: a link counts where it stays in the root, and a
 * directory (Python's habit of calling an environment .env) not at all. But a
 * run must not uncover one either: what cannot be looked at is covered all the
 * same, and a directory that cannot be listed is a refusal.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/path.h"
#include "base/text.h"
#include "plan/build.h"
#include "policy/sets.h"

/* A name space holds 100,000 mounts (fs.mount-max). Decoys must not push the
 * real ones out, so beyond that it is a refusal after all. */
enum { MAX_FOUND = 20000 };

static bool is_meant(const struct set *set, const char *name)
{
	bool meant = false;

	for (const char *const *at = set->members; *at != NULL; at++) {
		bool takes_back = **at == '!';

		if (set_matches(*at + takes_back, name))
			meant = !takes_back;
	}
	return meant;
}

static bool is_file_of(struct build *build, const char *path, const char *root)
{
	const struct path_fact *fact = build_fact(build, path, 0);

	if (fact == NULL)
		return false;
	/* gone, or a link to nowhere: no file. Else the rule says what to do */
	if (fact->error != 0)
		return !build_is_gone(fact->error);
	return !S_ISDIR(fact->mode) && path_is_under(fact->real, root);
}

static void add_found(struct build *build, const struct set *set,
		      const char *path)
{
	struct rule *rule;

	build->found = arena_grow(build->arena, build->found,
				  build->found_count, sizeof(*build->found));
	rule = &build->found[build->found_count++];
	*rule = (struct rule){
		.kind = RULE_MASK,
		.optional = true,
		.path = path,
		.origin = build->policy->env_files.origin,
	};
	rule->origin.set = set->name;
	rule->origin.word = path;
}

/* The map has no order, a plan has one. */
static int by_name(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static const char **list_meant(struct build *build, const struct set *set,
			       const struct map *names, size_t *count)
{
	const char **list = NULL;

	*count = 0;
	for (size_t i = 0; i < names->room; i++) {
		const char *name = names->entries[i].key;

		if (name == NULL || !is_meant(set, name))
			continue;
		list = arena_grow(build->arena, list, *count, sizeof(*list));
		list[(*count)++] = name;
	}
	if (*count > 1)
		qsort(list, *count, sizeof(*list), by_name);
	return list;
}

static void refuse_root(struct build *build, const char *text, const char *mend)
{
	refuse(build->refusals, REASON_BAD_MASK,
	       &build->policy->env_files.origin, text, mend);
}

static void look_into(struct build *build, const struct set *set,
		      const struct path_fact *root)
{
	const char **list;
	size_t count;

	if (root->names == NULL) {
		refuse_root(build,
			    arena_join(build->arena, root->real,
				       " cannot be listed", NULL),
			    text_quote_after(build->arena, "chmod u+rx ",
					     root->real));
		return;
	}
	list = list_meant(build, set, root->names, &count);
	if (count > MAX_FOUND) {
		refuse_root(
			build,
			arena_printf(build->arena,
				     "more than %d files in %s look like .env",
				     MAX_FOUND, root->real),
			NULL);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		const char *path = path_join(build->arena, root->real, list[i]);

		if (is_file_of(build, path, root->real))
			add_found(build, set, path);
	}
}

void build_env_files(struct build *build)
{
	const struct policy *policy = build->policy;
	const struct set *set;

	if (policy->env_files.word == NULL)
		return;
	set = set_find(policy->env_files.word);
	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct rule *rule = &policy->rules[i];
		const struct path_fact *fact;

		if (rule->kind != RULE_WRITE)
			continue;
		fact = build_fact(build, rule->path, WANT_NAMES);
		if (fact != NULL && fact->error == 0 && S_ISDIR(fact->mode))
			look_into(build, set, fact);
	}
}
