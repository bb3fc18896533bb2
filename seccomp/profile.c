/*
 * An OCI seccomp profile as struct profile. Accepted is the runtime-spec
 * object together with what Docker and Podman add to it: archMap, includes,
 * excludes, errno names. What only cordon knows is under the key cordon.
 */
#include "profile.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "entry.h"
#include "reader.h"

/* The top object in the making. */
struct head {
	struct answer answer;
	bool has_architectures;
	bool has_map;
};

static void read_default_action(struct reader *reader, const struct spot *spot,
				struct json_object *value, void *into)
{
	answer_read_action(reader, spot, value, &((struct head *)into)->answer);
}

static void read_default_number(struct reader *reader, const struct spot *spot,
				struct json_object *value, void *into)
{
	answer_read_number(reader, spot, value, &((struct head *)into)->answer);
}

static void read_default_errno(struct reader *reader, const struct spot *spot,
			       struct json_object *value, void *into)
{
	answer_read_errno(reader, spot, value, &((struct head *)into)->answer);
}

/* Profiles list the architectures of all machines. */
static void read_architecture(struct reader *reader, const struct spot *spot,
			      struct json_object *value, void *into)
{
	const char *word = json_object_get_string(value);
	const struct arch *arch = words_arch(word);

	(void)into;
	if (arch)
		reader->profile->archs[arch - words_archs] = true;
	else if (strncmp(word, "SCMP_ARCH_", 10) != 0)
		reader_unknown(reader, spot, "architecture", value);
}

static const struct field architecture = { .type = json_type_string,
					   .read = read_architecture };

static void read_architectures(struct reader *reader, const struct spot *spot,
			       struct json_object *value, void *into)
{
	((struct head *)into)->has_architectures = true;
	reader_list(reader, spot, value, &architecture, NULL);
}

static void read_native(struct reader *reader, const struct spot *spot,
			struct json_object *value, void *into)
{
	const char *word = json_object_get_string(value);

	if (strncmp(word, "SCMP_ARCH_", 10) != 0)
		reader_unknown(reader, spot, "architecture", value);
	*(bool *)into = strcmp(word, words_archs[0].name) == 0;
}

/* Whether they count is only known when the whole object has been read. */
static const struct field map_fields[] = {
	{ "architecture", json_type_string, true, read_native },
	{ "subArchitectures", json_type_array, false, reader_ignore },
	{ 0 },
};

static void read_map_element(struct reader *reader, const struct spot *spot,
			     struct json_object *value, void *into)
{
	struct json_object *list = json_object_object_get(value,
							  "subArchitectures");
	const struct spot here = { .up = spot, .key = "subArchitectures" };
	bool native = false;

	reader_object(reader, spot, value, map_fields, &native);
	if (native && json_object_is_type(list, json_type_array))
		reader_list(reader, &here, list, &architecture, into);
}

static void read_map(struct reader *reader, const struct spot *spot,
		     struct json_object *value, void *into)
{
	static const struct field element = { .type = json_type_object,
					      .read = read_map_element };

	((struct head *)into)->has_map = true;
	reader_list(reader, spot, value, &element, NULL);
}

/* Flags belong to the loading. None of the known ones makes a filter tighter:
 * TSYNC is for threads, LOG for the audit log, SPEC_ALLOW gives away a
 * processor mitigation. */
static void read_flag(struct reader *reader, const struct spot *spot,
		      struct json_object *value, void *into)
{
	(void)into;
	if (!words_flag(json_object_get_string(value)))
		reader_unknown(reader, spot, "flag", value);
	else
		problems_note(reader->problems, spot, "note: %s is not used",
			      json_object_get_string(value));
}

static void read_flags(struct reader *reader, const struct spot *spot,
		       struct json_object *value, void *into)
{
	static const struct field element = { .type = json_type_string,
					      .read = read_flag };

	reader_list(reader, spot, value, &element, into);
}

static void read_syscalls(struct reader *reader, const struct spot *spot,
			  struct json_object *value, void *into)
{
	static const struct field element = { .type = json_type_object,
					      .read = entry_read };
	struct profile *profile = reader->profile;
	const size_t room = profile->count + json_object_array_length(value);
	struct entry *entries;

	(void)into;
	entries = reallocarray(profile->entries, room + 1, sizeof(*entries));
	if (!entries) {
		problems_add(reader->problems, spot, "%s", strerror(ENOMEM));
		return;
	}
	profile->entries = entries;
	reader_list(reader, spot, value, &element, profile);
}

static void read_match(struct reader *reader, const struct spot *spot,
		       struct json_object *value, void *into)
{
	(void)into;
	if (strcmp(json_object_get_string(value), "first") == 0)
		reader->profile->first = true;
	else
		reader_unknown(reader, spot, "order", value);
}

static void add_number(struct reader *reader, const struct spot *spot,
		       struct json_object *value, struct number number)
{
	struct profile *profile = reader->profile;
	const size_t room = profile->number_count + 1;
	struct number *numbers;
	uint64_t wide;

