#ifndef CORDON_SECCOMP_RULES_H
#define CORDON_SECCOMP_RULES_H

#include "profile.h"

/* One rule for one call. */
struct row {
	uint32_t number;
	unsigned int rank;
	size_t file;
	size_t order;
	const struct rule *rule;
	const struct entry *entry;
};

/* All rules of one architecture, by number, and those for one call in the
 * order in which they are to be tried: the first that fits decides. */
struct table {
	struct row *rows;
	size_t count;
	size_t room;
};

/*
 * Which of several entries for a call decides?
 *
 * With `"match": "first"`, the first that fits, as written. Without, the
 * strictest that fits, as with filters stacked in the kernel. libseccomp,
 * which other runtimes use, forgets the conditional rules of a call that has
 * an unconditional one, so that a deny rule under a broad allow does nothing;
 * the strictest answer is never weaker than its answer.
 *
 * Returns 0 or -ENOMEM; what cannot be enforced goes to @problems.
 */
int rules_table(struct table *table, const struct profile *profile,
		const struct arch *arch, struct problems *problems);

void rules_done(struct table *table);

#endif
