/*
 * Writing JSON. One flat writer: open, members, close. Output is valid UTF-8:
 * a member whose bytes are not becomes NAME_b64 with base64 of the bytes.
 */
#ifndef CORDON_BASE_JSON_H
#define CORDON_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

struct json {
	struct text *out;
	bool first; /* nothing written yet at this level */
};

void json_init(struct json *json, struct text *out);

/* Objects and arrays; name is NULL inside an array and at the top. */
void json_open(struct json *json, const char *name, char bracket);
void json_close(struct json *json, char bracket);

void json_string(struct json *json, const char *name, const char *value);
void json_number(struct json *json, const char *name, uint64_t value);
void json_bool(struct json *json, const char *name, bool value);
void json_null(struct json *json, const char *name);

bool json_is_utf8(const char *bytes, size_t length);

#endif
