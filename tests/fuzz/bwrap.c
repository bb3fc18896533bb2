/*
 * bubblewrap's command line, its words separated by NUL. The words behind a word
 * "@" are those of descriptor 9. What is read is planned too, on a machine with
 * nothing but directories.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/map.h"
#include "host/facts.h"
#include "plan/bwrap.h"
#include "plan/plan.h"
#include "policy/bwrap.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/split.h"

static char *const environment[] = { (char *)(uintptr_t) "HOME=/h",
				     (char *)(uintptr_t) "A=b", NULL };

static void check_wishes(const struct bwrap *bwrap)
{
	for (size_t i = 0; i < bwrap->wish_count; i++) {
		const struct bwrap_wish *wish = &bwrap->wishes[i];

		MUST(wish->kind < BWRAP_KINDS);
		MUST(wish->mode >= -1 && wish->mode <= 07777);
		MUST((wish->dest == NULL) == (wish->kind == BWRAP_HOSTNAME));
		MUST(wish->dest == NULL || *wish->dest == '/');
		for (size_t layer = 0; layer < wish->layer_count; layer++)
			MUST(*wish->layers[layer] != '\0');
	}
}

/* Every directory is there, and is itself. */
static void answer(struct arena *arena, struct facts *facts,
		   const struct wants *wants)
{
	for (size_t i = 0; i < wants->count; i++) {
		struct path_fact *fact = arena_alloc(arena, sizeof(*fact));

		*fact = (struct path_fact){ .known = wants->items[i].flags,
					    .real = wants->items[i].path,
					    .mode = S_IFDIR | 0755,
					    .dev = 1,
					    .ino = i + 1,
					    .fd = -1 };
		map_put(&facts->paths, wants->items[i].path, fact);
	}
}

/* What was spoken first is done first. */
static void check_plan(const struct bwrap *bwrap, const struct plan *plan)
{
	size_t at = 0;

	for (size_t i = 0; i < bwrap->wish_count; i++) {
		const struct bwrap_wish *wish = &bwrap->wishes[i];

		if (wish->kind != BWRAP_TMPFS && wish->kind != BWRAP_DIR)
			continue;
		while (at < plan->op_count && plan->ops[at].kind != OP_TMPFS &&
		       plan->ops[at].kind != OP_MAKE_DIR)
			at++;
		MUST(at < plan->op_count);
		MUST((plan->ops[at++].kind == OP_TMPFS) ==
		     (wish->kind == BWRAP_TMPFS));
	}
	MUST(plan->argv[0] != NULL);
	MUST(plan->cwd_count > 0);
	MUST(strncmp(plan->envp[plan->pwd_at], "PWD=", 4) == 0);
}

static void plan_it(const struct bwrap *bwrap, struct arena *arena)
{
	struct facts facts = { .uid = 1000, .gid = 1000, .cwd = "/w" };
	unsigned rounds = 0;
	struct wants wants;
	struct plan plan;

	map_init(&facts.paths, arena);
	do {
		wants = (struct wants){ .arena = arena };
		MUST(plan_make_bwrap(bwrap, &facts, &wants, &plan) == NULL);
		answer(arena, &facts, &wants);
		MUST(rounds++ < 8);
	} while (wants.count != 0);
	check_plan(bwrap, &plan);
}

static void check(const struct bwrap *bwrap, enum bwrap_answer answered,
		  struct arena *arena)
{
	for (size_t i = 0; i < bwrap->message_count; i++)
		MUST(*bwrap->messages[i].text != '\0');
	if (answered == BWRAP_FAULT) {
		MUST(bwrap->message_count > 0);
		MUST(bwrap->messages[bwrap->message_count - 1].level ==
		     BWRAP_ERROR);
	}
	if (answered != BWRAP_RUN)
		return;
	MUST(bwrap->command[0] != NULL);
	MUST(bwrap->env[bwrap->env_count - 1] == NULL);
	check_wishes(bwrap);
	plan_it(bwrap, arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = { 0 };
	struct split split = { 0 };
	struct bwrap_context context = {
		.uid = 1000,
		.gid = 1000,
		.has_user_spaces = true,
		.has_cgroup_spaces = true,
		.environ = environment,
		.load_fd = split_load_fd,
		.load = &split,
	};
	struct bwrap bwrap;

	split_words(&split, &arena,
		    arena_strndup(&arena, (const char *)data, size), size);
	check(&bwrap, bwrap_read(&bwrap, &arena, &context, split.words),
	      &arena);
	arena_done(&arena);
	return 0;
}
