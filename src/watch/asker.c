/*
 * Who made a call.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/io.h"
#include "base/number.h"
#include "watch/asker.h"

enum { STATUS_ROOM = 4096 };

static int read_text(pid_t pid, const char *name, char *text, size_t room)
{
	FD_OWNED int fd = -1;
	char path[64];
	ssize_t n;

	(void)snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, text, room - 1);
	if (n < 0)
		return -errno;
	text[n] = '\0';
	return 0;
}

/* The last number of a line of /proc/PID/status, or 0. A process may give itself
 * any name, so a key counts at the beginning of a line only; the kernel
 * escapes a newline in the name. */
static pid_t last_number(char *text, const char *key)
{
	char *line = strstr(text, key), *end, *word;
	uint64_t number = 0;

	if (line == NULL)
		return 0;
	line += strlen(key);
	end = line + strcspn(line, "\n");
	word = end;
	while (word > line && word[-1] >= '0' && word[-1] <= '9')
		word--;
	if (*end == '\0')
		return 0;
	*end = '\0';
	if (number_parse(word, INT32_MAX, &number) != 0)
		number = 0;
	*end = '\n';
	return (pid_t)number;
}

int asker_find(pid_t thread, struct asker *asker)
{
	char status[STATUS_ROOM];
	int err = read_text(thread, "status", status, sizeof(status));

	if (err != 0)
		return err;
	asker->outside = last_number(status, "\nTgid:");
	/* from the outermost name space to the innermost */
	asker->inside = last_number(status, "\nNStgid:");
	if (asker->outside == 0 || asker->inside == 0)
		return -ESRCH;
	err = read_text(asker->outside, "comm", asker->command,
			sizeof(asker->command));
	if (err == 0)
		asker->command[strcspn(asker->command, "\n")] = '\0';
	return err;
}

/* Where an outer filter denies process_vm_readv. */
static ssize_t read_by_file(pid_t thread, const void *address, void *bytes,
			    size_t length)
{
	FD_OWNED int fd = -1;
	char path[64];
	ssize_t n;

	(void)snprintf(path, sizeof(path), "/proc/%d/mem", thread);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = pread(fd, bytes, length, (off_t)(uintptr_t)address);
	return n < 0 ? -errno : n;
}

ssize_t asker_read(pid_t thread, const void *address, void *bytes,
		   size_t length)
{
	struct iovec to = { bytes, length };
	struct iovec from = { (void *)(uintptr_t)address, length };
	ssize_t n = process_vm_readv(thread, &to, 1, &from, 1, 0);

	if (n < 0 && (errno == EPERM || errno == ENOSYS))
		return read_by_file(thread, address, bytes, length);
	return n < 0 ? -errno : n;
}
