/*
 * What a program needs to start.
 */
#include <elf.h>
#include <string.h>

#include "base/arena.h"
#include "base/program.h"

/* "#! /bin/sh -e": the first word behind the mark. */
static const char *script_interpreter(struct arena *arena, const char *head,
				      size_t length)
{
	size_t at = 2, end;

	while (at < length && (head[at] == ' ' || head[at] == '\t'))
		at++;
	end = at;
	while (end < length && head[end] != ' ' && head[end] != '\t' &&
	       head[end] != '\n' && head[end] != '\0')
		end++;
	return end == at ? NULL : arena_strndup(arena, head + at, end - at);
}

/* The name at [offset, offset + size), when it lies within the head. */
static const char *loader_name(struct arena *arena, const char *head,
			       size_t length, uint64_t offset, uint64_t size)
{
	if (size == 0 || size > length || offset > length - size)
		return NULL;
	return arena_strndup(arena, head + offset,
			     strnlen(head + offset, size));
}

static const char *loader_64(struct arena *arena, const char *head,
			     size_t length)
{
	Elf64_Ehdr file;
	Elf64_Phdr part;

	if (length < sizeof(file))
		return NULL;
	memcpy(&file, head, sizeof(file));
	for (unsigned i = 0; i < file.e_phnum; i++) {
		uint64_t at = file.e_phoff + i * sizeof(part);

		if (at > length || length - at < sizeof(part))
			return NULL;
		memcpy(&part, head + at, sizeof(part));
		if (part.p_type == PT_INTERP)
			return loader_name(arena, head, length, part.p_offset,
					   part.p_filesz);
	}
	return NULL;
}

static const char *loader_32(struct arena *arena, const char *head,
			     size_t length)
{
	Elf32_Ehdr file;
	Elf32_Phdr part;

	if (length < sizeof(file))
		return NULL;
	memcpy(&file, head, sizeof(file));
	for (unsigned i = 0; i < file.e_phnum; i++) {
		uint64_t at = (uint64_t)file.e_phoff + i * sizeof(part);

		if (at > length || length - at < sizeof(part))
			return NULL;
		memcpy(&part, head + at, sizeof(part));
		if (part.p_type == PT_INTERP)
			return loader_name(arena, head, length, part.p_offset,
					   part.p_filesz);
	}
	return NULL;
}

const char *program_interpreter(struct arena *arena, const void *head,
				size_t length)
{
	const char *bytes = head;

	if (length > 2 && memcmp(bytes, "#!", 2) == 0)
		return script_interpreter(arena, bytes, length);
	if (length <= EI_CLASS || memcmp(bytes, ELFMAG, SELFMAG) != 0)
		return NULL;
	if (bytes[EI_CLASS] == ELFCLASS64)
		return loader_64(arena, bytes, length);
	return loader_32(arena, bytes, length);
}
