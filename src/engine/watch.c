/*
 * What the supervisor watches with: two sockets of the new network, and a
 * filter that lets connects, addressed sends and changes of files wait for its
 * word. Where denied calls are told too, that filter is the policy's own, because
 * the kernel takes a denial before a question and lets one filter listen: what
 * it would deny it asks about, and the supervisor says the errno. A question lets
 * nothing through; with nobody there to answer it is ENOSYS.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "base/io.h"
#include "base/sys.h"
#include "engine/engine.h"
#include "engine/filter.h"
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

/* What makes a call worth telling. */
enum when { ALWAYS, WITH_ADDRESS, WHEN_WRITING };

enum { ADDRESS_ARGUMENT = 4, WATCH_ROOM = 160 };

static const struct call {
	unsigned number, flag; /* WATCH_* of the operation */
	enum when when;
	unsigned argument; /* WHEN_WRITING: which one has the flags */
} calls[] = {
	{ SYS_connect, WATCH_NET, ALWAYS, 0 },
	{ SYS_sendto, WATCH_NET, WITH_ADDRESS, 0 },
	{ SYS_sendmsg, WATCH_MESSAGES, ALWAYS, 0 },
	{ SYS_sendmmsg, WATCH_MESSAGES, ALWAYS, 0 },
	/* the first row of a call that holds is the one */
	{ SYS_openat, WATCH_READS, ALWAYS, 0 },
	{ SYS_openat, WATCH_FILES, WHEN_WRITING, 2 },
	{ SYS_openat2, WATCH_FILES, ALWAYS, 0 },
	{ SYS_truncate, WATCH_FILES, ALWAYS, 0 },
	{ SYS_mkdirat, WATCH_FILES, ALWAYS, 0 },
	{ SYS_mknodat, WATCH_FILES, ALWAYS, 0 },
	{ SYS_symlinkat, WATCH_FILES, ALWAYS, 0 },
	{ SYS_linkat, WATCH_FILES, ALWAYS, 0 },
	{ SYS_unlinkat, WATCH_FILES, ALWAYS, 0 },
	{ SYS_renameat2, WATCH_FILES, ALWAYS, 0 },
	{ SYS_fchmodat, WATCH_FILES, ALWAYS, 0 },
#ifdef SYS_renameat
	{ SYS_renameat, WATCH_FILES, ALWAYS, 0 },
#endif
#ifdef SYS_open /* and the other calls of old architectures */
	{ SYS_open, WATCH_READS, ALWAYS, 0 },
	{ SYS_open, WATCH_FILES, WHEN_WRITING, 1 },
	{ SYS_creat, WATCH_FILES, ALWAYS, 0 },
	{ SYS_mkdir, WATCH_FILES, ALWAYS, 0 },
	{ SYS_mknod, WATCH_FILES, ALWAYS, 0 },
	{ SYS_symlink, WATCH_FILES, ALWAYS, 0 },
	{ SYS_link, WATCH_FILES, ALWAYS, 0 },
	{ SYS_unlink, WATCH_FILES, ALWAYS, 0 },
	{ SYS_rmdir, WATCH_FILES, ALWAYS, 0 },
	{ SYS_rename, WATCH_FILES, ALWAYS, 0 },
	{ SYS_chmod, WATCH_FILES, ALWAYS, 0 },
#endif
};

struct program {
	unsigned short length;
	struct sock_filter code[BPF_MAXINSNS];
};
static_assert(sizeof(calls) / sizeof(*calls) * 5 + 7 <= WATCH_ROOM,
	      "a call takes two instructions or five, and sendto seven");

static void add(struct program *program, unsigned code, unsigned value)
{
	program->code[program->length++] =
		(struct sock_filter)BPF_STMT((unsigned short)code, value);
}

static void test(struct program *program, unsigned code, unsigned value,
		 unsigned char skip_if, unsigned char skip_else)
{
	program->code[program->length++] = (struct sock_filter)BPF_JUMP(
		(unsigned short)(BPF_JMP | BPF_K | code), value, skip_if,
		skip_else);
}

static void load(struct program *program, size_t offset)
{
	add(program, BPF_LD | BPF_W | BPF_ABS, (unsigned)offset);
}

static void answer(struct program *program, unsigned action)
{
	add(program, BPF_RET | BPF_K, action);
}

/* Where the lower half of an argument is; the upper half is behind it. */
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	      "halves of arguments are found by the order of bytes");
static size_t argument(unsigned number)
{
	return offsetof(struct seccomp_data, args) + number * sizeof(uint64_t);
}

