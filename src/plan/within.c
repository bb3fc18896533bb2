/*
 * --within: the places of this policy against those of the one that it may only
 * narrow. Both become entries by the same rules. What is compared is the host's
 * objects by their canonical names: each that is shown here must be shown there,
 * somewhere, with the same right. So it comes to what a nested run would be, and
 * where an object is shown does not matter. What the outer masks or protects is
 * carried over; what else hides something there must be hidden here too.
 */
#include <string.h>

#include "base/arena.h"
#include "base/path.h"
#include "base/text.h"
#include "plan/build.h"

/* One tree against an outer one. */
struct pair {
	struct build *build, *outer;
	const struct outer *word;
	struct origin refused; /* the last one, for members of a set */
};

static bool is_root(const struct entry *entry)
{
	return entry->source != NULL && entry->kind >= ENTRY_READ &&
	       entry->kind <= ENTRY_WRITE;
}

static bool is_cover(const struct entry *entry)
{
	return entry->kind == ENTRY_MASK || entry->kind == ENTRY_PROTECT;
}

static const struct entry *covering(const struct build *build, const char *path)
{
	const struct entry *entry = build_covering(build, path);

	while (entry != NULL && entry->kind == ENTRY_PIN)
		entry = entry->parent;
	return entry;
}

/* Where in the entry's place an object of the host below its source is. */
static const char *place_of(struct build *build, const struct entry *root,
			    const char *object)
{
	return path_join(build->arena, root->dest,
			 path_below(object, root->source));
}

/* The root that shows an object of the host, for writing where that is asked;
 * or NULL, and what decides instead. `limit` may be NULL. */
static const struct entry *find_showing(struct build *build, const char *object,
					bool writing,
					const struct entry **limit)
{
	for (size_t i = 0; i < build->entry_count; i++) {
		const struct entry *root = &build->entries[i];
		const struct entry *last;

		if (!is_root(root) || !path_is_under(object, root->source))
			continue;
		last = covering(build, place_of(build, root, object));
		if (last == root && (!writing || root->kind == ENTRY_WRITE))
			return root;
		if (limit != NULL)
			*limit = last;
	}
	return NULL;
}

static void refuse_wider(struct pair *pair, const struct origin *origin,
			 const char *text, const char *mend)
{
	refuse(pair->build->refusals, REASON_WIDER, origin, text, mend);
}

static const char *words_of(struct pair *pair, const struct entry *entry)
{
	return origin_words(pair->build->arena, &entry->origin);
}

static bool same_word(const struct origin *a, const struct origin *b)
{
	return a->set != NULL && a->set == b->set && a->place == b->place &&
	       a->line == b->line && a->option == b->option &&
	       a->file == b->file;
}

static void refuse_root(struct pair *pair, const struct entry *entry,
			const struct entry *limit)
{
	struct arena *arena = pair->build->arena;
	const char *text, *mend = NULL;

	if (same_word(&pair->refused, &entry->origin))
		return; /* another member of the same set */
	pair->refused = entry->origin;
	if (limit != NULL)
		text = arena_join(arena, "wider than ", words_of(pair, limit),
				  NULL);
	else
		text = arena_join(arena, "no rule of ",
				  origin_words(arena, &pair->word->origin),
				  " shows ", entry->source, NULL);
	if (limit != NULL && entry->kind == ENTRY_WRITE &&
	    strncmp(entry->origin.option, "write", 5) == 0 &&
	    find_showing(pair->outer, entry->source, false, NULL) != NULL)
		mend = text_quote_after(arena, "--read ", entry->origin.word);
	refuse_wider(pair, &entry->origin, text, mend);
}

static bool same_place(const struct entry *a, const struct entry *b)
{
	return a->kind == b->kind && strcmp(a->dest, b->dest) == 0;
}

/* The outer's entry of the same kind at the same place. */
static const struct entry *find_same(const struct build *outer,
				     const struct entry *entry)
{
	for (size_t i = 0; i < outer->entry_count; i++) {
		if (same_place(&outer->entries[i], entry))
			return &outer->entries[i];
	}
	return NULL;
}

/* A private place shows nothing of the host. One with a size of its own is more
 * memory than the bound that all others share. */
static void check_tmpfs(struct pair *pair, const struct entry *entry)
{
	const struct entry *same = find_same(pair->outer, entry);
	struct arena *arena = pair->build->arena;

	if (entry->size == 0 || (same != NULL && entry->size <= same->size))
		return;
	if (same != NULL && same->size != 0)
		refuse_wider(
			pair, &entry->origin,
			arena_join(arena, "wider than ", words_of(pair, same),
				   NULL),
			text_quote_after(arena, "--tmpfs ", same->origin.word));
	else
		refuse_wider(pair, &entry->origin,
			     arena_join(arena, "wider than the default of ",
					pair->word->file,
					": one bound on memory for all", NULL),
			     text_quote_after(arena, "--tmpfs ", entry->dest));
}

