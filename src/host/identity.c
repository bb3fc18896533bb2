/*
 * Who runs this, on what kernel, with which descriptors and terminal.
 */
#include <fcntl.h>
#include <limits.h>
#include <linux/landlock.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/io.h"
#include "base/sys.h"
#include "host/collect.h"
#include "host/facts.h"

#ifndef SYS_landlock_create_ruleset
#	define SYS_landlock_create_ruleset 444
#endif

/* "6.1.0-13-amd64" as 6 << 8 | 1 */
static unsigned parse_release(const char *release)
{
	unsigned part[2] = { 0, 0 };

	for (unsigned i = 0; i < 2; i++) {
		for (; *release >= '0' && *release <= '9'; release++)
			part[i] = part[i] * 10 + (unsigned)(*release - '0');
		if (*release == '.')
			release++;
	}
	return part[0] << 8 | (part[1] & 0xff);
}

int collect_fd(int fd)
{
	int flags = fcntl(fd, F_GETFL);
	struct stat st;

	if (flags < 0)
		return FD_SHUT;
	if (flags & O_PATH)
		return FD_PATH;
	/* what cannot be told could be a directory */
	if (fstat(fd, &st) != 0)
		return FD_PATH;
	if (S_ISDIR(st.st_mode))
		return FD_DIRECTORY;
	return S_ISBLK(st.st_mode) ? FD_BLOCK : FD_FINE;
}

bool collect_same_fd(int one, int two)
{
	struct stat a, b;

	return fstat(one, &a) == 0 && fstat(two, &b) == 0 &&
	       !S_ISCHR(a.st_mode) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* Only a pty of the caller is worth a /dev/console. */
static const char *terminal_name(struct arena *arena)
{
	char name[64];
	ssize_t length;
	struct stat st;

	/* majors 136 to 143 are the slaves of Unix98 ptys */
	if (fstat(STDIN_FILENO, &st) != 0 || !S_ISCHR(st.st_mode) ||
	    major(st.st_rdev) < 136 || major(st.st_rdev) > 143)
		return NULL;
	length = readlink("/proc/self/fd/0", name, sizeof(name) - 1);
	if (length <= 0)
		return NULL;
	name[length] = '\0';
	if (strncmp(name, "/dev/pts/", 9) != 0)
		return NULL;
	return arena_strndup(arena, name, (size_t)length);
}

static const char *read_small(struct arena *arena, const char *path)
{
	char *text;
	size_t length;

	return io_read_file(arena, path, 4096, &text, &length) == 0 ? text : "";
}

/* As in a run with --nested, which shuts them. On the host itself it is not for
 * cordon to do with less: there the clone fails. */
static bool has_no_cgroup_space(struct arena *arena)
{
	const char *most = read_small(arena,
				      "/proc/sys/user/max_cgroup_namespaces");

	return *most == '0' && strstr(read_small(arena, "/proc/self/uid_map"),
				      " 4294967295\n") == NULL;
}

void collect_identity(struct facts *facts, struct arena *arena)
{
	struct utsname system;

	map_init(&facts->paths, arena);
	facts->uid = geteuid();
	facts->gid = getegid();
	facts->root = facts->uid == 0;
	if (uname(&system) == 0)
		facts->kernel = parse_release(system.release);
	for (int fd = 0; fd < 3; fd++)
		facts->stdio[fd] = (enum fd_state)collect_fd(fd);
	facts->no_cgroup_space = has_no_cgroup_space(arena);
	facts->terminal = terminal_name(arena);
}

const char *collect_cwd(struct arena *arena)
{
	char name[PATH_MAX];

	if (getcwd(name, sizeof(name)) == NULL || name[0] != '/')
		return NULL;
	return arena_strdup(arena, name);
}

void collect_kernel(struct facts *facts)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0,
			   LANDLOCK_CREATE_RULESET_VERSION);

	facts->landlock = abi > 0 ? (unsigned)abi : 0;
}
