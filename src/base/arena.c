/*
 * Chunks of memory handed out from the front. They come from mmap and not from
 * malloc, whose own start costs five pages and three calls.
 */
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/exitcode.h"

/* Less their heads, whole pages. */
enum { FIRST_SIZE = 48 * 1024 - 64, CHUNK_SIZE = 256 * 1024 - 64 };

struct arena_chunk {
	struct arena_chunk *next;
	size_t used, size;
	alignas(max_align_t) unsigned char bytes[];
};

static _Noreturn void out_of_memory(void)
{
	static const char words[] = "cordon: failed: out of memory\n";

	if (write(STDERR_FILENO, words, sizeof(words) - 1) < 0)
		_exit(EXIT_REFUSED);
	_exit(EXIT_REFUSED);
}

static struct arena_chunk *new_chunk(const struct arena *arena, size_t need)
{
	/* the first chunk is what a plain run uses; pages come with the call,
	 * not with a fault each */
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE;
	size_t size = arena->first == NULL ? FIRST_SIZE : CHUNK_SIZE;
	struct arena_chunk *chunk;

	if (need > size)
		size = need;
	if (size > SIZE_MAX - sizeof(*chunk))
		out_of_memory();
	chunk = mmap(NULL, sizeof(*chunk) + size, PROT_READ | PROT_WRITE, flags,
		     -1, 0);
	if (chunk == MAP_FAILED)
		out_of_memory();
	chunk->size = size;
	return chunk;
}

/* The next chunk with room: one that a rewind left, or a new one, in the place
 * behind the current. */
static struct arena_chunk *next_chunk(struct arena *arena, size_t need)
{
	struct arena_chunk *chunk = arena->current, *fresh;

	while (chunk != NULL && chunk->next != NULL) {
		chunk = chunk->next;
		if (chunk->size - chunk->used >= need)
			return arena->current = chunk;
	}
	fresh = new_chunk(arena, need);
	if (chunk == NULL)
		arena->first = fresh;
	else
		chunk->next = fresh;
	return arena->current = fresh;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	const size_t align = alignof(max_align_t);
	struct arena_chunk *chunk = arena->current;
	void *memory;

	if (size > SIZE_MAX - align)
		out_of_memory();
	size = (size + align - 1) & ~(align - 1);
	if (chunk == NULL || chunk->size - chunk->used < size)
		chunk = next_chunk(arena, size);
	memory = chunk->bytes + chunk->used;
	chunk->used += size;
	return memory;
}

void *arena_grow(struct arena *arena, void *array, size_t count, size_t size)
{
	return arena_grow_from(arena, array, count, size, ARENA_FIRST);
}

void *arena_grow_from(struct arena *arena, void *array, size_t count,
		      size_t size, size_t first)
{
	void *larger;
	size_t room = count == 0 ? first : count * 2;

	if (count != 0 && (count < first || (count & (count - 1)) != 0))
		return array;
	if (room > SIZE_MAX / size)
		out_of_memory();
	larger = arena_alloc(arena, room * size);
	if (count != 0)
		memcpy(larger, array, count * size);
	return larger;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, length + 1);

	memcpy(copy, text, length);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_join(struct arena *arena, const char *first, ...)
{
	size_t length = 0;
	const char *part;
	char *joined, *end;
	va_list parts;

	va_start(parts, first);
	for (part = first; part != NULL; part = va_arg(parts, const char *))
		length += strlen(part);
	va_end(parts);
	joined = end = arena_alloc(arena, length + 1);
	va_start(parts, first);
	for (part = first; part != NULL; part = va_arg(parts, const char *)) {
		size_t n = strlen(part);

		memcpy(end, part, n);
		end += n;
	}
	va_end(parts);
	return joined;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args, again;
	char *text;
	int length;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length < 0)
		out_of_memory();
	text = arena_alloc(arena, (size_t)length + 1);
	(void)vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

void arena_rewind(struct arena *arena)
{
	struct arena_chunk *chunk;

	for (chunk = arena->first; chunk != NULL; chunk = chunk->next) {
		memset(chunk->bytes, 0, chunk->used);
		chunk->used = 0;
	}
	arena->current = arena->first;
}

void arena_done(struct arena *arena)
{
	while (arena->first != NULL) {
		struct arena_chunk *next = arena->first->next;

		(void)munmap(arena->first,
			     sizeof(*arena->first) + arena->first->size);
		arena->first = next;
	}
	arena->current = NULL;
}
