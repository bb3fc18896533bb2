/*
 * `cordon show --json`: the whole plan as one object.
 */
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "plan/make.h"
#include "plan/plan.h"
#include "policy/policy.h"

static void add_op(struct json *json, const struct op *op)
{
	json_open(json, NULL, '{');
	json_string(json, "op", plan_op_name(op->kind));
	if (op->path != NULL)
		json_string(json, "path", op->path);
	if (op->source != NULL)
		json_string(json, "source", op->source);
	if (op->slot >= 0)
		json_number(json, "slot", (uint64_t)op->slot);
	if (op->mode != 0)
		json_number(json, "mode", op->mode);
	if (op->flags != 0)
		json_number(json, "flags", op->flags);
	if (op->a != 0 || op->b != 0) {
		json_number(json, "a", op->a);
		json_number(json, "b", op->b);
	}
	if (op->id.ino != 0) {
		json_number(json, "dev", op->id.dev);
		json_number(json, "ino", op->id.ino);
	}
	if (op->data != NULL)
		json_number(json, "bytes", op->size);
	json_close(json, '}');
}

static void add_list(struct json *json, const char *name,
		     const char *const *items)
{
	json_open(json, name, '[');
	for (; items != NULL && *items != NULL; items++)
		json_string(json, NULL, *items);
	json_close(json, ']');
}

static void add_counts(struct json *json, const struct plan_counts *counts)
{
	json_open(json, "counts", '{');
	json_number(json, "read", counts->read);
	json_number(json, "write", counts->write);
	json_number(json, "overlay", counts->overlay);
	json_number(json, "tmpfs", counts->tmpfs);
	json_number(json, "mask", counts->mask);
	json_number(json, "protect", counts->protect);
	json_number(json, "device", counts->device);
	json_close(json, '}');
}

static void add_environment(struct json *json, const struct plan *plan)
{
	json_open(json, "environment", '[');
	for (char **at = plan->envp; at != NULL && *at != NULL; at++) {
		struct text name;

		text_init(&name, json->out->arena);
		text_add_bytes(&name, *at, strcspn(*at, "="));
		json_string(json, NULL, name.bytes);
	}
	json_close(json, ']');
	add_list(json, "dropped_environment", plan->dropped_env);
}

static void add_kept(struct json *json, const struct plan *plan)
{
	json_open(json, "keep_fds", '[');
	for (size_t i = 0; i < plan->keep_count; i++)
		json_number(json, NULL, (uint64_t)plan->keep_fds[i]);
	json_close(json, ']');
}

void plan_print_json(const struct policy *policy, const struct plan *plan,
		     struct text *out)
{
	struct json json;

	json_init(&json, out);
	json_open(&json, NULL, '{');
	json_number(&json, "v", 1);
	json_open(&json, "ops", '[');
	for (size_t i = 0; i < plan->op_count; i++)
		add_op(&json, &plan->ops[i]);
	json_close(&json, ']');
	add_counts(&json, &plan->counts);
	json_string(&json, "net", plan->net);
	json_string(&json, "seccomp", plan->filter);
	json_bool(&json, "nested", policy->nested);
	json_number(&json, "timeout_ms", plan->timeout_ms);
	add_list(&json, "limits", plan->limits);
	add_environment(&json, plan);
	add_kept(&json, plan);
	add_list(&json, "skipped", plan->skipped);
	add_list(&json, "notes", plan->notes);
	json_close(&json, '}');
	text_add_char(out, '\n');
}
