/*
 * The command's environment: the caller's, without what leads to agents'
 * sockets, with temp variables that point at the private temp; then the rules
 * in spoken order. With --within, what its rules leave stands for the caller's.
 */
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "plan/build.h"
#include "policy/sets.h"

struct variable {
	const char *name, *value;
	bool gone;
};

struct environment {
	struct build *build;
	struct variable *items;
	size_t count;
	/* what --env NAME may pass on */
	const struct variable *base;
	size_t base_count;
};

static struct variable *find(struct environment *env, const char *name)
{
	for (size_t i = 0; i < env->count; i++) {
		if (strcmp(env->items[i].name, name) == 0)
			return &env->items[i];
	}
	return NULL;
}

static void set(struct environment *env, const char *name, const char *value)
{
	struct variable *item = find(env, name);

	if (item == NULL) {
		env->items = arena_grow(env->build->arena, env->items,
					env->count, sizeof(*item));
		item = &env->items[env->count++];
	}
	*item = (struct variable){ name, value, false };
}

static void unset(struct environment *env, const char *pattern)
{
	for (size_t i = 0; i < env->count; i++) {
		if (set_matches(pattern, env->items[i].name))
			env->items[i].gone = true;
	}
}

static void clear(struct environment *env)
{
	for (size_t i = 0; i < env->count; i++)
		env->items[i].gone = true;
}

/* The caller's variables, each once (the first wins, as getenv sees it). */
static void take_callers(struct environment *env)
{
	char *const *at = env->build->policy->context->environ;

	for (; *at != NULL; at++) {
		size_t length = strcspn(*at, "=");
		const char *name;

		if ((*at)[length] != '=' || length == 0)
			continue;
		name = arena_strndup(env->build->arena, *at, length);
		if (find(env, name) == NULL)
			set(env, name, *at + length + 1);
	}
}

static void pass(struct environment *env, const char *pattern)
{
	for (size_t i = 0; i < env->base_count; i++) {
		const struct variable *item = &env->base[i];
		struct variable *now = find(env, item->name);

		if (!item->gone && now->gone &&
		    set_matches(pattern, item->name))
			*now = *item;
	}
}

static void apply_rules(struct environment *env, const struct policy *policy)
{
	for (size_t i = 0; i < policy->env_count; i++) {
		const struct env_rule *rule = &policy->env[i];

		switch (rule->kind) {
		case ENV_SET:
			set(env, rule->name, rule->value);
			break;
		case ENV_PASS:
			pass(env, rule->name);
			break;
		case ENV_UNSET:
			unset(env, rule->name);
			break;
		case ENV_CLEAR:
			clear(env);
			break;
		}
	}
}

static void apply_policy(struct environment *env, const struct policy *policy)
{
	const struct set *agents = set_find("@agent-env");
	struct variable *base;

	for (size_t i = 0; i < policy->outer_count; i++)
		apply_policy(env, policy->outers[i].policy);
	base = arena_alloc(env->build->arena, (env->count + 1) * sizeof(*base));
	if (env->count != 0)
		memcpy(base, env->items, env->count * sizeof(*base));
	env->base = base;
	env->base_count = env->count;
	for (size_t i = 0; agents->members[i] != NULL; i++)
		unset(env, agents->members[i]);
	apply_rules(env, policy);
}

static bool is_said(const struct policy *policy, const char *name)
{
	for (size_t i = 0; i < policy->env_count; i++) {
		const struct env_rule *rule = &policy->env[i];

		if (rule->kind != ENV_CLEAR && rule->origin.set == NULL &&
		    set_matches(rule->name, name))
			return true;
	}
	for (size_t i = 0; i < policy->outer_count; i++) {
		if (is_said(policy->outers[i].policy, name))
			return true;
	}
	return false;
}

/* Ours hold whatever the caller had, unless a rule names them. */
static void set_own(struct environment *env, const char *name,
		    const char *value)
{
	if (!is_said(env->build->policy, name))
		set(env, name, value);
}

static void set_places(struct environment *env)
{
	struct build *build = env->build;
	struct text dir;

	set_own(env, "TMPDIR", "/tmp");
	set_own(env, "TMP", "/tmp");
	set_own(env, "TEMP", "/tmp");
	set_own(env, "TMPPREFIX", "/tmp/zsh");
	/* only one id is mapped: a real chown to another is EINVAL, of which
	 * fakeroot, unlike of EPERM, makes a failure of its own */
	set_own(env, "FAKEROOTDONTTRYCHOWN", "1");
	if (build->home != NULL)
		set_own(env, "HOME", build->policy->context->home);
	if (build->cwd != NULL && policy_getenv(build->policy, "PWD") != NULL)
		set_own(env, "PWD", build->cwd);
	text_init(&dir, build->arena);
	text_add(&dir, "/run/user/");
	text_add_number(&dir, build_uid(build));
	set_own(env, "XDG_RUNTIME_DIR", dir.bytes);
}

static void finish(struct environment *env)
{
	struct build *build = env->build;
	size_t used = 0;

	build->plan->envp = arena_alloc(
		build->arena, (env->count + 1) * sizeof(*build->plan->envp));
	for (size_t i = 0; i < env->count; i++) {
		struct variable *item = &env->items[i];

		if (!item->gone) {
			build->plan->envp[used++] =
				arena_join(build->arena, item->name, "=",
					   item->value, NULL);
			continue;
		}
		build->dropped = arena_grow(build->arena, build->dropped,
					    build->dropped_count,
					    sizeof(*build->dropped));
		build->dropped[build->dropped_count++] = item->name;
	}
}

void build_environment(struct build *build)
{
	struct environment env = { .build = build };

	take_callers(&env);
	apply_policy(&env, build->policy);
	set_places(&env);
	finish(&env);
}