static void add_call(struct program *program, const struct call *call,
		     unsigned pass)
{
	switch (call->when) {
	case ALWAYS:
		test(program, BPF_JEQ, call->number, 0, 1);
		answer(program, SECCOMP_RET_USER_NOTIF);
		break;
	case WITH_ADDRESS:
		/* without one it is a send on a connected socket */
		test(program, BPF_JEQ, call->number, 0, 6);
		load(program, argument(ADDRESS_ARGUMENT));
		test(program, BPF_JEQ, 0, 0, 2);
		load(program, argument(ADDRESS_ARGUMENT) + 4);
		test(program, BPF_JEQ, 0, 1, 0);
		answer(program, SECCOMP_RET_USER_NOTIF);
		answer(program, pass);
		break;
	case WHEN_WRITING:
		test(program, BPF_JEQ, call->number, 0, 4);
		load(program, argument(call->argument));
		test(program, BPF_JSET, SYS_OPEN_WRITES, 0, 1);
		answer(program, SECCOMP_RET_USER_NOTIF);
		answer(program, pass);
		break;
	}
}

/* Calls of another architecture have other numbers: the shipped filters deny
 * them all, and where a user's own does not they are not watched. */
static void add_watch(struct program *program, uint64_t flags, unsigned pass)
{
	load(program, offsetof(struct seccomp_data, arch));
	test(program, BPF_JEQ, NATIVE, 1, 0);
	answer(program, pass);
	load(program, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		if (flags & calls[i].flag)
			add_call(program, &calls[i], pass);
	}
	answer(program, pass);
}

/* ENOSYS stays the kernel's: so are answered clone3 and what is newer than the
 * table, for programs that try and then go another way, each thread's start
 * among them. */
static bool is_told(unsigned action)
{
	return (action & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO &&
	       (action & SECCOMP_RET_DATA) != ENOSYS;
}

static void add_filter(struct program *program, struct bpf filter)
{
	memcpy(program->code, filter.code,
	       filter.length * sizeof(*filter.code));
	program->length = (unsigned short)filter.length;
	for (size_t i = 0; i < filter.length; i++) {
		struct sock_filter *at = &program->code[i];

		if (at->code == (BPF_RET | BPF_K) && is_told(at->k))
			at->k = SECCOMP_RET_USER_NOTIF;
	}
}

/* Where the first instructions end with the action, the program goes on behind
 * its present end instead. Says whether any does. */
static bool go_on(struct program *program, size_t length, unsigned action)
{
	bool is_any = false;

	for (size_t i = 0; i < length; i++) {
		struct sock_filter *at = &program->code[i];

		if (at->code != (BPF_RET | BPF_K) ||
		    (at->k & SECCOMP_RET_ACTION_FULL) != action)
			continue;
		*at = (struct sock_filter)BPF_STMT(
			BPF_JMP | BPF_JA, (unsigned)(program->length - i - 1));
		is_any = true;
	}
	return is_any;
}

/* The actions with which a call goes on. */
static const unsigned passes[] = { SECCOMP_RET_ALLOW, SECCOMP_RET_LOG };
enum { PASSES = sizeof(passes) / sizeof(*passes) };

static void add_both(struct program *program, uint64_t flags, struct bpf filter)
{
	add_filter(program, filter);
	for (size_t i = 0; i < PASSES; i++) {
		if (go_on(program, filter.length, passes[i]))
			add_watch(program, flags, passes[i]);
	}
}

int watch_listen(const struct op *op, const struct op *filter)
{
	static struct program program; /* 32 KiB, of which a tenth is used */
	struct sock_fprog given = { .filter = program.code };

	if (filter == NULL)
		add_watch(&program, op->flags, SECCOMP_RET_ALLOW);
	else
		add_both(&program, op->flags, filter_program(filter));
	given.len = program.length;
	return sys_seccomp_listen(&given);
}

/* What the command's process itself does behind OP_WATCH, where nobody answers
 * yet: its limits, its signals, exec, and its end when that fails. All of it
 * whatever the arguments are, because a question would be without an end. */
static bool lets_start(struct bpf filter)
{
	static const int own[] = { SYS_prlimit64, SYS_rt_sigprocmask,
				   SYS_execve, SYS_exit, SYS_exit_group };

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++) {
		struct seccomp_data data = { .nr = own[i], .arch = NATIVE };
		unsigned words;

		if (!bpf_passes(bpf_run(filter, &data, &words)) ||
		    words >= BPF_ARGUMENT)
			return false;
	}
	return true;
}

bool engine_hears_denials(const struct plan *plan)
{
	const struct op *watch = plan_find(plan, OP_WATCH);
	const struct op *filter = plan_find(plan, OP_FILTER);
	struct bpf program;

	if (watch == NULL || (watch->flags & WATCH_CALLS) == 0 ||
	    filter == NULL)
		return false;
	program = filter_program(filter);
	return program.length <= BPF_MAXINSNS - PASSES * WATCH_ROOM &&
	       bpf_is_plain(program) && lets_start(program);
}