static void check_device(struct pair *pair, const struct entry *entry)
{
	const struct entry *same = find_same(pair->outer, entry);

	if (same == NULL || strcmp(same->source, entry->source) != 0)
		refuse_root(pair, entry, NULL);
}

/* False where the entry must go: a default is what remains of it. */
static bool check_entry(struct pair *pair, const struct entry *entry)
{
	const struct entry *limit = NULL;

	if (entry->own)
		return true;
	if (entry->kind == ENTRY_TMPFS)
		check_tmpfs(pair, entry);
	if (entry->kind == ENTRY_DEVICE)
		check_device(pair, entry);
	if (!is_root(entry) || entry->kind == ENTRY_PROTECT ||
	    find_showing(pair->outer, entry->source, entry->kind == ENTRY_WRITE,
			 &limit) != NULL)
		return true;
	if (entry->origin.place == PLACE_DEFAULT)
		return false;
	refuse_root(pair, entry, limit);
	return true;
}

static void check_entries(struct pair *pair)
{
	struct build *build = pair->build;
	size_t kept = 0;

	for (size_t i = 0; i < build->entry_count; i++) {
		if (check_entry(pair, &build->entries[i]))
			build->entries[kept++] = build->entries[i];
	}
	build->entry_count = kept;
}

static const struct entry *find_cover(const struct build *outer,
				      enum entry_kind kind, const char *object)
{
	for (size_t i = 0; i < outer->entry_count; i++) {
		const struct entry *entry = &outer->entries[i];

		if (entry->kind == kind && strcmp(entry->source, object) == 0)
			return entry;
	}
	return NULL;
}

/* Exceptions take away what this policy says, never what the outer says. */
static void check_exception(struct pair *pair, const struct rule *rule)
{
	const struct path_fact *fact = build_fact(pair->build, rule->path, 0);
	const struct entry *cover;

	if (fact == NULL || fact->error != 0 ||
	    same_word(&pair->refused, &rule->origin))
		return;
	cover = find_cover(pair->outer,
			   rule->kind == RULE_UNMASK ? ENTRY_MASK
						     : ENTRY_PROTECT,
			   fact->real);
	if (cover == NULL)
		return;
	pair->refused = rule->origin;
	refuse_wider(pair, &rule->origin,
		     arena_join(pair->build->arena, "takes away ",
				words_of(pair, cover), ", which --within keeps",
				NULL),
		     NULL);
}

static void check_exceptions(struct pair *pair)
{
	const struct policy *policy = pair->build->policy;

	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct rule *rule = &policy->rules[i];

		if (rule->kind == RULE_UNMASK || rule->kind == RULE_UNPROTECT)
			check_exception(pair, rule);
	}
}

/* By the object, so that the names it has here are found as for any other. */
static void carry_covers(struct pair *pair)
{
	for (size_t i = 0; i < pair->outer->entry_count; i++) {
		const struct entry *cover = &pair->outer->entries[i];
		struct entry *entry;

		if (!is_cover(cover))
			continue;
		entry = build_entry(pair->build, cover->kind, cover->source);
		entry->source = cover->source;
		entry->fact = cover->fact;
		entry->origin = cover->origin;
		entry->forced = cover->forced;
		entry->carried = true;
	}
}

bool build_is_hidden(const struct build *build, const char *path)
{
	for (size_t i = 0; i < build->policy->outer_count; i++) {
		const struct build *outer = build->outers[i];
		const struct entry *entry = covering(outer, path);

		if ((entry != NULL && entry->kind == ENTRY_MASK) ||
		    build_is_hidden(outer, path))
			return true;
	}
	return false;
}

static bool same_refusal(struct arena *arena, const struct refusal *a,
			 const struct refusal *b)
{
	return a->reason == b->reason && strcmp(a->text, b->text) == 0 &&
	       strcmp(origin_words(arena, &a->origin),
		      origin_words(arena, &b->origin)) == 0;
}

/* What is wrong with both policies, or in a profile that both read, is said
 * once. */
static void refuse_once(struct build *build, const struct refusal *item)
{
	for (size_t i = 0; i < build->refusals->count; i++) {
		if (same_refusal(build->arena, &build->refusals->items[i],
				 item))
			return;
	}
	refuse(build->refusals, item->reason, &item->origin, item->text,
	       item->mend);
}

static struct build *outer_tree(struct build *build,
				const struct policy *policy)
{
	struct build *outer = arena_alloc(build->arena, sizeof(*outer));
	struct refusals refusals = { .arena = build->arena };

	*outer = (struct build){ .arena = build->arena,
				 .policy = policy,
				 .facts = build->facts,
				 .wants = build->wants,
				 .refusals = &refusals,
				 .plan = build->plan,
				 .is_outer = true,
				 .is_trial = build->is_trial };
	map_init(&outer->made, outer->arena);
	map_init(&outer->asked, outer->arena);
	build_tree(outer);
	for (size_t i = 0; i < refusals.count; i++)
		refuse_once(build, &refusals.items[i]);
	outer->refusals = NULL;
	return outer;
}

