/*
 * JSON text to members with the right type: everything about reading a
 * profile that does not depend on what a profile says. Which members an
 * object may have is a table (struct field); a value of null is the same as
 * no member, as Go's encoder writes it.
 */
#include "reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A real profile has 20 KiB and a depth of 6. */
enum { SIZE_MAX_BYTES = 1 << 20, DEPTH_MAX = 16 };

/* Returns how many bytes @text got, or -errno. */
static ssize_t slurp(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "re");
	size_t length;
	int error = 0;

	if (!file)
		return -errno;
	errno = EIO; /* for a stream that does not say why */
	length = fread(text, 1, size, file);
	if (ferror(file))
		error = -errno;
	else if (length == size)
		error = -EFBIG;
	(void)fclose(file);
	return error ? error : (ssize_t)length;
}

static bool only_space(const char *text, size_t length)
{
	return strspn(text, " \t\r\n") >= length;
}

/* json-c turns a number beyond 64 bits into the largest one, so it is looked
 * for in the text. Returns its place, or SIZE_MAX. */
static size_t find_too_large(const char *text)
{
	static const char digits[] = "0123456789";
	static const char most[] = "18446744073709551615";
	bool quoted = false;
	size_t run;

	for (size_t i = 0; text[i]; i += run) {
		run = strspn(text + i, digits);
		if (!quoted && (run > 20 ||
				(run == 20 && strncmp(text + i, most, 20) > 0)))
			return i;
		if (run > 0)
			continue;
		run = quoted && text[i] == '\\' && text[i + 1] ? 2 : 1;
		if (text[i] == '"')
			quoted = !quoted;
	}
	return SIZE_MAX;
}

/* @text has a NUL at @length. */
static struct json_object *parse(const char *text, size_t length,
				 const struct spot *file,
				 struct problems *problems)
{
	struct json_tokener *tokener = json_tokener_new_ex(DEPTH_MAX);
	struct json_object *tree;
	size_t end = find_too_large(text);

	if (end != SIZE_MAX) {
		problems_add(problems, file, "byte %zu: number out of range",
			     end);
		json_tokener_free(tokener);
		return NULL;
	}
	if (!tokener) {
		problems_add(problems, file, "%s", strerror(ENOMEM));
		return NULL;
	}
	json_tokener_set_flags(tokener,
			       JSON_TOKENER_STRICT |
				       JSON_TOKENER_ALLOW_TRAILING_CHARS |
				       JSON_TOKENER_VALIDATE_UTF8);
	tree = json_tokener_parse_ex(tokener, text, (int)length + 1);
	end = json_tokener_get_parse_end(tokener);
	if (!tree) {
		problems_add(problems, file, "byte %zu: %s", end,
			     json_tokener_error_desc(
				     json_tokener_get_error(tokener)));
	} else if (end < length && !only_space(text + end, length - end)) {
		problems_add(problems, file, "byte %zu: text after the end",
			     end);
		json_object_put(tree);
		tree = NULL;
	}
	json_tokener_free(tokener);
	return tree;
}

struct json_object *reader_load(const char *path, struct problems *problems)
{
	const struct spot file = { .key = path };
	struct json_object *tree = NULL;
	char *text = malloc(SIZE_MAX_BYTES + 1);
	ssize_t length;

	length = text ? slurp(path, text, SIZE_MAX_BYTES + 1) : -ENOMEM;
	if (length == -EFBIG) {
		problems_add(problems, &file, "larger than 1 MiB");
	} else if (length < 0) {
		problems_add(problems, &file, "%s", strerror((int)-length));
	} else {
		text[length] = '\0';
		tree = parse(text, (size_t)length, &file, problems);
	}
	free(text);
	return tree;
}

/* A string with a NUL inside would compare equal to its first half. */
static bool check_type(struct reader *reader, const struct spot *spot,
		       struct json_object *value, enum json_type type)
{
	enum json_type is = json_object_get_type(value);

	if (is != type) {
		problems_add(reader->problems, spot, "must be %s, is %s",
			     json_type_to_name(type), json_type_to_name(is));
		return false;
	}
	if (type == json_type_string &&
	    strlen(json_object_get_string(value)) !=
		    (size_t)json_object_get_string_len(value)) {
		problems_add(reader->problems, spot, "contains a NUL");
		return false;
	}
	return true;
}

static const struct field *find(const struct field *fields, const char *key)
{
	while (fields->key && strcmp(fields->key, key) != 0)
		fields++;
	return fields->key ? fields : NULL;
}

void reader_object(struct reader *reader, const struct spot *spot,
		   struct json_object *value, const struct field *fields,
		   void *into)
{
	json_object_object_foreach(value, key, member)
	{
		const struct spot here = { .up = spot, .key = key };
		const struct field *field = find(fields, key);

		if (!field)
			problems_add(reader->problems, &here, "unknown key");
		else if (member &&
			 check_type(reader, &here, member, field->type))
			field->read(reader, &here, member, into);
	}
	for (; fields->key; fields++) {
		if (fields->required &&
		    !json_object_object_get(value, fields->key))
			problems_add(reader->problems, spot, "lacks \"%s\"",
				     fields->key);
	}
}

void reader_list(struct reader *reader, const struct spot *spot,
		 struct json_object *value, const struct field *element,
		 void *into)
{
	for (size_t i = 0; i < json_object_array_length(value); i++) {
		const struct spot here = { .up = spot, .index = i };
		struct json_object *item = json_object_array_get_idx(value, i);

		if (check_type(reader, &here, item, element->type))
			element->read(reader, &here, item, into);
	}
}

bool reader_number(struct reader *reader, const struct spot *spot,
		   struct json_object *value, uint64_t max, uint64_t *number)
{
	/* get_uint64 turns a negative number into 0, get_int64 a large one
	 * into INT64_MAX: the sign is only wrong when it really is. */
	if (json_object_get_int64(value) < 0 ||
	    json_object_get_uint64(value) > max) {
		problems_add(reader->problems, spot,
			     "%s is not between 0 and %ju",
			     json_object_to_json_string(value), (uintmax_t)max);
		return false;
	}
	*number = json_object_get_uint64(value);
	return true;
}

void reader_unknown(struct reader *reader, const struct spot *spot,
		    const char *what, struct json_object *value)
{
	/* As JSON it is quoted and its control characters are escaped. */
	problems_add(reader->problems, spot, "unknown %s %s", what,
		     json_object_to_json_string_ext(
			     value, JSON_C_TO_STRING_NOSLASHESCAPE));
}

void reader_ignore(struct reader *reader, const struct spot *spot,
		   struct json_object *value, void *into)
{
	(void)reader;
	(void)spot;
	(void)value;
	(void)into;
}
