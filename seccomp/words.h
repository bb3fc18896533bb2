#ifndef CORDON_SECCOMP_WORDS_H
#define CORDON_SECCOMP_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum comparison {
	COMPARE_NE,
	COMPARE_LT,
	COMPARE_LE,
	COMPARE_EQ,
	COMPARE_GE,
	COMPARE_GT,
	COMPARE_MASKED_EQ,
	COMPARE_COUNT,
};

/* An architecture whose programs this machine can run. */
struct arch {
	const char *name;
	uint32_t token; /* libseccomp's */
	uint32_t audit; /* the kernel's, in seccomp_data.arch */
	uint32_t base;	/* of its call numbers */
};

/* The native architecture comes first; the list is at most ARCH_MAX long. */
enum { ARCH_MAX = 3 };
extern const struct arch words_archs[];
extern const size_t words_arch_count;
extern const char words_go_arch[]; /* the native one in Go's spelling */

/* Each finds a word of the format in its table; false when it is not there.
 * An ERRNO action is found with errno 0. */
bool words_action(const char *word, uint32_t *action);
bool words_comparison(const char *word, enum comparison *comparison);
bool words_errno(const char *word, uint32_t *number);
bool words_flag(const char *word);

/* NULL for an architecture of other machines. */
const struct arch *words_arch(const char *word);

/* How much an action stops, in the order in which the kernel ranks the
 * answers of stacked filters: 0 is allow. */
unsigned int words_strictness(uint32_t action);

#endif
