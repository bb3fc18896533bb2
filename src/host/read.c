/*
 * Contents that facts carry: the head of a program, small configuration files,
 * the mount table when an overlay asks for it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/entries.h"
#include "base/io.h"
#include "base/path.h"
#include "base/sys.h"
#include "base/text.h"
#include "host/facts.h"
#include "host/read.h"

enum {
	HEAD_SIZE = 1024, /* a loader's name lies right behind the headers */
	TEXT_LIMIT = 1 << 20,
	TEXTS_LIMIT = 64, /* files of one directory */
	MOUNTINFO_LIMIT = 64 << 20,
};

/* Opens an O_PATH descriptor for reading. The type is known to be regular, so
 * this cannot block on a FIFO. */
static int reopen(struct arena *arena, int fd)
{
	struct text link;

	text_init(&link, arena);
	text_add(&link, "/proc/self/fd/");
	text_add_number(&link, (uint64_t)fd);
	return sys_openat(AT_FDCWD, link.bytes, O_RDONLY | O_NONBLOCK, 0);
}

void read_head(struct path_fact *fact, struct arena *arena, int fd)
{
	FD_OWNED int file = reopen(arena, fd);
	char *head;
	ssize_t length;

	if (file < 0)
		return;
	head = arena_alloc(arena, HEAD_SIZE);
	length = pread(file, head, HEAD_SIZE, 0);
	if (length <= 0)
		return;
	fact->head = head;
	fact->head_length = (size_t)length;
}

void read_text(struct path_fact *fact, struct arena *arena, int fd)
{
	FD_OWNED int file = reopen(arena, fd);
	char *text;
	size_t length;

	if (file < 0 ||
	    io_read_all(arena, file, TEXT_LIMIT, &text, &length) != 0)
		return;
	fact->head = text;
	fact->head_length = length;
}

static void add_text(struct path_fact *fact, struct arena *arena, int dir,
		     const char *name)
{
	FD_OWNED int file = sys_openat(dir, name, O_RDONLY | O_NONBLOCK, 0);
	struct text_fact *texts;
	struct stat st;
	char *text;
	size_t length;

	if (file < 0 || fstat(file, &st) != 0 || !S_ISREG(st.st_mode) ||
	    io_read_all(arena, file, TEXT_LIMIT, &text, &length) != 0)
		return;
	texts = arena_grow(arena, (void *)(uintptr_t)fact->texts,
			   fact->text_count, sizeof(*texts));
	texts[fact->text_count++] =
		(struct text_fact){ arena_strdup(arena, name), text, length };
	fact->texts = texts;
}

/* Sorted, so that a plan does not depend on the order of a directory. */
static void sort_texts(struct path_fact *fact)
{
	struct text_fact *texts = (struct text_fact *)(uintptr_t)fact->texts;

	for (size_t i = 1; i < fact->text_count; i++) {
		struct text_fact moved = texts[i];
		size_t at = i;

		for (; at > 0 && strcmp(texts[at - 1].name, moved.name) > 0;
		     at--)
			texts[at] = texts[at - 1];
		texts[at] = moved;
	}
}

void read_texts(struct path_fact *fact, struct arena *arena, int fd)
{
	FD_OWNED int dir = sys_openat(fd, ".", O_RDONLY | O_DIRECTORY, 0);
	struct entries entries;
	const char *name;

	if (dir < 0)
		return;
	entries_init(&entries, dir);
	while ((name = entries_next(&entries)) != NULL) {
		if (*name != '.' && fact->text_count < TEXTS_LIMIT)
			add_text(fact, arena, dir, name);
	}
	sort_texts(fact);
}

void read_names(struct path_fact *fact, struct arena *arena, int fd)
{
	FD_OWNED int dir = sys_openat(fd, ".", O_RDONLY | O_DIRECTORY, 0);
	struct entries entries;
	const char *name;
	struct map *names;

	if (dir < 0)
		return;
	names = arena_alloc(arena, sizeof(*names));
	map_init(names, arena);
	entries_init(&entries, dir);
	while ((name = entries_next(&entries)) != NULL)
		map_put(names, arena_strdup(arena, name), fact);
	if (!entries.failed)
		fact->names = names;
}

/* The fifth field of a mountinfo line, in the form of the table. */
static bool line_is_below(const char *line, const char *real)
{
	size_t length = strlen(real);

	for (int field = 0; field < 4; field++) {
		line += strcspn(line, " \n");
		if (*line != ' ')
			return false;
		line++;
	}
	return strncmp(line, real, length) == 0 && line[length] == '/';
}

/* The table writes blanks, tabs, newlines and backslashes as \\ooo. */
static const char *table_form(struct arena *arena, const char *path)
{
	struct text form;

	text_init(&form, arena);
	for (; *path != '\0'; path++) {
		if (strchr(" \t\n\\", *path) != NULL)
			text_printf(&form, "\\%03o", (unsigned)*path);
		else
			text_add_char(&form, *path);
	}
	return form.bytes;
}

bool read_submounts(struct arena *arena, const char *real)
{
	char *table, *line;
	size_t length;

	real = strcmp(real, "/") == 0 ? "" : table_form(arena, real);
	if (io_read_file(arena, "/proc/self/mountinfo", MOUNTINFO_LIMIT, &table,
			 &length) != 0)
		return true;
	for (line = table; *line != '\0';) {
		if (line_is_below(line, real))
			return true;
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	return false;
}
