/*
 * Reading the plan. Flags are read by their numbers, which are part of what
 * show prints.
 */
#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "base/arena.h"
#include "base/path.h"
#include "inspect/plan.h"

enum { BIND_READ = 1 };

static struct json_object *member(struct json_object *object, const char *name)
{
	struct json_object *value = NULL;

	(void)json_object_object_get_ex(object, name, &value);
	return value;
}

static int digit_of(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c == '\0' ? NULL : strchr(digits, c);

	return at == NULL ? -1 : (int)(at - digits);
}

/* A path whose bytes are not UTF-8 is printed as base64. */
static const char *decode(struct arena *arena, const char *words)
{
	char *bytes = arena_alloc(arena, strlen(words) + 1);
	char *end = bytes;
	unsigned held = 0, bits = 0;

	for (; digit_of(*words) >= 0; words++) {
		held = held << 6 | (unsigned)digit_of(*words);
		bits += 6;
		if (bits < 8)
			continue;
		bits -= 8;
		*end++ = (char)(held >> bits & 0xff);
	}
	return bytes;
}

static const char *get_text(struct arena *arena, struct json_object *object,
			    const char *name)
{
	struct json_object *value = member(object, name);
	const char *coded = arena_join(arena, name, "_b64", NULL);

	if (value != NULL)
		return arena_strdup(arena, json_object_get_string(value));
	value = member(object, coded);
	return value == NULL ? NULL
			     : decode(arena, json_object_get_string(value));
}

static uint64_t get_number(struct json_object *object, const char *name)
{
	struct json_object *value = member(object, name);

	return value == NULL ? 0 : (uint64_t)json_object_get_int64(value);
}

static int read_op(struct arena *arena, struct json_object *from,
		   struct shown_op *op)
{
	op->kind = get_text(arena, from, "op");
	op->path = get_text(arena, from, "path");
	op->source = get_text(arena, from, "source");
	op->slot = member(from, "slot") == NULL ? -1
						: (int)get_number(from, "slot");
	op->mode = (unsigned)get_number(from, "mode");
	op->flags = get_number(from, "flags");
	op->a = get_number(from, "a");
	op->b = get_number(from, "b");
	return op->kind == NULL ? -EPROTO : 0;
}

static int read_ops(struct shown *shown, struct arena *arena,
		    struct json_object *list)
{
	int err = 0;

	if (!json_object_is_type(list, json_type_array))
		return -EPROTO;
	shown->count = json_object_array_length(list);
	shown->ops = arena_alloc(arena,
				 (shown->count + 1) * sizeof(*shown->ops));
	for (size_t i = 0; i < shown->count && err == 0; i++)
		err = read_op(arena, json_object_array_get_idx(list, i),
			      &shown->ops[i]);
	return err;
}

static void read_kept(struct shown *shown, struct arena *arena,
		      struct json_object *list)
{
	size_t count = list == NULL ? 0 : json_object_array_length(list);
	int *fds = arena_alloc(arena, (count + 1) * sizeof(*fds));

	for (size_t i = 0; i < count; i++)
		fds[i] =
			json_object_get_int(json_object_array_get_idx(list, i));
	shown->keep_fds = fds;
	shown->keep_count = count;
}

static void read_filter(struct shown *shown, struct json_object *tree)
{
	static const char *const shipped[] = { "default", "devel",
					       "default+nested",
					       "devel+nested" };
	const struct shown_op *op = shown_find(shown, "filter");

	shown->nested = json_object_get_boolean(member(tree, "nested"));
	if (op == NULL)
		return;
	shown->filter = op->source == NULL ? "" : op->source;
	shown->own_filter = true;
	for (size_t i = 0; i < sizeof(shipped) / sizeof(*shipped); i++) {
		if (strcmp(shown->filter, shipped[i]) == 0)
			shown->own_filter = false;
	}
}

int shown_read(struct shown *shown, struct arena *arena, const char *json)
{
	struct json_object *tree = json_tokener_parse(json);
	int err = -EPROTO;

	*shown = (struct shown){ 0 };
	if (json_object_is_type(tree, json_type_object))
		err = read_ops(shown, arena, member(tree, "ops"));
	if (err == 0) {
		read_kept(shown, arena, member(tree, "keep_fds"));
		read_filter(shown, tree);
	}
	(void)json_object_put(tree);
	return err;
}

bool shown_is(const struct shown_op *op, const char *kind)
{
	return strcmp(op->kind, kind) == 0;
}

const struct shown_op *shown_find(const struct shown *shown, const char *kind)
{
	for (size_t i = 0; i < shown->count; i++) {
		if (shown_is(&shown->ops[i], kind))
			return &shown->ops[i];
	}
	return NULL;
}

const char *shown_source(const struct shown *shown, const struct shown_op *op)
{
	for (size_t i = 0; op->slot >= 0 && i < shown->count; i++) {
		if (shown_is(&shown->ops[i], "source") &&
		    shown->ops[i].slot == op->slot)
			return shown->ops[i].source;
	}
	return NULL;
}

static bool is_place(const struct shown_op *op)
{
	static const char *const kinds[] = {
		"root",	 "root-bind", "bind",	 "overlay", "private",
		"tmpfs", "same",      "cover",	 "dev",	    "device",
		"proc",	 "cgroups",   "protect", "mask",    "console",
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (shown_is(op, kinds[i]))
			return true;
	}
	return false;
}

static const char *place_of(const struct shown_op *op)
{
	return op->path == NULL ? "/" : op->path;
}

static bool is_lid(const struct shown_op *op)
{
	return shown_is(op, "mask") || shown_is(op, "protect");
}

static const struct shown_op *deepest(const struct shown *shown,
				      const char *path, bool with_lids)
{
	const struct shown_op *best = NULL;

	for (size_t i = 0; i < shown->count; i++) {
		const struct shown_op *op = &shown->ops[i];

		if (is_place(op) && path_is_under(path, place_of(op)) &&
		    (with_lids || !is_lid(op)) &&
		    (best == NULL ||
		     strlen(place_of(op)) >= strlen(place_of(best))))
			best = op;
	}
	return best;
}

const struct shown_op *shown_decides(const struct shown *shown,
				     const char *path)
{
	return deepest(shown, path, true);
}

const struct shown_op *shown_below(const struct shown *shown, const char *path)
{
	return deepest(shown, path, false);
}

const char *shown_outside(struct arena *arena, const struct shown *shown,
			  const struct shown_op *op, const char *path)
{
	const char *source = op == NULL ? NULL : shown_source(shown, op);

	return source == NULL ? NULL
			      : path_join(arena, source,
					  path_below(path, place_of(op)));
}

const struct shown_op *shown_shows(struct arena *arena,
				   const struct shown *shown, const char *path)
{
	for (size_t i = 0; i < shown->count; i++) {
		const struct shown_op *op = &shown->ops[i];
		const char *source;

		if (!is_place(op))
			continue;
		source = shown_source(shown, op);
		if (source == NULL || !path_is_under(path, source))
			continue;
		if (shown_decides(shown, path_join(arena, place_of(op),
						   path_below(path, source))) ==
		    op)
			return op;
	}
	return NULL;
}

bool shown_is_read(const struct shown_op *op)
{
	return (op->flags & BIND_READ) != 0 || shown_is(op, "protect");
}

bool shown_has_space(const struct shown *shown, uint64_t flag)
{
	const struct shown_op *op = shown_find(shown, "spaces");

	return op != NULL && (op->flags & flag) != 0;
}
