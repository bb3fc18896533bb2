/*
 * Filters read outside the kernel: each instruction that they have, and that
 * nothing else lets a call through.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include "base/bpf.h"
#include "seccomp/callnames.h"
#include "seccomp/filters.h"
#include "tests/unit/tap.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define YES	     BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define NO	     BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 38)

enum { SHUT = SECCOMP_RET_ERRNO | EPERM, ROOM = 6 };

static const struct seccomp_data call = {
	.nr = 16,
	.arch = 7,
	.args = { 0x100000002, 0x300000004, 0, 0, 0, 0xb0000000c },
};

static void test_jumps(void)
{
	static const struct {
		const char *what;
		unsigned short code;
		unsigned value;
		bool holds;
	} cases[] = {
		{ "16 == 16", BPF_JEQ, 16, true },
		{ "16 == 17", BPF_JEQ, 17, false },
		{ "16 > 15", BPF_JGT, 15, true },
		{ "16 > 16", BPF_JGT, 16, false },
		{ "16 >= 16", BPF_JGE, 16, true },
		{ "16 >= 17", BPF_JGE, 17, false },
		{ "16 >= -1, unsigned", BPF_JGE, 0xffffffff, false },
		{ "16 & 24", BPF_JSET, 24, true },
		{ "16 & 15", BPF_JSET, 15, false },
	};
	unsigned words;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct sock_filter code[] = {
			BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
			BPF_JUMP((unsigned short)(BPF_JMP | BPF_K |
						  cases[i].code),
				 cases[i].value, 1, 0),
			NO,
			YES,
		};
		struct bpf program = { code, COUNT(code) };

		tap_ok(bpf_is_plain(program) &&
			       bpf_passes(bpf_run(program, &call, &words)) ==
				       cases[i].holds,
		       "%s", cases[i].what);
	}
}

static void test_words(void)
{
	static const struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 60),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0xb, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 24),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 6),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 4, 1, 0),
		NO,
		BPF_STMT(BPF_JMP | BPF_JA, 1),
		NO,
		YES,
	};
	unsigned words = 99;

	tap_ok(bpf_run((struct bpf){ code, COUNT(code) }, &call, &words) ==
		       SECCOMP_RET_ALLOW,
	       "halves of arguments, a mask and a plain jump");
	tap_number(words, BPF_ARGUMENT << 5 | BPF_ARGUMENT << 1,
		   "which arguments were looked at");
}

static void test_strange(void)
{
	static const struct {
		const char *what;
		size_t length;
		struct sock_filter code[ROOM];
	} cases[] = {
		{ "nothing", 0, { YES } },
		{ "no end", 1, { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), YES } },
		{ "a load beyond the data",
		  2,
		  { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 64), YES } },
		{ "a load across words",
		  2,
		  { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 2), YES } },
		{ "a load of a byte",
		  2,
		  { BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 0), YES } },
		{ "a jump beyond the end",
		  2,
		  { BPF_STMT(BPF_JMP | BPF_JA, 1), YES, YES } },
		{ "a jump around the world",
		  2,
		  { BPF_STMT(BPF_JMP | BPF_JA, 0xffffffff), YES, YES } },
		{ "a test that jumps beyond the end",
		  2,
		  { BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0), YES, YES } },
		{ "a comparison with X",
		  2,
		  { BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 0, 0), YES } },
		{ "an addition",
		  2,
		  { BPF_STMT(BPF_ALU | BPF_ADD | BPF_K, 1), YES } },
		{ "the accumulator as the answer",
		  1,
		  { BPF_STMT(BPF_RET | BPF_A, 0), YES } },
		{ "a store", 2, { BPF_STMT(BPF_ST, 0), YES } },
	};
	unsigned words;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct bpf program = { cases[i].code, cases[i].length };

		tap_ok(!bpf_is_plain(program) &&
			       bpf_run(program, &call, &words) == SHUT,
		       "%s denies", cases[i].what);
	}
}

static void test_answers(void)
{
	tap_ok(bpf_passes(SECCOMP_RET_ALLOW) && bpf_passes(SECCOMP_RET_LOG),
	       "allow and log let a call go on");
	tap_ok(!bpf_passes(SECCOMP_RET_ERRNO) &&
		       !bpf_passes(SECCOMP_RET_TRACE) &&
		       !bpf_passes(SECCOMP_RET_USER_NOTIF) &&
		       !bpf_passes(SECCOMP_RET_TRAP) &&
		       !bpf_passes(SECCOMP_RET_KILL_THREAD) &&
		       !bpf_passes(SECCOMP_RET_KILL_PROCESS) &&
		       !bpf_passes(0x12345678),
	       "and nothing else does");
}

static uint32_t ask(struct bpf program, int number, uint64_t argument)
{
	struct seccomp_data data = { .nr = number,
				     .arch = call_names_arch,
				     .args = { argument } };
	unsigned words;

	return bpf_run(program, &data, &words);
}

static void test_shipped(void)
{
	static const struct bpf filters[] = {
		{ filter_default, COUNT(filter_default) },
		{ filter_devel, COUNT(filter_devel) },
		{ filter_nested, COUNT(filter_nested) },
		{ filter_devel_nested, COUNT(filter_devel_nested) },
	};

	for (size_t i = 0; i < COUNT(filters); i++)
		tap_ok(bpf_is_plain(filters[i]), "shipped filter %zu is plain",
		       i);
	tap_ok(ask(filters[0], SYS_getpid, 0) == SECCOMP_RET_ALLOW, "getpid");
	tap_ok(ask(filters[0], SYS_ptrace, 0) == SHUT, "ptrace");
	tap_ok(ask(filters[1], SYS_ptrace, 0) == SECCOMP_RET_ALLOW,
	       "ptrace with devel");
	tap_ok(ask(filters[0], SYS_unshare, 0x200) == SECCOMP_RET_ALLOW &&
		       ask(filters[0], SYS_unshare, 0x10000000) == SHUT,
	       "unshare by its flags");
}

int main(void)
{
	test_jumps();
	test_words();
	test_strange();
	test_answers();
	test_shipped();
	return tap_done();
}
