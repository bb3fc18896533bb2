#ifndef CORDON_SECCOMP_PROFILE_H
#define CORDON_SECCOMP_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problems.h"
#include "words.h"

struct json_object;

enum { ARGUMENTS = 6 };

/* NE and EQ are compared under @mask, which is all ones unless the profile
 * says MASKED_EQ. */
struct condition {
	unsigned int argument;
	enum comparison comparison;
	uint64_t value;
	uint64_t mask;
};

/* @action when all conditions hold. */
struct rule {
	uint32_t action;
	size_t count;
	struct condition conditions[ARGUMENTS];
};

/* One element of syscalls[]. */
struct entry {
	struct rule rule;
	struct json_object *names; /* a list of strings, or one string */
	size_t file;
	size_t index;
};

/* The number of a call that libseccomp may be too old to know. */
struct number {
	const char *name;
	const char *arch; /* NULL: the same on all */
	uint32_t number;
};

/* One or more files laid over each other. Strings belong to the files'
 * JSON trees, which live as long as the profile. */
struct profile {
	uint32_t action;      /* of calls that no entry names */
	bool guessed;	      /* the profile left its errno open */
	bool first;	      /* entries are tried as written: see rules.h */
	bool archs[ARCH_MAX]; /* by index in words_archs */
	struct entry *entries;
	size_t count;
	struct number *numbers;
	size_t number_count;
	char *const *paths; /* of the files */
	struct json_object **trees;
	size_t file_count;
};

/* Reads @count files, the first a whole profile, the others fragments with
 * nothing but syscalls and numbers. An entry of a later file replaces those
 * of earlier ones for the same call. What is wrong goes to @problems; the
 * profile means something only when there are no errors. @paths are
 * borrowed. Returns 0, or -ENOMEM. */
int profile_read(struct profile *profile, char *const *paths, size_t count,
		 struct problems *problems);

void profile_done(struct profile *profile);

#endif
