/*
 * Descriptors and whole reads and writes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/io.h"
#include "base/sys.h"

void fd_close(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

static int by_number(const void *left, const void *right)
{
	int a = *(const int *)left;
	int b = *(const int *)right;

	return (a > b) - (a < b);
}

void fd_close_all_but(int *keep, size_t count)
{
	unsigned from = 0;

	qsort(keep, count, sizeof(*keep), by_number);
	for (size_t i = 0; i < count; i++) {
		unsigned kept = (unsigned)keep[i];

		if (keep[i] < 0)
			continue;
		if (kept > from)
			(void)sys_close_range(from, kept - 1, 0);
		from = kept + 1;
	}
	(void)sys_close_range(from, ~0U, 0);
}

int io_write_all(int fd, const void *bytes, size_t length)
{
	const char *at = bytes;

	while (length != 0) {
		ssize_t n = write(fd, at, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		at += n;
		length -= (size_t)n;
	}
	return 0;
}

void io_await_byte(int take_fd)
{
	FD_OWNED int fd = take_fd;
	char byte;

	while (read(fd, &byte, 1) < 0 && errno == EINTR)
		continue;
}

int io_write_file(int dirfd, const char *path, const char *bytes)
{
	FD_OWNED int fd = sys_openat(dirfd, path, O_WRONLY, 0);
	size_t length = strlen(bytes);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = write(fd, bytes, length);
	if (n < 0)
		return -errno;
	return (size_t)n == length ? 0 : -EIO;
}

int io_read_all(struct arena *arena, int fd, size_t limit, char **bytes,
		size_t *length)
{
	size_t room = limit < 4096 ? limit + 1 : 4096;
	size_t used = 0;
	char *buffer = arena_alloc(arena, room);

	for (;;) {
		ssize_t n = read(fd, buffer + used, room - used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		used += (size_t)n;
		if (used > limit)
			return -EFBIG;
		if (used == room) {
			char *larger = arena_alloc(arena, room * 2);

			memcpy(larger, buffer, used);
			buffer = larger;
			room *= 2;
		}
	}
	buffer[used] = '\0';
	*bytes = buffer;
	*length = used;
	return 0;
}

int io_read_file(struct arena *arena, const char *path, size_t limit,
		 char **bytes, size_t *length)
{
	FD_OWNED int fd = sys_openat(AT_FDCWD, path, O_RDONLY | O_NONBLOCK, 0);
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) != 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL;
	return io_read_all(arena, fd, limit, bytes, length);
}
