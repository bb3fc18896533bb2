/*
 * Contents that facts carry. Inside the host room only.
 */
#ifndef CORDON_HOST_READ_H
#define CORDON_HOST_READ_H

#include <stdbool.h>

struct arena;
struct path_fact;

/* fd is an O_PATH descriptor of the object. A file that cannot be read leaves
 * the fact without contents. */
void read_head(struct path_fact *fact, struct arena *arena, int fd);
void read_text(struct path_fact *fact, struct arena *arena, int fd);
void read_names(struct path_fact *fact, struct arena *arena, int fd);
void read_texts(struct path_fact *fact, struct arena *arena, int fd);

/* Does any mount lie below the directory? True when that cannot be known. */
bool read_submounts(struct arena *arena, const char *real);

#endif
