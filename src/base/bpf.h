/*
 * Filters of system calls, read outside the kernel: what a program says to a
 * call.
 */
#ifndef CORDON_BASE_BPF_H
#define CORDON_BASE_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sock_filter;
struct seccomp_data;

/* Borrowed; code is NULL where there is none. */
struct bpf {
	const struct sock_filter *code;
	size_t length;
};

/* What cordon-seccomp makes, and nothing else that the kernel would take. */
bool bpf_is_plain(struct bpf program);

/* The answer, as SECCOMP_RET_*; what is not plain denies with EPERM. *words:
 * which 64-bit words of the data were looked at, a bit each, BPF_ARGUMENT for
 * the first argument. */
uint32_t bpf_run(struct bpf program, const struct seccomp_data *data,
		 unsigned *words);

/* Whether the answer lets the call go on. */
bool bpf_passes(uint32_t action);

enum { BPF_ARGUMENT = 1 << 2 };

#endif
