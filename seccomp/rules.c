/*
 * From entries with names to rules with numbers, sorted. The numbers are
 * libseccomp's, and the profile's own for calls that it does not know.
 */
#include "rules.h"

#include <errno.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>

#include "entry.h"

/* -1 when the profile gives no number for this architecture. @named tells
 * whether it gives one for any. */
static int own_number(const struct profile *profile, const struct arch *arch,
		      const char *name, bool *named)
{
	for (size_t i = 0; i < profile->number_count; i++) {
		const struct number *number = &profile->numbers[i];

		if (strcmp(number->name, name) != 0)
			continue;
		*named = true;
		if (!number->arch || strcmp(number->arch, arch->name) == 0)
			return (int)(number->number | arch->base);
	}
	return -1;
}

static void say_unknown(const struct profile *profile,
			const struct entry *entry, const char *name,
			struct problems *problems)
{
	const struct spot file = { .key = profile->paths[entry->file] };
	const struct spot list = { .up = &file, .key = "syscalls" };
	const struct spot spot = { .up = &list, .index = entry->index };

	/* Left out, a call gets the default action. */
	if (words_strictness(entry->rule.action) >
	    words_strictness(profile->action))
		problems_add(problems, &spot,
			     "the call \"%s\" is unknown and cannot be denied",
			     name);
	else
		problems_note(problems, &spot,
			      "note: the call \"%s\" is unknown and left out",
			      name);
}

/* The number, or -1 for a call that this architecture does not have.
 * libseccomp gives a call that only others have a number below -1. */
static int resolve(const struct profile *profile, const struct arch *arch,
		   const struct entry *entry, const char *name,
		   struct problems *problems)
{
	int number = seccomp_syscall_resolve_name_arch(arch->token, name);
	bool named = false;
	int own = own_number(profile, arch, name, &named);

	if (number == __NR_SCMP_ERROR && !named && arch == words_archs)
		say_unknown(profile, entry, name, problems);
	if (number >= 0 && own >= 0 && number != own) {
		const struct spot file = { .key = profile->paths[0] };

		problems_add(problems, &file,
			     "cordon.numbers: \"%s\" is %d, not %d", name,
			     number, own);
	}
	return number >= 0 ? number : own;
}

static int add(struct table *table, struct row row)
{
	if (table->count == table->room) {
		const size_t room = table->room ? 2 * table->room : 512;
		struct row *rows = reallocarray(table->rows, room,
						sizeof(*rows));

		if (!rows)
			return -ENOMEM;
		table->rows = rows;
		table->room = room;
	}
	row.order = table->count;
	table->rows[table->count++] = row;
	return 0;
}

static int add_entry(struct table *table, const struct profile *profile,
		     const struct arch *arch, const struct entry *entry,
		     struct problems *problems)
{
	struct row row = { .file = entry->file,
			   .rule = &entry->rule,
			   .entry = entry };
	const char *name;

	if (!profile->first)
		row.rank = words_strictness(entry->rule.action);
	for (size_t i = 0; (name = entry_name(entry, i)); i++) {
		int number = resolve(profile, arch, entry, name, problems);

		row.number = (uint32_t)number;
		if (number >= 0 && add(table, row) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* By call; of one call, the last file's rules first. */
static int compare(const void *left, const void *right)
{
	const struct row *a = left;
	const struct row *b = right;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	if (a->file != b->file)
		return a->file > b->file ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* Drops what a later file has replaced. */
static void drop_replaced(struct table *table)
{
	size_t kept = 0;

	for (size_t i = 0; i < table->count; i++) {
		const struct row *last = kept ? &table->rows[kept - 1] : NULL;

		if (!last || last->number != table->rows[i].number ||
		    last->file == table->rows[i].file)
			table->rows[kept++] = table->rows[i];
	}
	table->count = kept;
}

/* Written order is a promise that each entry means something. */
static void check_reached(const struct table *table,
			  const struct profile *profile,
			  struct problems *problems)
{
	for (size_t i = 1; i < table->count; i++) {
		const struct row *row = &table->rows[i];
		const struct spot file = { .key = profile->paths[row->file] };
		const struct spot list = { .up = &file, .key = "syscalls" };
		const struct spot spot = { .up = &list,
					   .index = row->entry->index };

		if (row[-1].number == row->number && row[-1].rule->count == 0)
			problems_add(problems, &spot,
				     "never reached for call %u: syscalls[%zu] "
				     "decides it",
				     row->number, row[-1].entry->index);
	}
}

int rules_table(struct table *table, const struct profile *profile,
		const struct arch *arch, struct problems *problems)
{
	*table = (struct table){ 0 };
	for (size_t i = 0; i < profile->count; i++) {
		if (add_entry(table, profile, arch, &profile->entries[i],
			      problems) < 0)
			return -ENOMEM;
	}
	if (table->count > 0)
		qsort(table->rows, table->count, sizeof(*table->rows), compare);
	drop_replaced(table);
	if (profile->first)
		check_reached(table, profile, problems);
	return 0;
}

void rules_done(struct table *table)
{
	free(table->rows);
}
