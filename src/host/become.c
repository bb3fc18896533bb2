/*
 * A root caller's other identity, and the launcher's own descriptors.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/io.h"
#include "base/path.h"
#include "base/sys.h"
#include "host/become.h"
#include "host/facts.h"

/* The line of a uid, behind its third field: "GID:NAME:HOME:SHELL\n...". Read
 * here and not through NSS, which would load code. */
static const char *passwd_rest(struct arena *arena, uint32_t uid)
{
	char *line;
	size_t length;

	if (io_read_file(arena, "/etc/passwd", 1 << 24, &line, &length) != 0)
		return NULL;
	for (; *line != '\0';
	     line += strcspn(line, "\n"), line += *line == '\n') {
		const char *field = line;
		char *end;

		for (int colons = 0;
		     *field != '\n' && *field != '\0' && colons < 2; field++)
			colons += *field == ':';
		if (strtoul(field, &end, 10) == uid && end > field &&
		    *end == ':')
			return end + 1;
	}
	return NULL;
}

uint32_t become_primary_group(struct arena *arena, uint32_t uid)
{
	const char *rest = passwd_rest(arena, uid);

	return rest == NULL ? uid : (uint32_t)strtoul(rest, NULL, 10);
}

const char *become_home(struct arena *arena, uint32_t uid)
{
	const char *at = passwd_rest(arena, uid);
	char *home;

	for (int colons = 0; at != NULL && colons < 2; colons++) {
		at += strcspn(at, ":\n");
		at = *at == ':' ? at + 1 : NULL;
	}
	if (at == NULL || *at != '/')
		return NULL;
	home = arena_strndup(arena, at, strcspn(at, ":\n"));
	return path_absolute(arena, NULL, home);
}

int become_user(uint32_t uid, uint32_t gid)
{
	if (setgroups(0, NULL) != 0 && errno != EPERM)
		return -errno;
	if (setresgid(gid, gid, gid) != 0 || setresuid(uid, uid, uid) != 0)
		return -errno;
	/* changing ids makes a process non-dumpable and its /proc/self root's;
	 * init must still write its own id maps there */
	if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0)
		return -errno;
	return 0;
}

void become_stdio(const struct facts *facts)
{
	int fd;

	if (facts->stdio[0] != FD_SHUT && facts->stdio[1] != FD_SHUT &&
	    facts->stdio[2] != FD_SHUT)
		return;

	do {
		fd = sys_openat(AT_FDCWD, "/dev/null", O_RDWR, 0);
	} while (fd >= 0 && fd < 3);
	if (fd >= 3)
		(void)close(fd);
}

void become_roomy(struct facts *facts, size_t descriptors)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
	    limit.rlim_cur > descriptors * 2 + 256)
		return;
	facts->nofile_soft = limit.rlim_cur;
	limit.rlim_cur = limit.rlim_max;
	/* where it fails, opening the paths will say so */
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}
