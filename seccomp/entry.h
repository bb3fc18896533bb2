#ifndef CORDON_SECCOMP_ENTRY_H
#define CORDON_SECCOMP_ENTRY_H

#include "profile.h"
#include "reader.h"

/* Reader of an element of syscalls[]; @into is a struct profile with room for
 * one more entry. One whose includes or excludes rule it out is checked all
 * the same, and then dropped. */
void entry_read(struct reader *reader, const struct spot *spot,
		struct json_object *value, void *into);

/* The name at @index, or NULL past the last. */
const char *entry_name(const struct entry *entry, size_t index);

#endif
