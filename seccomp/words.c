/*
 * The vocabulary of OCI seccomp profiles: actions, operators, errno names,
 * load flags and architectures, each one table.
 */
#include "words.h"

#include <assert.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Strictest first, as in the kernel's own ranking (seccomp(2)). */
static const struct {
	const char *word;
	uint32_t action;
} actions[] = {
	{ "SCMP_ACT_KILL_PROCESS", SECCOMP_RET_KILL_PROCESS },
	{ "SCMP_ACT_KILL_THREAD", SECCOMP_RET_KILL_THREAD },
	{ "SCMP_ACT_KILL", SECCOMP_RET_KILL_THREAD },
	{ "SCMP_ACT_TRAP", SECCOMP_RET_TRAP },
	{ "SCMP_ACT_ERRNO", SECCOMP_RET_ERRNO },
	{ "SCMP_ACT_NOTIFY", SECCOMP_RET_USER_NOTIF },
	{ "SCMP_ACT_TRACE", SECCOMP_RET_TRACE },
	{ "SCMP_ACT_LOG", SECCOMP_RET_LOG },
	{ "SCMP_ACT_ALLOW", SECCOMP_RET_ALLOW },
};

static const char *const comparisons[] = {
	[COMPARE_NE] = "SCMP_CMP_NE",
	[COMPARE_LT] = "SCMP_CMP_LT",
	[COMPARE_LE] = "SCMP_CMP_LE",
	[COMPARE_EQ] = "SCMP_CMP_EQ",
	[COMPARE_GE] = "SCMP_CMP_GE",
	[COMPARE_GT] = "SCMP_CMP_GT",
	[COMPARE_MASKED_EQ] = "SCMP_CMP_MASKED_EQ",
};

static_assert(COUNT(comparisons) == COMPARE_COUNT, "one word a comparison");

static const char *const flags[] = {
	"SECCOMP_FILTER_FLAG_TSYNC",
	"SECCOMP_FILTER_FLAG_LOG",
	"SECCOMP_FILTER_FLAG_SPEC_ALLOW",
	"SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV",
};

const struct arch words_archs[] = {
#if defined(__x86_64__) && defined(__LP64__)
	{ "SCMP_ARCH_X86_64", SCMP_ARCH_X86_64, AUDIT_ARCH_X86_64, 0 },
	{ "SCMP_ARCH_X86", SCMP_ARCH_X86, AUDIT_ARCH_I386, 0 },
	{ "SCMP_ARCH_X32", SCMP_ARCH_X32, AUDIT_ARCH_X86_64, 0x40000000 },
#elif defined(__aarch64__)
	{ "SCMP_ARCH_AARCH64", SCMP_ARCH_AARCH64, AUDIT_ARCH_AARCH64, 0 },
	{ "SCMP_ARCH_ARM", SCMP_ARCH_ARM, AUDIT_ARCH_ARM, 0 },
#elif defined(__riscv) && __riscv_xlen == 64
	{ "SCMP_ARCH_RISCV64", SCMP_ARCH_RISCV64, AUDIT_ARCH_RISCV64, 0 },
#else
#	error "no system call review for this architecture"
#endif
};

const size_t words_arch_count = COUNT(words_archs);

static_assert(COUNT(words_archs) <= ARCH_MAX, "ARCH_MAX holds all");

#if defined(__x86_64__)
const char words_go_arch[] = "amd64";
#elif defined(__aarch64__)
const char words_go_arch[] = "arm64";
#else
const char words_go_arch[] = "riscv64";
#endif

bool words_action(const char *word, uint32_t *action)
{
	for (size_t i = 0; i < COUNT(actions); i++) {
		if (strcmp(actions[i].word, word) == 0) {
			*action = actions[i].action;
			return true;
		}
	}
	return false;
}

unsigned int words_strictness(uint32_t action)
{
	for (size_t i = 0; i < COUNT(actions); i++) {
		if (actions[i].action == (action & SECCOMP_RET_ACTION_FULL))
			return (unsigned int)(COUNT(actions) - 1 - i);
	}
	return COUNT(actions);
}

bool words_comparison(const char *word, enum comparison *comparison)
{
	for (size_t i = 0; i < COMPARE_COUNT; i++) {
		if (strcmp(comparisons[i], word) == 0) {
			*comparison = (enum comparison)i;
			return true;
		}
	}
	return false;
}

bool words_errno(const char *word, uint32_t *number)
{
	/* EHWPOISON, 133, is the last one. */
	for (int i = 1; i < 134; i++) {
		const char *name = strerrorname_np(i);

		if (name && strcmp(name, word) == 0) {
			*number = (uint32_t)i;
			return true;
		}
	}
	return false;
}

bool words_flag(const char *word)
{
	for (size_t i = 0; i < COUNT(flags); i++) {
		if (strcmp(flags[i], word) == 0)
			return true;
	}
	return false;
}

const struct arch *words_arch(const char *word)
{
	for (size_t i = 0; i < words_arch_count; i++) {
		if (strcmp(words_archs[i].name, word) == 0)
			return &words_archs[i];
	}
	return NULL;
}
