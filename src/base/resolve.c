/*
 * Opening canonical paths: openat2, or the same walk by hand where an outer
 * filter denies it, with ENOSYS (systemd's RestrictSUIDSGID=, old gVisor) or with
 * EPERM (container engines older than Linux 5.6), which the kernel itself never
 * says to O_PATH. The walk opens each component with O_NOFOLLOW from the one
 * before, so no link is followed and, without "..", nothing above the start is
 * reached.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io.h"
#include "base/resolve.h"
#include "base/sys.h"

static int is_link(int fd)
{
	struct sys_stat st;

	return sys_stat(fd, "", AT_EMPTY_PATH, &st) == 0 && S_ISLNK(st.mode);
}

static int walk_step(int dirfd, const char *name, size_t length)
{
	char component[256];
	int fd;

	if (length >= sizeof(component))
		return -ENAMETOOLONG;
	memcpy(component, name, length);
	component[length] = '\0';
	if (strcmp(component, "..") == 0)
		return -EXDEV;
	fd = sys_openat(dirfd, component, O_PATH | O_NOFOLLOW, 0);
	if (fd < 0)
		return fd;
	if (!is_link(fd))
		return fd;
	fd_close(&fd);
	return -ELOOP;
}

static int walk(int dirfd, const char *path)
{
	FD_OWNED int at = sys_openat(dirfd, *path == '/' ? "/" : ".",
				     O_PATH | O_DIRECTORY, 0);

	if (at < 0)
		return at;
	path += strspn(path, "/");
	while (*path != '\0') {
		size_t length = strcspn(path, "/");
		int next = walk_step(at, path, length);

		if (next < 0)
			return next;
		fd_close(&at);
		at = next;
		path += length;
		path += strspn(path, "/");
	}
	return fd_take(&at);
}

int resolve_open(int dirfd, const char *path)
{
	uint64_t resolve = RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS;
	int fd;

	if (dirfd >= 0)
		resolve |= RESOLVE_IN_ROOT;
	fd = sys_openat2(dirfd, path, O_PATH, resolve);
	return fd == -ENOSYS || fd == -EPERM ? walk(dirfd, path) : fd;
}
