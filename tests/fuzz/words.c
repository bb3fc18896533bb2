/*
 * The command line, its words separated by NUL. The words behind a word "@" are
 * those of descriptor 9.
 */
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "policy/policy.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/split.h"

static char *const environment[] = { NULL };

static int load_profile(void *load, const char *name, const char **file,
			const char **text)
{
	(void)load;
	*file = name;
	*text = "read /p\nnet none\nmask /p/x\n";
	return strcmp(name, "p") == 0 ? 0 : -ENOENT;
}

static void check(const struct policy *policy)
{
	for (size_t i = 0; i < policy->rule_count; i++) {
		MUST(*policy->rules[i].path == '/');
		MUST(policy->rules[i].dest == NULL ||
		     *policy->rules[i].dest == '/');
	}
	for (size_t i = 0; i < policy->refusals.count; i++)
		(void)origin_words(policy->arena,
				   &policy->refusals.items[i].origin);
	for (size_t i = 0; i < policy->keep_count; i++)
		MUST(policy->keep[i].fd > 2);
	/* what a higher place said is not changed by a lower one */
	MUST(!policy->net_origin.option ||
	     strcmp(policy->net_origin.option, "net") == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = { 0 };
	struct split split = { 0 };
	struct policy_context context = {
		.home = "/home/u",
		.cwd = "/w",
		.environ = environment,
		.load_profile = load_profile,
		.load_fd = split_load_fd,
		.load = &split,
	};
	struct policy policy;

	split_words(&split, &arena,
		    arena_strndup(&arena, (const char *)data, size), size);
	context.words = split.words;
	policy_init(&policy, &arena, &context);
	policy_read_cli(&policy, split.words);
	policy_finish(&policy);
	check(&policy);
	arena_done(&arena);
	return 0;
}
