/*
 * listener tcp HOST | udp HOST | unix PATH | unix @NAME: listens, prints the
 * port (or "ready"), and stays until it is killed or its parent ends. What
 * arrives is counted, one line "arrived" each.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int listen_inet(int type, const char *host, unsigned *port)
{
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
	struct sockaddr_in v4 = { .sin_family = AF_INET };
	struct sockaddr_storage bound;
	socklen_t length = sizeof(bound);
	int fd;

	if (inet_pton(AF_INET, host, &v4.sin_addr) == 1) {
		fd = socket(AF_INET, type, 0);
		if (fd < 0 || bind(fd, (void *)&v4, sizeof(v4)) != 0)
			return -1;
	} else {
		(void)inet_pton(AF_INET6, host, &v6.sin6_addr);
		fd = socket(AF_INET6, type, 0);
		if (fd < 0 || bind(fd, (void *)&v6, sizeof(v6)) != 0)
			return -1;
	}
	if (getsockname(fd, (void *)&bound, &length) != 0)
		return -1;
	/* the port lies at the same place in both families */
	*port = ntohs(((struct sockaddr_in *)&bound)->sin_port);
	return fd;
}

static int listen_unix(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = strlen(name);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	if (fd < 0 || length >= sizeof(address.sun_path))
		return -1;
	memcpy(address.sun_path, name, length);
	if (name[0] == '@')
		address.sun_path[0] = '\0';
	else
		length++;
	if (bind(fd, (void *)&address,
		 (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
			     length)) != 0)
		return -1;
	return fd;
}

static void serve(int fd, int type)
{
	char byte;
	int peer;

	for (;;) {
		if (type == SOCK_STREAM) {
			peer = accept(fd, NULL, NULL);
			if (peer >= 0)
				(void)close(peer);
		} else {
			peer = (int)recv(fd, &byte, 1, 0);
		}
		if (peer >= 0)
			(void)puts("arrived");
	}
}

int main(int argc, char **argv)
{
	int fd, type = SOCK_STREAM;
	unsigned port = 0;

	if (argc != 3)
		return 2;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	if (strcmp(argv[1], "udp") == 0)
		type = SOCK_DGRAM;
	if (strcmp(argv[1], "unix") == 0)
		fd = listen_unix(argv[2]);
	else
		fd = listen_inet(type, argv[2], &port);
	if (fd < 0 || (type == SOCK_STREAM && listen(fd, 64) != 0)) {
		(void)fprintf(stderr, "listener: %s\n", strerror(errno));
		return 1;
	}
	if (port != 0)
		(void)printf("%u\n", port);
	else
		(void)puts("ready");
	serve(fd, type);
}
