/*
 * Reading the description of a machine, and its facts without paths.
 */
#include <elf.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/number.h"
#include "base/path.h"
#include "base/text.h"
#include "policy/policy.h"
#include "tests/golden/canned.h"

static unsigned hex(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c == '\0' ? NULL : strchr(digits, c);

	return at == NULL ? 0 : (unsigned)(at - digits);
}

/* Behind a backslash; returns where to go on. */
static const char *take_escape(struct text *word, const char *at,
			       const char *end)
{
	if (at == end)
		return at;
	if (*at == 'n') {
		text_add_char(word, '\n');
	} else if (*at == 't') {
		text_add_char(word, '\t');
	} else if (*at == 'x' && end - at > 2) {
		text_add_char(word, (char)(hex(at[1]) << 4 | hex(at[2])));
		return at + 3;
	} else {
		text_add_char(word, *at);
	}
	return at + 1;
}

static const char *take_word(struct text *word, const char *at, const char *end)
{
	char quote = '\0';

	for (; at < end && (quote != '\0' || *at != ' '); at++) {
		if (*at == quote) {
			quote = '\0';
		} else if (quote == '\0' && (*at == '\'' || *at == '"')) {
			quote = *at;
		} else if (*at == '\\') {
			at = take_escape(word, at + 1, end) - 1;
		} else {
			text_add_char(word, *at);
		}
	}
	return at;
}

char **canned_words(struct arena *arena, const char *line, size_t length)
{
	const char *end = line + length;
	char **words = NULL;
	size_t count = 0;

	for (;;) {
		struct text word;

		words = arena_grow(arena, words, count, sizeof(*words));
		words[count] = NULL;
		while (line < end && (*line == ' ' || *line == '\t'))
			line++;
		if (line == end)
			return words;
		text_init(&word, arena);
		line = take_word(&word, line, end);
		words[count++] = word.bytes;
	}
}

void canned_init(struct canned *canned, struct arena *arena)
{
	*canned = (struct canned){
		.arena = arena, .next_ino = 2, .next_dev = 40, .cwd = "/"
	};
	map_init(&canned->nodes, arena);
	for (int fd = 0; fd < 3; fd++)
		canned->fds[fd] = FD_FINE;
}

/* The value of KEY=VALUE among the words, or NULL. */
static const char *value_of(char *const *words, const char *key)
{
	size_t length = strlen(key);

	for (; *words != NULL; words++) {
		if (strncmp(*words, key, length) == 0 &&
		    (*words)[length] == '=')
			return *words + length + 1;
	}
	return NULL;
}

static uint32_t number_of(struct canned *canned, char *const *words,
			  const char *key, uint32_t otherwise)
{
	const char *word = value_of(words, key);
	uint64_t number = 0;

	if (word == NULL)
		return otherwise;
	if (number_parse(word, UINT32_MAX, &number) != 0)
		canned->problem = word;
	return (uint32_t)number;
}

static uint32_t mode_of(struct canned *canned, char *const *words,
			uint32_t otherwise)
{
	const char *word = value_of(words, "mode");
	uint32_t mode = 0;

	if (word == NULL)
		return otherwise;
	for (; *word >= '0' && *word <= '7'; word++)
		mode = mode << 3 | (uint32_t)(*word - '0');
	if (*word != '\0')
		canned->problem = word;
	return mode;
}

/* A program that names its loader right behind the headers. */
static void fill_elf(struct canned *canned, struct canned_node *node,
		     const char *loader)
{
	Elf64_Ehdr file = { .e_phoff = sizeof(file), .e_phnum = 1 };
	Elf64_Phdr part = { .p_type = PT_INTERP,
			    .p_offset = sizeof(file) + sizeof(part),
			    .p_filesz = strlen(loader) + 1 };
	struct text text;

	memcpy(file.e_ident, ELFMAG, SELFMAG);
	file.e_ident[EI_CLASS] = ELFCLASS64;
	text_init(&text, canned->arena);
	text_add_bytes(&text, (const char *)&file, sizeof(file));
	text_add_bytes(&text, (const char *)&part, sizeof(part));
	text_add_bytes(&text, loader, strlen(loader) + 1);
	node->text = text.bytes;
	node->length = text.length;
}

