/*
 * One entry a place: rule P3. The most specific path wins by itself, because
 * entries are mounted parents first; what is left to decide is two rules for
 * one path, and what changes nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/path.h"
#include "base/text.h"
#include "plan/build.h"

static int compare_entries(const void *a, const void *b)
{
	const struct entry *one = a, *two = b;
	int order = path_compare(one->dest, two->dest);

	if (order != 0)
		return order;
	return one->said < two->said ? -1 : one->said > two->said;
}

static void sort_entries(struct build *build)
{
	if (build->entry_count > 1)
		qsort(build->entries, build->entry_count,
		      sizeof(*build->entries), compare_entries);
}

static bool same_source(const struct entry *a, const struct entry *b)
{
	if (a->source == NULL || b->source == NULL)
		return a->source == b->source;
	return strcmp(a->source, b->source) == 0;
}

static void refuse_pair(struct build *build, const struct entry *loser,
			const struct entry *winner, const char *text,
			const char *mend)
{
	refuse(build->refusals, REASON_CONFLICT, &winner->origin,
	       arena_join(build->arena, text,
			  origin_words(build->arena, &loser->origin), NULL),
	       mend);
}

/* Read-only is read-only, by --read or by --protect. */
static bool same_rights(const struct entry *a, const struct entry *b)
{
	return a->kind == b->kind ||
	       (a->kind == ENTRY_READ && b->kind == ENTRY_PROTECT) ||
	       (a->kind == ENTRY_PROTECT && b->kind == ENTRY_READ);
}

/* Both typed. In one place they must agree; a later place may only tighten. */
static const struct entry *choose_typed(struct build *build,
					const struct entry *first,
					const struct entry *later)
{
	const struct entry *low = first, *high = later;

	if (same_rights(first, later) && same_source(first, later))
		return first->kind == ENTRY_READ ? first : later;
	if (first->origin.place == later->origin.place) {
		refuse_pair(build, first, later, "contradicts ", NULL);
		return later;
	}
	if (first->origin.place > later->origin.place) {
		low = later;
		high = first;
	}
	if (high->kind > low->kind || !same_source(low, high))
		refuse_pair(build, low, high, "widens ",
			    low->kind == ENTRY_MASK
				    ? text_quote_after(build->arena,
						       "--unmask ", low->dest)
				    : NULL);
	return high;
}

/* Typed beats a set, a set beats a private place; of two sets the tighter. */
static unsigned rank(const struct entry *entry)
{
	if (entry->forced)
		return 3;
	if (entry->own)
		return 0;
	return entry->typed ? 2 : 1;
}

/* A typed root where --within has a mask shows another object, or was refused;
 * else the tighter holds. */
static const struct entry *choose_carried(const struct entry *carried,
					  const struct entry *other)
{
	if (other->typed && other->kind != ENTRY_MASK &&
	    other->kind != ENTRY_PROTECT)
		return other;
	return carried->kind < other->kind ? carried : other;
}

static const struct entry *choose(struct build *build,
				  const struct entry *first,
				  const struct entry *later)
{
	if (first->carried != later->carried)
		return first->carried ? choose_carried(first, later)
				      : choose_carried(later, first);
	if (rank(first) != rank(later))
		return rank(first) > rank(later) ? first : later;
	if (first->typed)
		return choose_typed(build, first, later);
	return later->kind < first->kind ? later : first;
}

/* Kept for explain: who spoke of the place too, and why it did not count. */
static struct loser *lose(struct build *build, const struct entry *winner,
			  const struct entry *loser)
{
	struct loser *lost;

	if (build->policy->subjects == NULL)
		return NULL;
	lost = arena_alloc(build->arena, sizeof(*lost));
	*lost = (struct loser){
		.origin = loser->origin,
		.why = rank(winner) != rank(loser)
			       ? "what is typed beats a set and a default"
			       : "the same place, said wider or again",
		.next = loser->losers != NULL ? loser->losers : winner->losers,
	};
	return lost;
}

