/*
 * One element of syscalls[]: what it answers to which calls, under which
 * conditions on their arguments, and whether it counts here at all.
 */
#include "entry.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "answer.h"

/* An element of syscalls[] in the making. */
struct draft {
	struct entry entry;
	struct answer answer;
	bool skip;
};

/* includes or excludes. */
struct gate {
	struct draft *draft;
	bool excludes;
};

/* args[] */

static void read_index(struct reader *reader, const struct spot *spot,
		       struct json_object *value, void *into)
{
	struct condition *condition = into;
	uint64_t number;

	if (reader_number(reader, spot, value, ARGUMENTS - 1, &number))
		condition->argument = (unsigned int)number;
}

static void read_value(struct reader *reader, const struct spot *spot,
		       struct json_object *value, void *into)
{
	struct condition *condition = into;

	reader_number(reader, spot, value, UINT64_MAX, &condition->value);
}

static void read_value_two(struct reader *reader, const struct spot *spot,
			   struct json_object *value, void *into)
{
	struct condition *condition = into;

	reader_number(reader, spot, value, UINT64_MAX, &condition->mask);
}

static void read_comparison(struct reader *reader, const struct spot *spot,
			    struct json_object *value, void *into)
{
	struct condition *condition = into;

	if (!words_comparison(json_object_get_string(value),
			      &condition->comparison))
		reader_unknown(reader, spot, "operator", value);
}

static const struct field condition_fields[] = {
	{ "index", json_type_int, true, read_index },
	{ "value", json_type_int, true, read_value },
	{ "valueTwo", json_type_int, false, read_value_two },
	{ "op", json_type_string, true, read_comparison },
	{ 0 },
};

/* In the format a mask is `value` and what it must leave is `valueTwo`. */
static void set_mask(struct reader *reader, const struct spot *spot,
		     struct condition *condition)
{
	const uint64_t value = condition->value;
	const uint64_t two = condition->mask;

	if (condition->comparison != COMPARE_MASKED_EQ) {
		if (two)
			problems_add(reader->problems, spot,
				     "valueTwo is for SCMP_CMP_MASKED_EQ");
		condition->mask = UINT64_MAX;
		return;
	}
	if (two & ~value)
		problems_add(reader->problems, spot,
			     "valueTwo has bits outside the mask: this never "
			     "holds");
	condition->comparison = COMPARE_EQ;
	condition->value = two;
	condition->mask = value;
}

/* Runtimes disagree about one argument tested twice: libseccomp refuses it,
 * runc makes it an alternative, and whoever wrote it meant both. */
static bool is_tested(const struct rule *rule, unsigned int argument)
{
	for (size_t i = 0; i < rule->count; i++) {
		if (rule->conditions[i].argument == argument)
			return true;
	}
	return false;
}

static void read_condition(struct reader *reader, const struct spot *spot,
			   struct json_object *value, void *into)
{
	struct rule *rule = &((struct draft *)into)->entry.rule;
	struct condition condition = { .comparison = COMPARE_EQ };

	reader_object(reader, spot, value, condition_fields, &condition);
	set_mask(reader, spot, &condition);
	if (is_tested(rule, condition.argument))
		problems_add(reader->problems, spot,
			     "argument %u is tested twice; write one entry "
			     "for each test",
			     condition.argument);
	else
		rule->conditions[rule->count++] = condition;
}

static void read_conditions(struct reader *reader, const struct spot *spot,
			    struct json_object *value, void *into)
{
	static const struct field element = { .type = json_type_object,
					      .read = read_condition };

	reader_list(reader, spot, value, &element, into);
}

/* includes, excludes: the conditions under which an entry counts. */

/* The sandbox has no capabilities, so an entry that needs one is out. */
static void read_capability(struct reader *reader, const struct spot *spot,
			    struct json_object *value, void *into)
{
	const struct gate *gate = into;

	if (strncmp(json_object_get_string(value), "CAP_", 4) != 0)
		reader_unknown(reader, spot, "capability", value);
	else if (!gate->excludes)
		gate->draft->skip = true;
}

static void read_capabilities(struct reader *reader, const struct spot *spot,
			      struct json_object *value, void *into)
{
	static const struct field element = { .type = json_type_string,
					      .read = read_capability };

	reader_list(reader, spot, value, &element, into);
}

static void match_arch(struct reader *reader, const struct spot *spot,
		       struct json_object *value, void *into)
{
	(void)reader;
	(void)spot;
	if (strcmp(json_object_get_string(value), words_go_arch) == 0)
		*(bool *)into = true;
}

static void read_arches(struct reader *reader, const struct spot *spot,
			struct json_object *value, void *into)
{
	static const struct field element = { .type = json_type_string,
					      .read = match_arch };
	const struct gate *gate = into;
	bool found = false;

