/*
 * What the supervisor watches with: two sockets of the new network, and a
 * filter that lets connects and addressed sends wait for its word. The wall
 * does not stand on it: the policy's own filter is another one, whose denials
 * come first, and no network is no network.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "base/io.h"
#include "base/sys.h"
#include "engine/engine.h"
#include "engine/inside.h"
#include "engine/watch.h"

enum { RESOLVER_PORT = 53 };

/* Without a resolv.conf every resolver asks this port. Nothing inside may bind
 * it: it takes a capability that is about to go. */
static int open_names(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(RESOLVER_PORT),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	FD_OWNED int fd = socket(AF_INET,
				 SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0 || bind(fd, (const void *)&address, sizeof(address)) != 0)
		return -errno;
	return fd_take(&fd);
}

/* A socket of IPv6 takes addresses of both families. Broadcast is allowed, so
 * that the answer is the network's and not one about a missing option. */
static int open_probe(void)
{
	int on = 1, off = 0;
	FD_OWNED int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on)) != 0)
		return -errno;
	/* no such option on a socket of IPv4 */
	(void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	return fd_take(&fd);
}

int engine_names(struct engine *engine, const struct op *op)
{
	struct engine_watch *watch = engine->watch;

	(void)op;
	watch->names = open_names();
	if (watch->names < 0)
		return engine_fail(engine, "bind", "127.0.0.1:53",
				   watch->names);
	watch->probe = open_probe();
	if (watch->probe < 0)
		return engine_fail(engine, "socket", "probe", watch->probe);
	return 0;
}

#if defined(__x86_64__)
#	define NATIVE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#	define NATIVE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#	define NATIVE AUDIT_ARCH_RISCV64
#else
#	error "no audit architecture known for this machine"
#endif

#define LOAD(field) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define TEST(value, then, otherwise) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then, otherwise)
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_##action)

/* A sendto without an address is a send on a connected socket. The two halves
 * of a pointer may stand in any order. */
#define ADDRESSED_SENDTO_OR_ALLOW                                     \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS,                            \
		 offsetof(struct seccomp_data, args[4])),             \
		TEST(0, 0, 3),                                        \
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,                    \
			 offsetof(struct seccomp_data, args[4]) + 4), \
		TEST(0, 0, 1), ANSWER(ALLOW), ANSWER(USER_NOTIF)

/* Calls of another architecture have other numbers: the shipped filters deny
 * them all, and where a user's own does not they are not watched. */
static const struct sock_filter shallow[] = {
	LOAD(arch),
	TEST(NATIVE, 1, 0),
	ANSWER(ALLOW),
	LOAD(nr),
	TEST(SYS_connect, 0, 1),
	ANSWER(USER_NOTIF),
	TEST(SYS_sendto, 1, 0),
	ANSWER(ALLOW),
	ADDRESSED_SENDTO_OR_ALLOW,
};

static const struct sock_filter deep[] = {
	LOAD(arch),
	TEST(NATIVE, 1, 0),
	ANSWER(ALLOW),
	LOAD(nr),
	TEST(SYS_connect, 2, 0),
	TEST(SYS_sendmsg, 1, 0),
	TEST(SYS_sendmmsg, 0, 1),
	ANSWER(USER_NOTIF),
	TEST(SYS_sendto, 1, 0),
	ANSWER(ALLOW),
	ADDRESSED_SENDTO_OR_ALLOW,
};

#define COUNT(array) (unsigned short)(sizeof(array) / sizeof(*(array)))

int watch_listen(const struct op *op)
{
	bool is_deep = op->flags & WATCH_MESSAGES;
	const struct sock_fprog program = {
		.len = is_deep ? COUNT(deep) : COUNT(shallow),
		.filter = (struct sock_filter *)(uintptr_t)(is_deep ? deep
								    : shallow),
	};

	return sys_seccomp_listen(&program);
}
