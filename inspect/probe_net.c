/*
 * What the probe tries on the network. Nothing but loopback is ever sent to
 * where the host's network can be reached: the attempts on loopback come first,
 * and once one of them has got through to a listener outside, those that lead
 * further are not made.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/ip_icmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/io.h"
#include "inspect/inspect.h"
#include "inspect/probe.h"

enum { SECONDS = 2, AT_ONCE_MS = 1500 };

/* Of attempts that would lead further. */
static const char too_far[] = "outside-reached";

/* Somebody outside was reached, or nobody has looked yet. */
static bool outside_reached = true;

struct address {
	struct sockaddr_storage storage;
	socklen_t length;
	int family;
};

static bool parse(struct address *address, const char *host, const char *port)
{
	struct sockaddr_in in = { .sin_family = AF_INET };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6 };

	*address = (struct address){ 0 };
	in.sin_port = htons((uint16_t)probe_number(port, UINT16_MAX));
	in6.sin6_port = in.sin_port;
	if (inet_pton(AF_INET, host, &in.sin_addr) == 1) {
		memcpy(&address->storage, &in, sizeof(in));
		address->length = sizeof(in);
		address->family = AF_INET;
		return true;
	}
	memcpy(&address->storage, &in6, sizeof(in6));
	if (inet_pton(AF_INET6, host, &in6.sin6_addr) != 1)
		return false;
	memcpy(&address->storage, &in6, sizeof(in6));
	address->length = sizeof(in6);
	address->family = AF_INET6;
	return true;
}

static int open_socket(int family, int type, int protocol)
{
	struct timeval patience = { .tv_sec = SECONDS };
	int fd = socket(family, type | SOCK_CLOEXEC, protocol);

	if (fd < 0)
		return -errno;
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience,
			 sizeof(patience));
	(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience,
			 sizeof(patience));
	return fd;
}

static int connect_to(int fd, const struct address *address)
{
	return connect(fd, (const struct sockaddr *)&address->storage,
		       address->length) == 0
		       ? 0
		       : -errno;
}

static int try_tcp(const char *const *arguments)
{
	FD_OWNED int fd = -1;
	struct address address;

	if (!parse(&address, arguments[0], arguments[1]))
		return -EINVAL;
	fd = open_socket(address.family, SOCK_STREAM, 0);
	return fd < 0 ? fd : connect_to(fd, &address);
}

/* Sends what looks like a question to a name server, and waits for what comes
 * back. */
static int try_udp(const char *const *arguments)
{
	static const unsigned char question[] =
		"\x2a\x2a\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00"
		"\x06"
		"cordon\x07"
		"invalid\x00\x00\x01\x00\x01";
	FD_OWNED int fd = -1;
	struct address address;
	char bytes[512];
	int err;

	if (!parse(&address, arguments[0], arguments[1]))
		return -EINVAL;
	fd = open_socket(address.family, SOCK_DGRAM, 0);
	err = fd < 0 ? fd : connect_to(fd, &address);
	if (err != 0)
		return err;
	if (send(fd, question, sizeof(question) - 1, MSG_NOSIGNAL) < 0 ||
	    recv(fd, bytes, sizeof(bytes), 0) < 0)
		return -errno;
	return 0;
}

/* Looks at loopback, and remembers. */
static const char *look(int err)
{
	static bool has_looked;

	if (!has_looked)
		outside_reached = false;
	has_looked = true;
	if (err == 0)
		outside_reached = true;
	return probe_answer(err);
}

/* tcp HOST PORT, udp HOST PORT: a listener outside */
const char *probe_tcp(const char *const *arguments)
{
	return look(try_tcp(arguments));
}

const char *probe_udp(const char *const *arguments)
{
	return look(try_udp(arguments));
}

const char *probe_far_tcp(const char *const *arguments)
{
	return outside_reached ? too_far : probe_answer(try_tcp(arguments));
}

const char *probe_far_udp(const char *const *arguments)
{
	return outside_reached ? too_far : probe_answer(try_udp(arguments));
}

static int try_ping(const char *const *arguments)
{
	struct icmphdr request = { .type = ICMP_ECHO };
	FD_OWNED int fd = -1;
	struct address address;
	char bytes[512];
	int err;

	if (!parse(&address, arguments[0], "0"))
		return -EINVAL;
	fd = open_socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP);
	err = fd < 0 ? fd : connect_to(fd, &address);
	if (err != 0)
		return err;
	if (send(fd, &request, sizeof(request), MSG_NOSIGNAL) < 0 ||
	    recv(fd, bytes, sizeof(bytes), 0) < 0)
		return -errno;
	return 0;
}

/* ping ADDRESS: of this machine */
const char *probe_ping(const char *const *arguments)
{
	return probe_answer(try_ping(arguments));
}

const char *probe_far_ping(const char *const *arguments)
{
	return outside_reached ? too_far : probe_answer(try_ping(arguments));
}

/* lookup NAME: as programs do. "localhost" is looked up in a file. */
const char *probe_lookup(const char *const *arguments)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found = NULL;
	long began = inspect_now_ms();
	int err;

	if (outside_reached && strcmp(arguments[0], "localhost") != 0)
		return too_far;
	err = getaddrinfo(arguments[0], NULL, &hints, &found);
	if (err == 0)
		freeaddrinfo(found);
	if (inspect_now_ms() - began > AT_ONCE_MS)
		return "late";
	return err == 0 ? "found" : "not-found";
}

/* own-tcp HOST: a listener and a connection, both of the probe's own */
const char *probe_own_tcp(const char *const *arguments)
{
	FD_OWNED int fd = -1;
	FD_OWNED int other = -1;
	struct address address;

	if (!parse(&address, arguments[0], "0"))
		return probe_answer(EINVAL);
	fd = open_socket(address.family, SOCK_STREAM, 0);
	other = open_socket(address.family, SOCK_STREAM, 0);
	if (fd < 0 || other < 0)
		return probe_answer(fd < 0 ? fd : other);
	if (bind(fd, (struct sockaddr *)&address.storage, address.length) !=
		    0 ||
	    listen(fd, 1) != 0 ||
	    getsockname(fd, (struct sockaddr *)&address.storage,
			&address.length) != 0)
		return probe_answer(errno);
	return probe_answer(connect_to(other, &address));
}

static int try_unix(const char *name, size_t at)
{
	FD_OWNED int fd = open_socket(AF_UNIX, SOCK_STREAM, 0);
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	size_t length = strlen(name);

	if (fd < 0)
		return fd;
	if (at + length >= sizeof(un.sun_path))
		return -ENAMETOOLONG;
	memcpy(un.sun_path + at, name, length);
	length += offsetof(struct sockaddr_un, sun_path) + at;
	return connect(fd, (struct sockaddr *)&un, (socklen_t)length) == 0
		       ? 0
		       : -errno;
}

/* abstract NAME */
const char *probe_abstract(const char *const *arguments)
{
	return probe_answer(try_unix(arguments[0], 1));
}

/* unix PATH */
const char *probe_unix(const char *const *arguments)
{
	return probe_answer(try_unix(arguments[0], 0));
}