	reader_list(reader, spot, value, &element, &found);
	if (json_object_array_length(value) > 0 && found == gate->excludes)
		gate->draft->skip = true;
}

/* "4.8" or "6.1.0-18-amd64": the first two numbers count. */
static bool parse_release(const char *text, unsigned long release[2])
{
	char *end;

	for (int i = 0; i < 2; i++) {
		if (*text < '0' || *text > '9')
			return false;
		release[i] = strtoul(text, &end, 10);
		if (i == 0 && *end != '.')
			return false;
		text = end + 1;
	}
	return true;
}

static void read_kernel(struct reader *reader, const struct spot *spot,
			struct json_object *value, void *into)
{
	const struct gate *gate = into;
	unsigned long asked[2];
	unsigned long running[2];
	struct utsname name;
	bool enough;

	if (!parse_release(json_object_get_string(value), asked)) {
		reader_unknown(reader, spot, "kernel version", value);
		return;
	}
	if (uname(&name) < 0 || !parse_release(name.release, running)) {
		problems_add(reader->problems, spot,
			     "cannot tell the running kernel's version");
		return;
	}
	enough = running[0] > asked[0] ||
		 (running[0] == asked[0] && running[1] >= asked[1]);
	if (enough == gate->excludes)
		gate->draft->skip = true;
}

static const struct field gate_fields[] = {
	{ "caps", json_type_array, false, read_capabilities },
	{ "arches", json_type_array, false, read_arches },
	{ "minKernel", json_type_string, false, read_kernel },
	{ 0 },
};

static void read_includes(struct reader *reader, const struct spot *spot,
			  struct json_object *value, void *into)
{
	struct gate gate = { .draft = into };

	reader_object(reader, spot, value, gate_fields, &gate);
}

static void read_excludes(struct reader *reader, const struct spot *spot,
			  struct json_object *value, void *into)
{
	struct gate gate = { .draft = into, .excludes = true };

	reader_object(reader, spot, value, gate_fields, &gate);
}

/* syscalls[] */

static void read_name(struct reader *reader, const struct spot *spot,
		      struct json_object *value, void *into)
{
	struct draft *draft = into;

	if (draft->entry.names)
		problems_add(reader->problems, spot,
			     "name and names exclude each other");
	draft->entry.names = value;
}

static void read_names(struct reader *reader, const struct spot *spot,
		       struct json_object *value, void *into)
{
	static const struct field element = { .type = json_type_string,
					      .read = reader_ignore };

	reader_list(reader, spot, value, &element, into);
	read_name(reader, spot, value, into);
}

static void read_entry_action(struct reader *reader, const struct spot *spot,
			      struct json_object *value, void *into)
{
	answer_read_action(reader, spot, value,
			   &((struct draft *)into)->answer);
}

static void read_entry_number(struct reader *reader, const struct spot *spot,
			      struct json_object *value, void *into)
{
	answer_read_number(reader, spot, value,
			   &((struct draft *)into)->answer);
}

static void read_entry_errno(struct reader *reader, const struct spot *spot,
			     struct json_object *value, void *into)
{
	answer_read_errno(reader, spot, value, &((struct draft *)into)->answer);
}

static const struct field entry_fields[] = {
	{ "names", json_type_array, false, read_names },
	{ "name", json_type_string, false, read_name },
	{ "action", json_type_string, true, read_entry_action },
	{ "errnoRet", json_type_int, false, read_entry_number },
	{ "errno", json_type_string, false, read_entry_errno },
	{ "args", json_type_array, false, read_conditions },
	{ "includes", json_type_object, false, read_includes },
	{ "excludes", json_type_object, false, read_excludes },
	{ "comment", json_type_string, false, reader_ignore },
	{ 0 },
};

void entry_read(struct reader *reader, const struct spot *spot,
		struct json_object *value, void *into)
{
	struct profile *profile = into;
	struct draft draft = { .entry = { .file = reader->file,
					  .index = spot->index } };

	reader_object(reader, spot, value, entry_fields, &draft);
	draft.entry.rule.action = answer_whole(reader, spot, &draft.answer);
	if (!draft.entry.names)
		problems_add(reader->problems, spot, "lacks \"names\"");
	else if (!draft.skip)
		profile->entries[profile->count++] = draft.entry;
}

const char *entry_name(const struct entry *entry, size_t index)
{
	struct json_object *names = entry->names;

	if (json_object_is_type(names, json_type_string))
		return index == 0 ? json_object_get_string(names) : NULL;
	if (index >= json_object_array_length(names))
		return NULL;
	return json_object_get_string(json_object_array_get_idx(names, index));
}
