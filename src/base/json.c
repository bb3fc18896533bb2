/*
 * Writing JSON.
 */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"

void json_init(struct json *json, struct text *out)
{
	json->out = out;
	json->first = true;
}

/* Length of the UTF-8 sequence at bytes, 0 when it is not one (RFC 3629: no
 * overlong forms, no surrogates, nothing above U+10FFFF). */
static size_t sequence(const unsigned char *b, size_t left)
{
	size_t more;
	unsigned char low = 0x80, high = 0xbf;

	if (b[0] < 0x80)
		return 1;
	if (b[0] >= 0xc2 && b[0] <= 0xdf)
		more = 1;
	else if (b[0] >= 0xe0 && b[0] <= 0xef)
		more = 2;
	else if (b[0] >= 0xf0 && b[0] <= 0xf4)
		more = 3;
	else
		return 0;
	if (b[0] == 0xe0)
		low = 0xa0;
	else if (b[0] == 0xf0)
		low = 0x90;
	else if (b[0] == 0xed)
		high = 0x9f;
	else if (b[0] == 0xf4)
		high = 0x8f;
	if (more >= left || b[1] < low || b[1] > high)
		return 0;
	for (size_t i = 2; i <= more; i++) {
		if ((b[i] & 0xc0) != 0x80)
			return 0;
	}
	return more + 1;
}

bool json_is_utf8(const char *bytes, size_t length)
{
	const unsigned char *b = (const unsigned char *)bytes;
	size_t at = 0;

	while (at < length) {
		size_t n = sequence(b + at, length - at);

		if (n == 0)
			return false;
		at += n;
	}
	return true;
}

static void add_escaped(struct text *out, const char *value)
{
	static const char short_forms[] = "\"\\\b\f\n\r\t";
	static const char letters[] = "\"\\bfnrt";

	text_add_char(out, '"');
	for (; *value != '\0'; value++) {
		const char *form = strchr(short_forms, *value);

		if (form != NULL) {
			text_add_char(out, '\\');
			text_add_char(out, letters[form - short_forms]);
		} else if ((unsigned char)*value < 0x20 || *value == 0x7f) {
			text_printf(out, "\\u%04x", (unsigned)*value);
		} else {
			text_add_char(out, *value);
		}
	}
	text_add_char(out, '"');
}

static void add_base64(struct text *out, const char *value, size_t length)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz"
				     "0123456789+/";
	const unsigned char *b = (const unsigned char *)value;

	text_add_char(out, '"');
	for (size_t i = 0; i < length; i += 3) {
		size_t left = length - i;
		unsigned bits = (unsigned)b[i] << 16;

		if (left > 1)
			bits |= (unsigned)b[i + 1] << 8;
		if (left > 2)
			bits |= b[i + 2];
		text_add_char(out, digits[bits >> 18]);
		text_add_char(out, digits[bits >> 12 & 63]);
		text_add_char(out, left > 1 ? digits[bits >> 6 & 63] : '=');
		text_add_char(out, left > 2 ? digits[bits & 63] : '=');
	}
	text_add_char(out, '"');
}

static void begin(struct json *json, const char *name, const char *suffix)
{
	if (!json->first)
		text_add_char(json->out, ',');
	json->first = false;
	if (name == NULL)
		return;
	text_add_char(json->out, '"');
	text_add(json->out, name);
	text_add(json->out, suffix);
	text_add(json->out, "\":");
}

void json_open(struct json *json, const char *name, char bracket)
{
	begin(json, name, "");
	text_add_char(json->out, bracket);
	json->first = true;
}

void json_close(struct json *json, char bracket)
{
	text_add_char(json->out, bracket);
	json->first = false;
}

void json_string(struct json *json, const char *name, const char *value)
{
	size_t length = strlen(value);

	if (json_is_utf8(value, length)) {
		begin(json, name, "");
		add_escaped(json->out, value);
		return;
	}
	if (name != NULL) {
		begin(json, name, "_b64");
		add_base64(json->out, value, length);
		return;
	}
	/* in an array there is no name to mark it by: an object carries it */
	json_open(json, NULL, '{');
	begin(json, "b64", "");
	add_base64(json->out, value, length);
	json_close(json, '}');
}

void json_number(struct json *json, const char *name, uint64_t value)
{
	begin(json, name, "");
	text_add_number(json->out, value);
}

void json_bool(struct json *json, const char *name, bool value)
{
	begin(json, name, "");
	text_add(json->out, value ? "true" : "false");
}

void json_null(struct json *json, const char *name)
{
	begin(json, name, "");
	text_add(json->out, "null");
}
