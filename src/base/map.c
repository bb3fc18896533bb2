/*
 * Open addressing with linear probing at most three quarters full. FNV-1a is
 * enough: a collision costs time, never a wrong answer, and the number of keys
 * is bounded by what the user typed.
 */
#include <string.h>

#include "base/arena.h"
#include "base/map.h"

void map_init(struct map *map, struct arena *arena)
{
	*map = (struct map){ .arena = arena };
}

static uint64_t hash_of(const char *key)
{
	uint64_t hash = 0xcbf29ce484222325ULL;

	for (; *key != '\0'; key++)
		hash = (hash ^ (unsigned char)*key) * 0x100000001b3ULL;
	return hash;
}

/* The entry of the key, or the free one where it belongs. */
static struct map_entry *slot_of(struct map_entry *entries, size_t room,
				 const char *key, uint64_t hash)
{
	size_t at = hash & (room - 1);

	while (entries[at].key != NULL &&
	       (entries[at].hash != hash || strcmp(entries[at].key, key) != 0))
		at = (at + 1) & (room - 1);
	return &entries[at];
}

static void widen(struct map *map)
{
	size_t room = map->room == 0 ? 64 : map->room * 2;
	struct map_entry *entries = arena_alloc(map->arena,
						room * sizeof(*entries));

	for (size_t i = 0; i < map->room; i++) {
		struct map_entry *old = &map->entries[i];

		if (old->key != NULL)
			*slot_of(entries, room, old->key, old->hash) = *old;
	}
	map->entries = entries;
	map->room = room;
}

void *map_get(const struct map *map, const char *key)
{
	if (map->room == 0)
		return NULL;
	return slot_of(map->entries, map->room, key, hash_of(key))->value;
}

void map_put(struct map *map, const char *key, void *value)
{
	struct map_entry *entry;
	uint64_t hash = hash_of(key);

	if (map->count * 4 >= map->room * 3)
		widen(map);
	entry = slot_of(map->entries, map->room, key, hash);
	if (entry->key == NULL)
		map->count++;
	*entry = (struct map_entry){ hash, key, value };
}
