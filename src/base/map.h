/*
 * A hash table from text to pointers, in an arena. Only grows.
 */
#ifndef CORDON_BASE_MAP_H
#define CORDON_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

struct arena;

struct map {
	struct arena *arena;
	struct map_entry *entries; /* room is a power of two, or 0 */
	size_t count, room;
};

struct map_entry {
	uint64_t hash;
	const char *key; /* NULL: free */
	void *value;
};

void map_init(struct map *map, struct arena *arena);

/* NULL when there is none. */
void *map_get(const struct map *map, const char *key);

/* Replaces what the key had; the key is borrowed for the life of the map. */
void map_put(struct map *map, const char *key, void *value);

#endif
