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

/* A number of a line of /proc/PID/status, counted from 0; or 0. A process may
 * give itself any name, so a key counts at the beginning of a line only; the
 * kernel escapes a newline in the name. */
static pid_t number_at(const char *text, const char *key, unsigned at)
{
	const char *word = strstr(text, key);
	char digits[NUMBER_ROOM] = "";
	uint64_t number = 0;
	size_t length;

	word = word == NULL ? "" : word + strlen(key);
	word += strspn(word, "\t");
	for (; at > 0; at--) {
		word += strcspn(word, "\t\n");
		word += strspn(word, "\t");
	}
	length = strcspn(word, "\t\n");
	if (length < sizeof(digits))
		memcpy(digits, word, length);
	return number_parse(digits, INT32_MAX, &number) == 0 ? (pid_t)number
							     : 0;
}

int asker_find(pid_t thread, struct asker *asker)
{
	char status[STATUS_ROOM];
	int err = read_text(thread, "status", status, sizeof(status));

	if (err != 0)
		return err;
	/* from this name space inwards; the sandbox's is the next */
	asker->outside = number_at(status, "\nNStgid:", 0);
	asker->inside = number_at(status, "\nNStgid:", 1);
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
