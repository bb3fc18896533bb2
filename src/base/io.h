/*
 * Descriptors and whole reads and writes. A descriptor has one owner and is
 * born close-on-exec; FD_OWNED closes it when its scope ends, fd_take hands it
 * over, a parameter named fd is borrowed, take_fd is consumed even on failure.
 */
#ifndef CORDON_BASE_IO_H
#define CORDON_BASE_IO_H

#include <stddef.h>
#include <sys/types.h>

struct arena;

void fd_close(int *fd);
#define FD_OWNED __attribute__((cleanup(fd_close)))

static inline int fd_take(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

/* Closes every other descriptor of the process. Puts keep in order; a negative
 * one stands for none. */
void fd_close_all_but(int *keep, size_t count);

/* Return 0 or -errno; interrupted calls are tried again. */
int io_write_all(int fd, const void *bytes, size_t length);

/* Waits for one byte or the end, and closes. */
void io_await_byte(int take_fd);

/* Opens, writes once and closes: for /proc files, where a write is one act. */
int io_write_file(int dirfd, const char *path, const char *bytes);

/* Up to limit bytes till the end, NUL-terminated, owned by the arena.
 * -EFBIG when there is more. */
int io_read_all(struct arena *arena, int fd, size_t limit, char **bytes,
		size_t *length);

/* The same for a regular file; never blocks on a FIFO (-EINVAL). */
int io_read_file(struct arena *arena, const char *path, size_t limit,
		 char **bytes, size_t *length);

#endif
