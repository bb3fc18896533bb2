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
	struct bpf program;
} shipped[] = {
	{ "default", { filter_default, COUNT(filter_default) } },
	{ "devel", { filter_devel, COUNT(filter_devel) } },
	{ "default+nested", { filter_nested, COUNT(filter_nested) } },
	{ "devel+nested", { filter_devel_nested, COUNT(filter_devel_nested) } },
};

static int load(struct bpf program)
{
	struct sock_fprog given = {
		.len = (unsigned short)program.length,
		.filter = (struct sock_filter *)(uintptr_t)program.code,
	};

	/* its length has 16 bits: a longer one would be another, short one */
	if (program.length > BPF_MAXINSNS)
		return -EINVAL;
	return sys_seccomp_load(&given);
}

static struct bpf find_shipped(const char *name)
{
	for (size_t i = 0; i < COUNT(shipped); i++) {
		if (strcmp(shipped[i].name, name) == 0)
			return shipped[i].program;
	}
	return (struct bpf){ 0 };
}

struct bpf filter_program(const struct op *op)
{
	if (op->data == NULL)
		return find_shipped(op->source);
	return (struct bpf){ op->data, op->size / sizeof(struct sock_filter) };
}

int filter_load(const struct op *op)
{
	struct bpf program = filter_program(op);

	return program.code == NULL ? -ENOENT : load(program);
}

uint32_t engine_judge_call(const struct plan *plan,
			   const struct seccomp_data *data, unsigned *words)
{
	const struct op *op = plan_find(plan, OP_FILTER);

	*words = 0;
	return op == NULL ? SECCOMP_RET_ALLOW
			  : bpf_run(filter_program(op), data, words);
}

bool engine_allows_call(const char *filter, const struct seccomp_data *data)
{
	unsigned words;

	return bpf_passes(bpf_run(find_shipped(filter), data, &words));
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
	int err = load((struct bpf){ init_filter, COUNT(init_filter) });

	if (err == 0)
		return 0;
	fault_copy(fault->stage, sizeof(fault->stage), "seal-init");
	return fault_set(fault, "seccomp", "init", err);
}