/* Where a run shows the host's /var, its /var/tmp is covered, by no entry. */
static void hide_var_tmp(struct build *build)
{
	struct entry *entry = build_entry(build, ENTRY_TMPFS, "/var/tmp");

	entry->own = true;
	entry->origin = (struct origin){ .place = PLACE_DEFAULT,
					 .word = entry->dest };
}

void build_outers(struct build *build)
{
	const struct policy *policy = build->policy;

	if (build->is_outer)
		hide_var_tmp(build);
	build->outers = arena_alloc(build->arena, (policy->outer_count +
						   1) * sizeof(*build->outers));
	for (size_t i = 0; i < policy->outer_count; i++) {
		struct pair pair = { .build = build,
				     .outer = outer_tree(
					     build, policy->outers[i].policy),
				     .word = &policy->outers[i] };

		build->outers[i] = pair.outer;
		/* with facts missing the outer tree is not whole */
		if (build->wants->count != 0)
			continue;
		check_entries(&pair);
		check_exceptions(&pair);
		carry_covers(&pair);
	}
}

/* A root that hides or keeps there what the outer does. */
static const char *hole_mend(struct build *build, const struct entry *hole,
			     const char *object, const char *place)
{
	bool overlay = hole->kind == ENTRY_OVERLAY &&
		       strcmp(object, place) == 0;

	return text_quote_after(build->arena,
				overlay ? "--overlay " : "--mask ", object);
}

/* An object that the outer's entry hides, or shows with less, below a root here
 * that still shows it as it is. */
static void check_hole(struct pair *pair, const struct entry *hole,
		       const char *object)
{
	struct build *build = pair->build;

	for (size_t i = 0; i < build->entry_count; i++) {
		const struct entry *root = &build->entries[i];
		const char *place;

		if (!is_root(root) || strcmp(root->source, object) == 0 ||
		    !path_is_under(object, root->source) ||
		    find_showing(pair->outer, object, root->kind == ENTRY_WRITE,
				 NULL) != NULL)
			continue;
		place = place_of(build, root, object);
		/* the host's /var/tmp is never shown under that name */
		if (covering(build, place) != root ||
		    strcmp(place, "/var/tmp") == 0)
			continue;
		refuse_wider(pair, &root->origin,
			     arena_join(build->arena, "shows ", object,
					", where --within has ",
					words_of(pair, hole), NULL),
			     hole_mend(build, hole, object, place));
	}
}

/* What an entry of the outer lies over. Below one that hides, all is hidden. */
static void check_below(struct pair *pair, const struct entry *hole)
{
	const struct entry *root = hole->parent;

	while (root != NULL && root->kind == ENTRY_PIN)
		root = root->parent;
	if (root != NULL && is_root(root))
		check_hole(pair, hole,
			   path_join(pair->build->arena, root->source,
				     path_below(hole->dest, root->dest)));
}

void build_holes(struct build *build)
{
	const struct policy *policy = build->policy;

	for (size_t i = 0; i < policy->outer_count; i++) {
		struct pair pair = { .build = build,
				     .outer = build->outers[i],
				     .word = &policy->outers[i] };

		for (size_t j = 0; j < pair.outer->entry_count; j++) {
			const struct entry *hole = &pair.outer->entries[j];

			if (!is_cover(hole) && hole->kind != ENTRY_PIN)
				check_below(&pair, hole);
		}
	}
}

static void check_named(struct build *build, const struct named_profile *named,
			const char *path)
{
	const struct entry *root = find_showing(build, path, true, NULL);
	struct refusal refusal = { .reason = REASON_BAD_PROFILE,
				   .origin = named->origin };

	if (root == NULL)
		return;
	refusal.text = arena_join(build->arena, "found by its name at ",
				  named->file, ", which ",
				  origin_words(build->arena, &root->origin),
				  " lets any run rewrite; give its path", NULL);
	refusal.mend = arena_join(
		build->arena, "--", named->origin.option, " ",
		text_quote_after(build->arena, "", named->file), NULL);
	refuse_once(build, &refusal);
}

/* What a run may write must not decide, by a name alone, what the next may do:
 * neither the file nor a link that leads to it. */
void build_named(struct build *build)
{
	const struct policy *policy = build->policy;

	for (size_t i = 0; i < policy->named_count; i++) {
		const struct named_profile *named = &policy->named[i];
		const struct path_fact *fact = build_fact(build, named->file,
							  0);
		size_t before = build->refusals->count;

		if (fact == NULL || fact->error != 0)
			continue;
		check_named(build, named, fact->real);
		for (size_t j = 0;
		     j < fact->link_count && build->refusals->count == before;
		     j++)
			check_named(build, named, fact->links[j].path);
	}
}