static uint64_t dev_of(const struct canned *canned, const char *path)
{
	const struct canned_node *parent =
		map_get(&canned->nodes, path_parent(canned->arena, path));

	return parent == NULL || strcmp(path, "/") == 0 ? (uint64_t)8 << 32 | 1
							: parent->dev;
}

static struct canned_node *add_node(struct canned *canned, const char *path)
{
	struct canned_node *node = map_get(&canned->nodes, path);

	if (*path != '/')
		canned->problem = path;
	if (node == NULL) {
		node = arena_alloc(canned->arena, sizeof(*node));
		canned->list = arena_grow(canned->arena, canned->list,
					  canned->count, sizeof(*canned->list));
		canned->list[canned->count++] = node;
		map_put(&canned->nodes, path, node);
	}
	*node = (struct canned_node){ .path = path,
				      .nlink = 1,
				      .dev = dev_of(canned, path),
				      .ino = canned->next_ino++ };
	return node;
}

static const struct {
	const char *name;
	uint32_t type, mode;
} types[] = {
	{ "dir", S_IFDIR, 0755 },   { "file", S_IFREG, 0644 },
	{ "fifo", S_IFIFO, 0644 },  { "socket", S_IFSOCK, 0755 },
	{ "link", S_IFLNK, 0777 },  { "char", S_IFCHR, 0666 },
	{ "block", S_IFBLK, 0660 }, { "mount", S_IFDIR, 0755 },
};

static void read_contents(struct canned *canned, struct canned_node *node,
			  char *const *words)
{
	const char *text = value_of(words, "text");
	const char *elf = value_of(words, "elf");

	if (text != NULL) {
		node->text = text;
		node->length = strlen(text);
	}
	if (elf != NULL)
		fill_elf(canned, node, elf);
	if (S_ISLNK(node->mode))
		node->target = words[0];
	node->read_only = words[0] != NULL &&
			  strcmp(words[0], "read-only") == 0;
}

static bool read_node(struct canned *canned, char *const *words)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		struct canned_node *node;

		if (strcmp(words[0], types[i].name) != 0 || words[1] == NULL)
			continue;
		node = add_node(canned, words[1]);
		words += 2;
		node->mode = types[i].type |
			     mode_of(canned, words, types[i].mode);
		node->uid = number_of(canned, words, "uid", 0);
		node->gid = number_of(canned, words, "gid", node->uid);
		node->nlink = number_of(canned, words, "nlink", 1);
		node->ino = number_of(canned, words, "ino",
				      (uint32_t)node->ino);
		read_contents(canned, node, words);
		node->mount = strcmp(types[i].name, "mount") == 0;
		if (node->mount)
			node->dev = canned->next_dev++;
		return true;
	}
	return false;
}

static void remove_nodes(struct canned *canned, const char *path)
{
	size_t kept = 0;

	for (size_t i = 0; i < canned->count; i++) {
		struct canned_node *node = canned->list[i];

		if (path_is_under(node->path, path))
			map_put(&canned->nodes, node->path, NULL);
		else
			canned->list[kept++] = node;
	}
	canned->count = kept;
}

static void read_fd(struct canned *canned, char *const *words)
{
	static const char *const states[] = { "shut", "fine", "directory",
					      "block", "path" };
	uint64_t fd;

	canned->problem = words[0];
	if (words[0] == NULL || words[1] == NULL ||
	    number_parse(words[0], CANNED_FDS - 1, &fd) != 0)
		return;
	for (unsigned i = 0; i < sizeof(states) / sizeof(*states); i++) {
		if (strcmp(words[1], states[i]) != 0)
			continue;
		canned->fds[fd] = (enum fd_state)i;
		canned->problem = NULL;
	}
}

