#ifndef CORDON_SECCOMP_READER_H
#define CORDON_SECCOMP_READER_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "problems.h"

struct profile;

struct reader {
	struct problems *problems;
	struct profile *profile;
	size_t file;
};

/* A member that an object may have. What @read makes of the value goes to
 * @into, whose type the table's user and its readers agree on. */
struct field {
	const char *key;
	enum json_type type;
	bool required;
	void (*read)(struct reader *reader, const struct spot *spot,
		     struct json_object *value, void *into);
};

/* Parses a file of at most 1 MiB. The caller puts the tree. NULL when it
 * cannot be read, and then that has been said. */
struct json_object *reader_load(const char *path, struct problems *problems);

/* Reads the members that @fields (ended by a NULL key) knows and refuses
 * all others: a key that is not understood may be one that tightens. */
void reader_object(struct reader *reader, const struct spot *spot,
		   struct json_object *value, const struct field *fields,
		   void *into);

/* Reads every element of a list as @element says. */
void reader_list(struct reader *reader, const struct spot *spot,
		 struct json_object *value, const struct field *element,
		 void *into);

/* False when @value is no whole number from 0 to @max; that has been said. */
bool reader_number(struct reader *reader, const struct spot *spot,
		   struct json_object *value, uint64_t max, uint64_t *number);

/* Says that @value, a string, is no such thing: unknown @what "value". */
void reader_unknown(struct reader *reader, const struct spot *spot,
		    const char *what, struct json_object *value);

/* For members that mean nothing here, like comment. */
void reader_ignore(struct reader *reader, const struct spot *spot,
		   struct json_object *value, void *into);

#endif
