/*
 * The text of a profile, which may name itself.
 */
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "policy/policy.h"
#include "tests/fuzz/fuzz.h"

static char *const environment[] = {
	(char *)(uintptr_t) "HOME=/home/u",
	(char *)(uintptr_t) "A=b c",
	NULL,
};

static int load_profile(void *load, const char *name, const char **file,
			const char **text)
{
	*file = name;
	*text = load;
	return strcmp(name, "self") == 0 ? 0 : -ENOENT;
}

static int load_fd(void *load, int fd, const char **bytes, size_t *length)
{
	(void)load;
	(void)fd;
	(void)bytes;
	(void)length;
	return -EBADF;
}

/* All that a mouth lets through is clean. */
static void check(const struct policy *policy)
{
	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct rule *rule = &policy->rules[i];

		MUST(*rule->path == '/');
		MUST(rule->dest == NULL || *rule->dest == '/');
		MUST(rule->origin.place == PLACE_PROFILE);
		MUST(rule->origin.line > 0);
	}
	for (size_t i = 0; i < policy->refusals.count; i++) {
		const struct refusal *refusal = &policy->refusals.items[i];

		MUST(refusal->text != NULL);
		MUST(*origin_words(policy->arena, &refusal->origin) != '\0');
	}
	MUST(policy->command == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = { 0 };
	struct policy_context context = {
		.home = "/home/u",
		.cwd = "/w",
		.environ = environment,
		.load_profile = load_profile,
		.load_fd = load_fd,
		.load = arena_strndup(&arena, (const char *)data, size),
	};
	struct policy policy;

	policy_init(&policy, &arena, &context);
	policy_read_profile(&policy, "fuzz", context.load);
	check(&policy);
	arena_done(&arena);
	return 0;
}
