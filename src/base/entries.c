/*
 * The names in a directory.
 */
#include <stdint.h>
#include <string.h>

#include "base/entries.h"
#include "base/sys.h"

/* struct linux_dirent64, which no header of a libc gives. */
struct dirent_head {
	uint64_t ino;
	int64_t offset;
	uint16_t length;
	uint8_t type;
	char name[];
};

void entries_init(struct entries *entries, int fd)
{
	entries->fd = fd;
	entries->filled = entries->at = 0;
	entries->failed = false;
}

const char *entries_next(struct entries *entries)
{
	for (;;) {
		const struct dirent_head *head;

		if (entries->at >= entries->filled) {
			entries->filled = sys_getdents(entries->fd,
						       entries->buffer,
						       sizeof(entries->buffer));
			entries->at = 0;
			if (entries->filled < 0)
				entries->failed = true;
			if (entries->filled <= 0)
				return NULL;
		}
		head = (const void *)(entries->buffer + entries->at);
		entries->at += head->length;
		entries->type = head->type;
		if (strcmp(head->name, ".") != 0 &&
		    strcmp(head->name, "..") != 0)
			return head->name;
	}
}
