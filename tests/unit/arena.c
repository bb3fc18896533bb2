/*
 * Memory that lives as long as the command, and the map in it.
 */
#include <stdalign.h>

#include "base/arena.h"
#include "base/map.h"
#include "tests/unit/tap.h"

static bool is_zero(const unsigned char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] != 0)
			return false;
	}
	return true;
}

static void test_alloc(void)
{
	struct arena arena = { 0 };
	char *small = arena_alloc(&arena, 1);
	unsigned char *large = arena_alloc(&arena, 1 << 20);

	tap_ok((uintptr_t)small % alignof(max_align_t) == 0 &&
		       (uintptr_t)large % alignof(max_align_t) == 0,
	       "memory is aligned");
	tap_ok(is_zero(large, 1 << 20), "larger than a chunk, and zero");
	memset(large, 1, 1 << 20);
	tap_ok(arena_alloc(&arena, 0) != NULL, "nothing has a place too");
	tap_text(arena_join(&arena, "a", "", "bc", NULL), "abc", "join");
	tap_text(arena_printf(&arena, "%d-%s", 1, "x"), "1-x", "printf");
	tap_text(arena_strndup(&arena, "abc", 2), "ab", "strndup");
	arena_done(&arena);
	tap_ok(arena.first == NULL, "done leaves nothing");
	arena_done(&arena);
}

static void test_grow(void)
{
	struct arena arena = { 0 };
	int *numbers = NULL;
	bool good = true;
	unsigned moves = 0;

	for (size_t i = 0; i < 1000; i++) {
		int *grown = arena_grow(&arena, numbers, i, sizeof(*numbers));

		moves += grown != numbers;
		numbers = grown;
		numbers[i] = (int)i;
	}
	for (size_t i = 0; i < 1000; i++)
		good &= numbers[i] == (int)i;
	tap_ok(good, "an array keeps what is in it");
	tap_number(moves, 8, "and moves when its room doubles");
	numbers = NULL;
	for (size_t i = 0; i < 200; i++) {
		numbers = arena_grow_from(&arena, numbers, i, sizeof(*numbers),
					  64);
		numbers[i] = (int)i;
	}
	tap_ok(numbers[0] == 0 && numbers[63] == 63 && numbers[199] == 199,
	       "from another first room");
	arena_done(&arena);
}

static void test_rewind(void)
{
	struct arena arena = { 0 };
	unsigned char *before, *after;

	before = arena_alloc(&arena, 1000);
	memset(before, 0xff, 1000);
	arena_rewind(&arena);
	after = arena_alloc(&arena, 1000);
	tap_ok(before == after, "the same memory again");
	tap_ok(is_zero(after, 1000), "and zero again");
	(void)memset(arena_alloc(&arena, 1 << 20), 0xff, 1 << 20);
	(void)memset(arena_alloc(&arena, 1000), 0xff, 1000);
	arena_rewind(&arena);
	tap_ok(is_zero(arena_alloc(&arena, 1 << 20), 1 << 20) &&
		       is_zero(arena_alloc(&arena, 200000), 200000) &&
		       is_zero(arena_alloc(&arena, 200000), 200000),
	       "over all its chunks");
	arena_rewind(&arena);
	arena_done(&arena);
}

static void test_map(void)
{
	struct arena arena = { 0 };
	struct map map;
	bool good = true;

	map_init(&map, &arena);
	tap_ok(map_get(&map, "x") == NULL, "nothing in an empty map");
	for (unsigned i = 0; i < 5000; i++)
		map_put(&map, arena_printf(&arena, "/key/%u", i),
			arena_printf(&arena, "%u", i));
	for (unsigned i = 0; i < 5000; i++) {
		const char *value = map_get(&map,
					    arena_printf(&arena, "/key/%u", i));

		good &= value != NULL &&
			strcmp(value, arena_printf(&arena, "%u", i)) == 0;
	}
	tap_ok(good && map.count == 5000, "five thousand keys");
	tap_ok(map_get(&map, "/key/5000") == NULL, "and no other");
	map_put(&map, "/key/7", &map);
	tap_ok(map_get(&map, "/key/7") == &map && map.count == 5000,
	       "a key is replaced");
	map_put(&map, "", &arena);
	tap_ok(map_get(&map, "") == &arena, "the empty key");
	arena_done(&arena);
}

int main(void)
{
	test_alloc();
	test_grow();
	test_rewind();
	test_map();
	return tap_done();
}
