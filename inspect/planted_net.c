/*
 * Listeners outside, which must be out of reach or in reach as the plan says.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/io.h"
#include "inspect/check.h"
#include "inspect/planted.h"

enum { LISTENERS = 8 };

static const char *port_of(struct arena *arena, int fd)
{
	struct sockaddr_storage bound = { 0 };
	struct sockaddr_in in;
	socklen_t length = sizeof(bound);

	(void)getsockname(fd, (struct sockaddr *)&bound, &length);
	memcpy(&in, &bound,
	       sizeof(in)); /* the port is at the same place in 6 */
	return arena_printf(arena, "%u", (unsigned)ntohs(in.sin_port));
}

/* Loopback only. A connection is made by the kernel, nobody need accept it. */
static int listen_inet(struct check *check, int family, int type,
		       const char **port)
{
	struct sockaddr_in in = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6,
				    .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr *address = family == AF_INET ? (struct sockaddr *)&in
						     : (struct sockaddr *)&in6;
	socklen_t length = family == AF_INET ? sizeof(in) : sizeof(in6);
	int fd = socket(family, type | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	if (bind(fd, address, length) != 0 ||
	    (type == SOCK_STREAM && listen(fd, LISTENERS) != 0)) {
		int err = -errno;

		fd_close(&fd);
		return err;
	}
	*port = port_of(check->arena, fd);
	return fd;
}

static int listen_unix(const char *path, const char *abstract)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	size_t at = abstract == NULL ? 0 : 1;
	const char *name = abstract == NULL ? path : abstract;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (strlen(name) + at >= sizeof(un.sun_path))
		err = -ENAMETOOLONG;
	else
		memcpy(un.sun_path + at, name, strlen(name));
	if (err == 0 &&
	    (bind(fd, (struct sockaddr *)&un,
		  (socklen_t)(offsetof(struct sockaddr_un, sun_path) + at +
			      strlen(name))) != 0 ||
	     listen(fd, LISTENERS) != 0))
		err = -errno;
	if (err == 0)
		return fd;
	fd_close(&fd);
	return err;
}

/* In the directory, while that is this process's own. */
static int make_pathname(struct check *check)
{
	struct planted *planted = &check->planted;
	int fd = listen_unix(planted->socket, NULL);

	planted->sockets[PLANTED_PATHNAME] = fd;
	if (fd < 0)
		return fd;
	return lchown(planted->socket, check->uid, check->gid) == 0 ? 0
								    : -errno;
}

int planted_make_sockets(struct check *check)
{
	static const enum planted_socket needed[] = { PLANTED_TCP, PLANTED_UDP,
						      PLANTED_ABSTRACT };
	struct planted *planted = &check->planted;
	int *held = planted->sockets;

	planted->abstract = arena_join(check->arena, "cordon-check-",
				       planted->mark, NULL);
	held[PLANTED_TCP] = listen_inet(check, AF_INET, SOCK_STREAM,
					&planted->tcp);
	held[PLANTED_UDP] = listen_inet(check, AF_INET, SOCK_DGRAM,
					&planted->udp);
	held[PLANTED_ABSTRACT] = listen_unix(NULL, planted->abstract);
	/* a machine may do without version 6 */
	held[PLANTED_TCP6] = listen_inet(check, AF_INET6, SOCK_STREAM,
					 &planted->tcp6);
	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
		if (held[needed[i]] < 0)
			return held[needed[i]];
	}
	return planted->dir == NULL ? 0 : make_pathname(check);
}