	if (!json_object_is_type(value, json_type_int)) {
		problems_add(reader->problems, spot, "must be int");
		return;
	}
	/* x32 sets bit 30; no call's own number comes anywhere near. */
	if (!reader_number(reader, spot, value, UINT16_MAX, &wide))
		return;
	numbers = reallocarray(profile->numbers, room, sizeof(*numbers));
	if (!numbers) {
		problems_add(reader->problems, spot, "%s", strerror(ENOMEM));
		return;
	}
	number.number = (uint32_t)wide;
	profile->numbers = numbers;
	profile->numbers[profile->number_count++] = number;
}

/* One number for all, or an object with one for each architecture. */
static void read_number(struct reader *reader, const struct spot *spot,
			struct json_object *value)
{
	struct number number = { .name = spot->key };

	if (!json_object_is_type(value, json_type_object)) {
		add_number(reader, spot, value, number);
		return;
	}
	json_object_object_foreach(value, key, member)
	{
		const struct spot here = { .up = spot, .key = key };

		number.arch = key;
		if (strncmp(key, "SCMP_ARCH_", 10) == 0)
			add_number(reader, &here, member, number);
		else
			problems_add(reader->problems, &here, "unknown key");
	}
}

static void read_numbers(struct reader *reader, const struct spot *spot,
			 struct json_object *value, void *into)
{
	(void)into;
	json_object_object_foreach(value, key, member)
	{
		const struct spot here = { .up = spot, .key = key };

		read_number(reader, &here, member);
	}
}

static const struct field cordon_fields[] = {
	{ "comment", json_type_string, false, reader_ignore },
	{ "match", json_type_string, false, read_match },
	{ "numbers", json_type_object, false, read_numbers },
	{ 0 },
};

static void read_cordon(struct reader *reader, const struct spot *spot,
			struct json_object *value, void *into)
{
	reader_object(reader, spot, value, cordon_fields, into);
}

static void read_listener(struct reader *reader, const struct spot *spot,
			  struct json_object *value, void *into)
{
	(void)value;
	(void)into;
	problems_add(reader->problems, spot,
		     "notification needs a supervising process, which cordon "
		     "does not give it");
}

static const struct field profile_fields[] = {
	{ "defaultAction", json_type_string, true, read_default_action },
	{ "defaultErrnoRet", json_type_int, false, read_default_number },
	{ "defaultErrno", json_type_string, false, read_default_errno },
	{ "architectures", json_type_array, false, read_architectures },
	{ "archMap", json_type_array, false, read_map },
	{ "flags", json_type_array, false, read_flags },
	{ "listenerPath", json_type_string, false, read_listener },
	{ "listenerMetadata", json_type_string, false, read_listener },
	{ "syscalls", json_type_array, false, read_syscalls },
	{ "comment", json_type_string, false, reader_ignore },
	{ "cordon", json_type_object, false, read_cordon },
	{ 0 },
};

/* The frame is the first file's; a fragment cannot change it. */
static const struct field fragment_fields[] = {
	{ "syscalls", json_type_array, true, read_syscalls },
	{ "comment", json_type_string, false, reader_ignore },
	{ "cordon", json_type_object, false, read_cordon },
	{ 0 },
};

static void read_head(struct reader *reader, const struct spot *spot,
		      struct json_object *tree)
{
	struct profile *profile = reader->profile;
	struct head head = { 0 };

	profile->archs[0] = true;
	reader_object(reader, spot, tree, profile_fields, &head);
	profile->action = answer_whole(reader, spot, &head.answer);
	if (head.has_architectures && head.has_map)
		problems_add(reader->problems, spot,
			     "architectures and archMap exclude each other");
}

static void read_file(struct profile *profile, size_t file,
		      struct problems *problems)
{
	const struct spot spot = { .key = profile->paths[file] };
	struct reader reader = { .problems = problems,
				 .profile = profile,
				 .file = file };
	struct json_object *tree = reader_load(spot.key, problems);

	profile->trees[file] = tree;
	if (!tree)
		return;
	if (!json_object_is_type(tree, json_type_object))
		problems_add(problems, &spot, "must be an object");
	else if (file == 0)
		read_head(&reader, &spot, tree);
	else
		reader_object(&reader, &spot, tree, fragment_fields, NULL);
}

int profile_read(struct profile *profile, char *const *paths, size_t count,
		 struct problems *problems)
{
	*profile = (struct profile){ .paths = paths };
	/* An array of pointers. NOLINTNEXTLINE(bugprone-sizeof-expression) */
	profile->trees = calloc(count, sizeof(*profile->trees));
	if (!profile->trees)
		return -ENOMEM;
	profile->file_count = count;
	for (size_t i = 0; i < count; i++)
		read_file(profile, i, problems);
	return 0;
}

void profile_done(struct profile *profile)
{
	for (size_t i = 0; i < profile->file_count; i++)
		json_object_put(profile->trees[i]);
	free(profile->trees);
	free(profile->entries);
	free(profile->numbers);
}