static void read_kernel(struct canned *canned, char *const *words)
{
	const char *word = value_of(words, "kernel");
	uint64_t major, minor;
	size_t dot;

	if (word == NULL)
		return;
	dot = strcspn(word, ".");
	if (word[dot] != '.' ||
	    number_parse(arena_strndup(canned->arena, word, dot), 255,
			 &major) != 0 ||
	    number_parse(word + dot + 1, 255, &minor) != 0)
		canned->problem = word;
	else
		canned->machine.kernel = (unsigned)(major << 8 | minor);
}

static void read_machine(struct canned *canned, char *const *words)
{
	struct facts *machine = &canned->machine;

	machine->uid = number_of(canned, words, "uid", machine->uid);
	machine->gid = number_of(canned, words, "gid", machine->gid);
	machine->landlock = number_of(canned, words, "landlock",
				      machine->landlock);
	machine->no_cgroup_space = number_of(canned, words, "cgroupless",
					     machine->no_cgroup_space) != 0;
	machine->nofile_soft = number_of(canned, words, "nofile", 0);
	read_kernel(canned, words);
	if (value_of(words, "terminal") != NULL)
		machine->terminal = value_of(words, "terminal");
	if (value_of(words, "cgroup") != NULL)
		machine->cgroup = value_of(words, "cgroup");
	if (value_of(words, "controllers") != NULL)
		machine->cgroup_controllers = value_of(words, "controllers");
	machine->filter.problem = value_of(words, "filter");
}

static void read_line(struct canned *canned, char *const *words)
{
	if (words[0] == NULL || *words[0] == '#' || read_node(canned, words))
		return;
	if (strcmp(words[0], "machine") == 0)
		read_machine(canned, words + 1);
	else if (strcmp(words[0], "fd") == 0)
		read_fd(canned, words + 1);
	else if (strcmp(words[0], "gone") == 0 && words[1] != NULL)
		remove_nodes(canned, words[1]);
	else if (strcmp(words[0], "cwd") == 0 && words[1] != NULL)
		canned->cwd = *words[1] == '/' ? words[1] : NULL;
	else
		canned->problem = words[0];
}

void canned_read(struct canned *canned, const char *text)
{
	while (*text != '\0' && canned->problem == NULL) {
		size_t length = strcspn(text, "\n");

		read_line(canned, canned_words(canned->arena, text, length));
		text += length;
		text += *text == '\n';
	}
}

static enum fd_state fd_of(const struct canned *canned, uint64_t fd)
{
	return fd < CANNED_FDS ? canned->fds[fd] : FD_SHUT;
}

void canned_facts(const struct canned *canned, const struct policy *policy,
		  struct arena *arena, struct facts *facts)
{
	enum fd_state *keep =
		arena_alloc(arena, (policy->keep_count + 1) * sizeof(*keep));

	*facts = canned->machine;
	map_init(&facts->paths, arena);
	/* a root caller becomes who it asks to be */
	if (facts->uid == 0 && policy->uid.set)
		facts->uid = facts->gid = (uint32_t)policy->uid.value;
	if (canned->machine.uid == 0 && policy->gid.set)
		facts->gid = (uint32_t)policy->gid.value;
	facts->root = facts->uid == 0;
	facts->user = policy_getenv(policy, "USER");
	for (int fd = 0; fd < 3; fd++)
		facts->stdio[fd] = canned->fds[fd];
	for (size_t i = 0; i < policy->keep_count; i++)
		keep[i] = fd_of(canned, (uint64_t)policy->keep[i].fd);
	facts->keep = keep;
	facts->status = fd_of(canned, policy->status_fd.value);
	facts->status_twin = -1;
	for (size_t i = 0; i < policy->keep_count; i++) {
		if (policy->keep[i].fd == (int)policy->status_fd.value)
			facts->status_twin = policy->keep[i].fd;
	}
}
