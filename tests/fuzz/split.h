/*
 * Command lines out of bytes: words separated by NUL, and behind a word "@" those
 * of descriptor 9.
 */
#ifndef CORDON_TESTS_FUZZ_SPLIT_H
#define CORDON_TESTS_FUZZ_SPLIT_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

struct split {
	char **words;
	const char *args;
	size_t args_length;
};

static inline int split_load_fd(void *load, int fd, const char **bytes,
				size_t *length)
{
	const struct split *split = load;

	*bytes = split->args;
	*length = split->args_length;
	return fd == 9 ? 0 : -EBADF;
}

static inline void split_words(struct split *split, struct arena *arena,
			       const char *bytes, size_t size)
{
	const char *end = bytes + size;
	size_t count = 0;

	split->args = "";
	for (;;) {
		split->words = arena_grow(arena, split->words, count,
					  sizeof(*split->words));
		split->words[count] = NULL;
		if (bytes >= end)
			return;
		if (strcmp(bytes, "@") == 0) {
			if (bytes + 2 < end) {
				split->args = bytes + 2;
				split->args_length =
					(size_t)(end - split->args);
			}
			return;
		}
		split->words[count++] = (char *)(uintptr_t)bytes;
		bytes += strlen(bytes) + 1;
	}
}

#endif
