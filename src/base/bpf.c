/*
 * Classic BPF over struct seccomp_data. Between the kernel's "ask the
 * supervisor" and a denied call stands this reading, so it knows no more than
 * the instructions that cordon-seccomp writes, and denies at what it does not
 * know. Jumps lead forwards only, so it ends.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>

#include "base/bpf.h"

static const uint32_t SHUT = SECCOMP_RET_ERRNO | EPERM;

/* Whether the instruction is known and what it jumps to is there. The kernel
 * has looked at a program that it loaded; this one need not be that. */
static bool is_plain(const struct sock_filter *at, size_t left)
{
	switch (at->code) {
	case BPF_LD | BPF_W | BPF_ABS:
		return left != 0 && at->k % 4 == 0 &&
		       at->k < sizeof(struct seccomp_data);
	case BPF_JMP | BPF_JA:
		return at->k < left;
	case BPF_JMP | BPF_JEQ | BPF_K:
	case BPF_JMP | BPF_JGT | BPF_K:
	case BPF_JMP | BPF_JGE | BPF_K:
	case BPF_JMP | BPF_JSET | BPF_K:
		return at->jt < left && at->jf < left;
	case BPF_ALU | BPF_AND | BPF_K:
		return left != 0;
	case BPF_RET | BPF_K:
		return true;
	default:
		return false;
	}
}

bool bpf_is_plain(struct bpf program)
{
	for (size_t i = 0; i < program.length; i++) {
		if (!is_plain(&program.code[i], program.length - i - 1))
			return false;
	}
	return program.length != 0;
}

static size_t jump(const struct sock_filter *at, uint32_t value)
{
	bool holds = false;

	switch (BPF_OP(at->code)) {
	case BPF_JA:
		return at->k;
	case BPF_JEQ:
		holds = value == at->k;
		break;
	case BPF_JGT:
		holds = value > at->k;
		break;
	case BPF_JGE:
		holds = value >= at->k;
		break;
	case BPF_JSET:
		holds = (value & at->k) != 0;
		break;
	}
	return holds ? at->jt : at->jf;
}

uint32_t bpf_run(struct bpf program, const struct seccomp_data *data,
		 unsigned *words)
{
	uint32_t value = 0;

	*words = 0;
	for (size_t i = 0; i < program.length; i++) {
		const struct sock_filter *at = &program.code[i];

		if (!is_plain(at, program.length - i - 1))
			break;
		if (at->code == (BPF_RET | BPF_K))
			return at->k;
		if (BPF_CLASS(at->code) == BPF_JMP) {
			i += jump(at, value);
		} else if (BPF_CLASS(at->code) == BPF_ALU) {
			value &= at->k;
		} else {
			memcpy(&value, (const char *)data + at->k,
			       sizeof(value));
			*words |= 1U << at->k / sizeof(uint64_t);
		}
	}
	return SHUT;
}

bool bpf_passes(uint32_t action)
{
	action &= SECCOMP_RET_ACTION_FULL;
	return action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_LOG;
}