/* A root that a later place protects is still a root: a read root. */
static struct entry merge(struct build *build, const struct entry *first,
			  const struct entry *later)
{
	const struct entry *winner = choose(build, first, later);
	const struct entry *loser = winner == first ? later : first;
	struct entry merged = *winner;

	merged.losers = lose(build, winner, loser);
	if (winner->kind == ENTRY_PROTECT &&
	    (loser->kind == ENTRY_WRITE || loser->kind == ENTRY_OVERLAY)) {
		merged = *loser;
		merged.losers = lose(build, winner, loser);
		merged.kind = ENTRY_READ;
		merged.origin = winner->origin;
		merged.typed = winner->typed;
	}
	return merged;
}

static void merge_same(struct build *build)
{
	size_t kept = 0;

	for (size_t i = 0; i < build->entry_count; i++) {
		struct entry *entry = &build->entries[i];
		struct entry *last = &build->entries[kept - (kept > 0)];

		if (kept > 0 && strcmp(last->dest, entry->dest) == 0)
			*last = merge(build, last, entry);
		else
			build->entries[kept++] = *entry;
	}
	build->entry_count = kept;
}

/* Does the parent show, at the entry's place, what the entry is about? */
static bool shows(struct build *build, const struct entry *parent,
		  const struct entry *entry)
{
	const char *seen;

	if (parent == NULL || parent->source == NULL || entry->source == NULL ||
	    parent->kind == ENTRY_MASK)
		return false;
	if (strcmp(parent->source, parent->dest) == 0)
		return strcmp(entry->source, entry->dest) == 0;
	seen = path_join(build->arena, parent->source,
			 path_below(entry->dest, parent->dest));
	return strcmp(seen, entry->source) == 0;
}

static bool changes_nothing(struct build *build, const struct entry *entry)
{
	const struct entry *parent = entry->parent;
	bool shown = shows(build, parent, entry);

	switch ((int)entry->kind) {
	case ENTRY_MASK:
		return !shown;
	case ENTRY_PROTECT:
		return !shown || parent->kind == ENTRY_READ ||
		       parent->kind == ENTRY_PROTECT;
	case ENTRY_READ:
		return shown && (parent->kind == ENTRY_READ ||
				 parent->kind == ENTRY_PROTECT);
	case ENTRY_WRITE:
		return shown && parent->kind == ENTRY_WRITE;
	default:
		return false;
	}
}

/* A typed mask or protection of a place where a root shows another object would
 * cover neither: the object that was named is not shown, the one that is shown
 * was not named. */
static void check_meant(struct build *build, const struct entry *entry)
{
	const struct entry *parent = entry->parent;

	if (!entry->typed || parent == NULL || parent->source == NULL ||
	    (entry->kind != ENTRY_MASK && entry->kind != ENTRY_PROTECT) ||
	    parent->kind == ENTRY_MASK || shows(build, parent, entry))
		return;
	refuse_pair(build, parent, entry,
		    "another object is shown there; name that one: ", NULL);
}

/* A read root inside what can be written must not be moved away either. */
static void narrow(struct build *build, struct entry *entry)
{
	if (entry->kind == ENTRY_READ && entry->parent != NULL &&
	    (entry->parent->kind == ENTRY_WRITE ||
	     entry->parent->kind == ENTRY_OVERLAY) &&
	    shows(build, entry->parent, entry))
		entry->kind = ENTRY_PROTECT;
}

static void pass_entry(struct build *build, const struct entry *entry)
{
	struct passed passed = {
		.path = entry->dest,
		.loser = { entry->origin, "changes nothing", NULL },
	};

	build_pass(build, &passed);
	for (const struct loser *at = entry->losers; at != NULL;
	     at = at->next) {
		passed.loser = *at;
		build_pass(build, &passed);
	}
}

/* Finds each parent and drops what changes nothing. */
static void link_parents(struct build *build)
{
	struct entry *above = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < build->entry_count; i++) {
		struct entry *entry = &build->entries[kept];

		*entry = build->entries[i];
		while (above != NULL &&
		       !path_is_under(entry->dest, above->dest))
			above = above->parent;
		entry->parent = above;
		if (changes_nothing(build, entry)) {
			check_meant(build, entry);
			pass_entry(build, entry);
			continue;
		}
		narrow(build, entry);
		if (above != NULL)
			above->children = true;
		above = entry;
		kept++;
	}
	build->entry_count = kept;
}

