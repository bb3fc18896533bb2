/*
 * The resolver's port. A question comes from a port of loopback; the kernel's
 * table says which socket that is, and a process that has this very socket
 * open has asked. Where that is not found, nobody is named.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/dns.h"
#include "base/entries.h"
#include "base/io.h"
#include "base/number.h"
#include "base/sys.h"
#include "watch/asker.h"
#include "watch/denied.h"
#include "watch/names.h"

/* How many questions are answered before others get their turn, how many
 * descriptors of a process are looked at, and how much of a table of sockets:
 * some 500 of them. */
enum { QUESTIONS = 16, DESCRIPTORS = 4096, TABLE_ROOM = 64 * 1024 };

void names_expect(struct names *names, pid_t process)
{
	for (size_t i = 0; i < NAMES_ASKERS; i++) {
		if (names->askers[i] == process)
			return;
	}
	names->askers[names->next++ % NAMES_ASKERS] = process;
}

/* The field of a line of /proc/net/udp, counted from 0; not ended. */
static const char *field(const char *line, unsigned number)
{
	line += strspn(line, " ");
	for (; number > 0; number--) {
		line += strcspn(line, " \n");
		line += strspn(line, " ");
	}
	return line;
}

/* Local address in hexadecimal, colon, port: does it end in this port? */
static bool has_port(const char *line, in_port_t port)
{
	const char *address = field(line, 1);
	size_t colon = strcspn(address, ": \n");
	char wanted[8];

	(void)snprintf(wanted, sizeof(wanted), ":%04X ", port);
	return strncmp(address + colon, wanted, strlen(wanted)) == 0;
}

/* The one socket of that port; 0 where there is none or more than one. */
static uint64_t find_inode(const char *table, in_port_t port)
{
	uint64_t inode = 0;

	for (const char *line = strchr(table, '\n'); line != NULL;
	     line = strchr(line, '\n')) {
		line++;
		if (!has_port(line, port))
			continue;
		if (inode != 0)
			return 0;
		inode = strtoull(field(line, 9), NULL, 10);
	}
	return inode;
}

/* A table may come in pieces, a page at a time. */
static void read_table(pid_t init, const char *name, char *table, size_t room)
{
	FD_OWNED int fd = -1;
	size_t used = 0;
	char path[64];
	ssize_t n;

	(void)snprintf(path, sizeof(path), "/proc/%d/net/%s", init, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && used < room - 1) {
		n = read(fd, table + used, room - 1 - used);
		if (n <= 0)
			break;
		used += (size_t)n;
	}
	table[used] = '\0';
}

/* Sockets of either family can send over IPv4. */
static uint64_t find_socket(pid_t init, in_port_t port)
{
	static char table[TABLE_ROOM];
	uint64_t inode;

	read_table(init, "udp", table, sizeof(table));
	inode = find_inode(table, port);
	if (inode != 0)
		return inode;
	read_table(init, "udp6", table, sizeof(table));
	return find_inode(table, port);
}

static bool is_link_to(int dir, const char *name, const char *socket)
{
	char target[64];
	ssize_t n = readlinkat(dir, name, target, sizeof(target) - 1);

	if (n < 0)
		return false;
	target[n] = '\0';
	return strcmp(target, socket) == 0;
}

static bool has_open(pid_t process, const char *socket)
{
	struct entries entries;
	const char *name;
	FD_OWNED int dir = -1;
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/fd", process);
	dir = sys_openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);
	if (dir < 0)
		return false;
	entries_init(&entries, dir);
	for (unsigned seen = 0; seen < DESCRIPTORS; seen++) {
		name = entries_next(&entries);
		if (name == NULL)
			return false;
		if (is_link_to(dir, name, socket))
			return true;
	}
	return false;
}

/* A process that is gone leaves its number to another one, which does not have
 * the socket. */
static bool find_asker(const struct names *names, in_port_t port,
		       struct asker *asker)
{
	uint64_t inode = find_socket(names->init, port);
	char socket[64];

	(void)snprintf(socket, sizeof(socket), "socket:[%llu]",
		       (unsigned long long)inode);
	for (unsigned i = 1; inode != 0 && i <= NAMES_ASKERS; i++) {
		pid_t process = names->askers[(names->next - i) % NAMES_ASKERS];

		if (process > 0 && has_open(process, socket))
			return asker_find(process, asker) == 0;
	}
	return false;
}

static void refuse(const struct names *names, uint8_t *query, size_t length,
		   const struct sockaddr_in *from)
{
	dns_refuse(query);
	(void)sendto(names->fd, query, length, MSG_DONTWAIT | MSG_NOSIGNAL,
		     (const void *)from, sizeof(*from));
}

/* Named before the answer goes out: with it the socket may be gone. */
static void answer(struct names *names, struct denied *denied, uint8_t *query,
		   size_t length, const struct sockaddr_in *from)
{
	char name[DNS_NAME_ROOM];
	struct denial denial = { .operation = "resolve",
				 .object = name,
				 .rule = "--net none",
				 .allow = "--net host" };
	struct asker asker;
	int end = dns_read_query(query, length, name);

	if (end < 0)
		return;
	if (find_asker(names, ntohs(from->sin_port), &asker)) {
		denial.pid = asker.inside;
		denial.outside = asker.outside;
		denial.command = asker.command;
	}
	denied_add(denied, &denial);
	refuse(names, query, (size_t)end, from);
}

void names_answer(struct names *names, struct denied *denied)
{
	uint8_t query[DNS_QUERY_ROOM];
	struct sockaddr_in from;

	for (unsigned i = 0; i < QUESTIONS; i++) {
		socklen_t size = sizeof(from);
		ssize_t n = recvfrom(names->fd, query, sizeof(query),
				     MSG_DONTWAIT, (void *)&from, &size);

		if (n < 0)
			return;
		answer(names, denied, query, (size_t)n, &from);
	}
}
