/*
 * The cgroup file system inside. In a new cgroup namespace the caller's group
 * is the root and is called "/", yet the host's mounts still begin at the
 * host's root. Runtimes that size heap and threads by their limit (the JVM,
 * .NET, Go) put the two together, find the host's root there and take the whole
 * machine. So each hierarchy shows the caller's own group, as in containers; and
 * version 2 the group that is made for a limit, when there is one.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/path.h"
#include "plan/build.h"

static const char place[] = "/sys/fs/cgroup";

/* What @system shows there, when nobody typed a rule for the same path. */
static struct entry *shown_by_set(struct build *build)
{
	struct entry *found = NULL;

	for (size_t i = 0; i < build->entry_count; i++) {
		struct entry *entry = &build->entries[i];

		if (strcmp(entry->dest, place) != 0)
			continue;
		if (entry->typed || entry->kind != ENTRY_READ)
			return NULL;
		found = entry;
	}
	return found;
}

/* A version 1 hierarchy is mounted under its controllers' names or its own. */
static const char *mount_of(struct build *build, const char *line, bool hybrid)
{
	const char *names = strchr(line, ':') + 1;
	size_t length = strcspn(names, ":");

	if (length == 0)
		return hybrid ? "/sys/fs/cgroup/unified" : place;
	if (strncmp(names, "name=", 5) == 0) {
		names += 5;
		length -= 5;
	}
	return path_join(build->arena, place,
			 arena_strndup(build->arena, names, length));
}

/* The group in that hierarchy, or the whole of it: where the caller is at its
 * root, or in a container that mounts no more than its own. */
static const struct path_fact *shown_group(struct build *build,
					   const char *mount, const char *group)
{
	const struct path_fact *fact = NULL;
	const char *path = path_join(build->arena, mount, group + 1);

	if (strcmp(path, mount) != 0 && !path_has_dotdot(group))
		fact = build_fact(build, path, WANT_FD);
	if (fact == NULL || fact->error != 0 || !S_ISDIR(fact->mode))
		fact = build_fact(build, mount, WANT_FD);
	return fact;
}

struct hierarchy {
	bool unified;
	const char *mount;
	const struct path_fact *fact;
};

/* Only what limits are read from: each further hierarchy of a version 1 host is
 * one more mount in every run. Version 2 has no controllers in its line. */
static bool matters(const char *names)
{
	static const char *const read[] = { ":", "memory", "cpu", "pids" };

	for (size_t i = 0; i < sizeof(read) / sizeof(*read); i++) {
		if (strncmp(names, read[i], strlen(read[i])) == 0)
			return true;
	}
	return false;
}

/* A line reads NUMBER:CONTROLLERS:GROUP. */
static bool read_line(struct build *build, const char *line, bool hybrid,
		      struct hierarchy *hierarchy)
{
	const char *group = strchr(line, ':');

	if (group != NULL)
		group = strchr(group + 1, ':');
	if (group == NULL || group[1] != '/' || !matters(strchr(line, ':') + 1))
		return false;
	hierarchy->unified = strchr(line, ':')[1] == ':';
	hierarchy->mount = mount_of(build, line, hybrid);
	hierarchy->fact = shown_group(build, hierarchy->mount, group + 1);
	return hierarchy->fact != NULL && hierarchy->fact->error == 0;
}

static size_t read_groups(struct build *build, struct hierarchy *list,
			  size_t room)
{
	const struct path_fact *fact = build_fact(build, "/proc/self/cgroup",
						  WANT_TEXT);
	const char *at, *end;
	size_t count = 0;
	bool hybrid;

	if (fact == NULL || fact->head == NULL)
		return 0;
	at = fact->head;
	end = at + fact->head_length;
	hybrid = fact->head_length > 3 && memcmp(at, "0::", 3) != 0;
	while (at < end && count < room) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t length = (size_t)((stop != NULL ? stop : end) - at);
		const char *line = arena_strndup(build->arena, at, length);

		count += read_line(build, line, hybrid, &list[count]);
		at += length + 1;
	}
	return count;
}

/* The group of a limit is made after all planning, and is seen through a mount
 * made in its own namespace. */
static void show(struct build *build, struct entry *entry,
		 const struct hierarchy *hierarchy)
{
	bool made = hierarchy->unified && build_needs_cgroup(build);

	entry->dest = hierarchy->mount;
	entry->kind = made ? ENTRY_CGROUPS : ENTRY_READ;
	entry->source = made ? NULL : hierarchy->fact->real;
	entry->fact = made ? NULL : hierarchy->fact;
}

/*
 * The set's entry becomes the first hierarchy's and the others join it: a
 * recursive bind with the groups mounted over it would still be the first that
 * a reader of mountinfo finds.
 */
void build_groups(struct build *build)
{
	struct entry *entry = shown_by_set(build);
	struct hierarchy list[32];
	struct origin origin;
	size_t count, inner = 0;

	if (entry == NULL)
		return;
	count = read_groups(build, list, sizeof(list) / sizeof(*list));
	for (size_t i = 0; i < count; i++)
		inner += strcmp(list[i].mount, list[i].fact->real) != 0;
	if (inner == 0 && !build_needs_cgroup(build))
		return;
	origin = entry->origin;
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			entry = build_entry(build, ENTRY_READ, list[i].mount);
		show(build, entry, &list[i]);
		entry->origin = origin;
	}
}
