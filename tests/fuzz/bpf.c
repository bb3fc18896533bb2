/*
 * Filters: first a call, the rest a program. Whatever it is, reading it ends
 * within it, and an answer is one that the program gives.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>

#include "base/bpf.h"
#include "tests/fuzz/fuzz.h"

static bool gives(struct bpf program, uint32_t answer)
{
	for (size_t i = 0; i < program.length; i++) {
		if (program.code[i].code == (BPF_RET | BPF_K) &&
		    program.code[i].k == answer)
			return true;
	}
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seccomp_data call;
	struct sock_filter *code;
	struct bpf program;
	uint32_t answer;
	unsigned words;

	if (size < sizeof(call))
		return 0;
	memcpy(&call, data, sizeof(call));
	program.length = (size - sizeof(call)) / sizeof(*code);
	/* as long as the program, for the sanitizer to see what is beyond */
	code = malloc(program.length * sizeof(*code) + 1);
	MUST(code != NULL);
	memcpy(code, data + sizeof(call), program.length * sizeof(*code));
	program.code = code;
	answer = bpf_run(program, &call, &words);
	MUST(words < BPF_ARGUMENT << 6);
	MUST(gives(program, answer) ||
	     (!bpf_is_plain(program) && answer == (SECCOMP_RET_ERRNO | EPERM)));
	free(code);
	return 0;
}
