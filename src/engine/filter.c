/*
 * System call filters. The shipped ones are compiled at build time from
 * seccomp/ *.json by cordon-seccomp and loaded as they are.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "base/sys.h"
#include "engine/engine.h"
#include "engine/filter.h"
#include "engine/inside.h"
#include "seccomp/filters.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const struct {
	const char *name;
	const struct sock_filter *program;
	size_t length;
} shipped[] = {
	{ "default", filter_default, COUNT(filter_default) },
	{ "devel", filter_devel, COUNT(filter_devel) },
	{ "default+nested", filter_nested, COUNT(filter_nested) },
	{ "devel+nested", filter_devel_nested, COUNT(filter_devel_nested) },
};

static int load(const struct sock_filter *program, size_t length)
{
	struct sock_fprog given = {
		.len = (unsigned short)length,
		.filter = (struct sock_filter *)(uintptr_t)program,
	};

	return sys_seccomp_load(&given);
}

int filter_load(const struct op *op)
{
	if (op->data != NULL)
		return load(op->data, op->size / sizeof(struct sock_filter));
	for (size_t i = 0; i < COUNT(shipped); i++) {
		if (strcmp(shipped[i].name, op->source) == 0)
			return load(shipped[i].program, shipped[i].length);
	}
	return -ENOENT;
}

/* What init does once the command runs: wait, reap, signal, talk. Everything
 * else is EPERM, which none of it meets. */
#define ALLOW(name)                                            \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
static const struct sock_filter init_filter[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	ALLOW(ppoll),
	ALLOW(read),
	ALLOW(write),
	ALLOW(recvfrom),
	ALLOW(recvmsg),
	ALLOW(sendto),
	ALLOW(sendmsg),
	ALLOW(wait4),
	ALLOW(waitid),
	ALLOW(kill),
	ALLOW(close),
	ALLOW(close_range),
	ALLOW(rt_sigprocmask),
	ALLOW(rt_sigaction),
	ALLOW(rt_sigreturn),
	ALLOW(rt_sigtimedwait),
	ALLOW(restart_syscall),
	ALLOW(clock_gettime),
	ALLOW(getrusage),
	ALLOW(getpid),
	ALLOW(gettid),
	ALLOW(exit),
	ALLOW(exit_group),
#ifdef SYS_poll
	ALLOW(poll),
#endif
	/* the foreground group of the terminal, nothing else of ioctl */
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 3),
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		 offsetof(struct seccomp_data, args[1])),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TIOCSPGRP, 0, 1),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
};

int engine_seal_init(struct fault *fault)
{
	int err = load(init_filter, COUNT(init_filter));

	if (err == 0)
		return 0;
	fault_copy(fault->stage, sizeof(fault->stage), "seal-init");
	return fault_set(fault, "seccomp", "init", err);
}
