#ifndef CORDON_SECCOMP_ANSWER_H
#define CORDON_SECCOMP_ANSWER_H

#include "reader.h"

/* An action in the making: its words come as up to three members. */
struct answer {
	uint32_t action;
	bool has_action;
	bool has_number;
	bool has_name;
	uint32_t number;
	uint32_t named;
};

/* Readers of members; @into is a struct answer. */
void answer_read_action(struct reader *reader, const struct spot *spot,
			struct json_object *value, void *into);
void answer_read_number(struct reader *reader, const struct spot *spot,
			struct json_object *value, void *into);
void answer_read_errno(struct reader *reader, const struct spot *spot,
		       struct json_object *value, void *into);

/* What a filter returns for it, once all members are read. */
uint32_t answer_whole(struct reader *reader, const struct spot *spot,
		      const struct answer *answer);

#endif
