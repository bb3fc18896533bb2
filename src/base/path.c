/*
 * Paths as text.
 */
#include <string.h>

#include "base/arena.h"
#include "base/path.h"

static char *add_component(char *end, const char *part, size_t length)
{
	*end++ = '/';
	memcpy(end, part, length);
	return end + length;
}

static char *add_components(char *end, const char *path)
{
	while (*path != '\0') {
		size_t length = strcspn(path, "/");

		if (length != 0 && !(length == 1 && *path == '.'))
			end = add_component(end, path, length);
		path += length;
		path += strspn(path, "/");
	}
	return end;
}

char *path_absolute(struct arena *arena, const char *cwd, const char *path)
{
	size_t room = (*path == '/' ? 0 : strlen(cwd)) + strlen(path) + 3;
	char *clean = arena_alloc(arena, room);
	char *end = clean;

	if (*path != '/')
		end = add_components(end, cwd);
	end = add_components(end, path);
	if (end == clean)
		*end = '/';
	return clean;
}

char *path_join(struct arena *arena, const char *dir, const char *rest)
{
	if (*rest == '\0')
		return arena_strdup(arena, dir);
	if (strcmp(dir, "/") == 0)
		return arena_join(arena, "/", rest, NULL);
	return arena_join(arena, dir, "/", rest, NULL);
}

bool path_is_under(const char *path, const char *dir)
{
	size_t length = strlen(dir);

	if (strcmp(dir, "/") == 0)
		return *path == '/';
	return strncmp(path, dir, length) == 0 &&
	       (path[length] == '\0' || path[length] == '/');
}

const char *path_below(const char *path, const char *dir)
{
	path += strlen(dir);
	return path + strspn(path, "/");
}

/* A slash sorts before every other character, the end before all. */
static int rank(char c)
{
	if (c == '\0')
		return 0;
	return c == '/' ? 1 : 2 + (unsigned char)c;
}

int path_compare(const char *a, const char *b)
{
	if (strcmp(a, "/") == 0)
		a = "";
	if (strcmp(b, "/") == 0)
		b = "";
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return rank(*a) - rank(*b);
}

char *path_parent(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL || slash == path)
		return arena_strdup(arena, "/");
	return arena_strndup(arena, path, (size_t)(slash - path));
}

const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

bool path_has_dotdot(const char *path)
{
	while (*path != '\0') {
		size_t length = strcspn(path, "/");

		if (length == 2 && path[0] == '.' && path[1] == '.')
			return true;
		path += length;
		path += strspn(path, "/");
	}
	return false;
}

bool path_has_control(const char *path)
{
	for (; *path != '\0'; path++) {
		if ((unsigned char)*path < 0x20 || *path == 0x7f)
			return true;
	}
	return false;
}