/* A read root of just what is protected keeps it as well. */
static bool is_kept_by(const struct entry *entry, const struct entry *root)
{
	return entry->kind == ENTRY_PROTECT && root->kind == ENTRY_READ &&
	       strcmp(entry->source, root->source) == 0;
}

/*
 * A mask or protection holds under every name: where a root shows its path at
 * another place than its own, the same entry is added there.
 */
static void add_aliases(struct build *build)
{
	size_t count = build->entry_count;

	for (size_t r = 0; r < count; r++) {
		struct entry root = build->entries[r];

		if (root.source == NULL || root.kind == ENTRY_MASK ||
		    root.kind == ENTRY_PROTECT ||
		    strcmp(root.source, root.dest) == 0)
			continue;
		for (size_t i = 0; i < count; i++) {
			struct entry entry = build->entries[i];
			size_t said = build->entry_count;

			if ((entry.kind != ENTRY_MASK &&
			     entry.kind != ENTRY_PROTECT) ||
			    !path_is_under(entry.source, root.source) ||
			    is_kept_by(&entry, &root))
				continue;
			entry.dest = path_join(
				build->arena, root.dest,
				path_below(entry.source, root.source));
			*build_entry(build, entry.kind, entry.dest) = entry;
			build->entries[said].said = said;
		}
	}
}

static void add_pin(struct build *build, const struct entry *entry,
		    const char *dir)
{
	const struct entry *root = entry->parent;
	const char *source = path_join(build->arena, root->source,
				       path_below(dir, root->dest));
	struct entry *pin = build_entry(build, ENTRY_PIN, dir);

	pin->source = source;
	pin->origin = entry->origin;
}

/* Each directory between a protected path and the root that shows it. */
static void add_pins(struct build *build)
{
	size_t count = build->entry_count;
	struct map pinned;

	map_init(&pinned, build->arena);
	for (size_t i = 0; i < count; i++) {
		struct entry entry = build->entries[i], root;
		const char *dir = entry.dest;

		if (entry.kind != ENTRY_PROTECT || entry.parent == NULL)
			continue;
		/* the array may move while pins are added */
		root = *entry.parent;
		entry.parent = &root;
		while ((dir = path_parent(build->arena, dir)) != NULL &&
		       strcmp(dir, entry.parent->dest) != 0) {
			if (map_get(&pinned, dir) != NULL)
				break;
			map_put(&pinned, dir, &pinned);
			add_pin(build, &entry, dir);
		}
	}
}

void build_order(struct build *build)
{
	size_t count;

	add_aliases(build);
	sort_entries(build);
	merge_same(build);
	link_parents(build);
	count = build->entry_count;
	add_pins(build);
	if (build->entry_count == count)
		return;
	sort_entries(build);
	link_parents(build);
}

/* Entries are sorted so that everything below a directory follows it: the last
 * entry not after the path is the covering one or lies beside its branch. */
struct entry *build_covering(const struct build *build, const char *path)
{
	size_t low = 0, high = build->entry_count;
	struct entry *entry;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (path_compare(build->entries[middle].dest, path) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	entry = &build->entries[low - 1];
	while (entry != NULL && !path_is_under(path, entry->dest))
		entry = entry->parent;
	return entry;
}

const char *build_outside(struct build *build, const char *path)
{
	struct entry *entry = build_covering(build, path);

	while (entry != NULL && entry->kind == ENTRY_PIN)
		entry = entry->parent;
	if (entry == NULL || entry->source == NULL || entry->kind == ENTRY_MASK)
		return NULL;
	return path_join(build->arena, entry->source,
			 path_below(path, entry->dest));
}

bool build_is_ours(const struct build *build, const char *path)
{
	const struct entry *entry = build_covering(build, path);

	return entry == NULL || entry->source == NULL;
}
