/*
 * Denials. What runs inside chooses how many there are and what they are
 * called, so the book has an end: behind it they are only counted.
 */
#include <assert.h>
#include <string.h>

#include "base/fault.h"
#include "base/json.h"
#include "base/report.h"
#include "base/text.h"
#include "watch/denied.h"
#include "watch/status.h"
#include "watch/tell.h"

enum { ENTRIES_MAX = 256 };

static const char *const kind_names[] = {
	[DENIED_NET] = "net",
	[DENIED_FILE] = "file",
	[DENIED_CALL] = "call",
};
static_assert(sizeof(kind_names) / sizeof(*kind_names) == DENIED_KINDS,
	      "every kind of denial has its name");

const char *denied_kind_name(enum denied_kind kind)
{
	return kind_names[kind];
}

static bool is_same_word(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_same(const struct denial *a, const struct denial *b)
{
	return a->error == b->error &&
	       strcmp(a->operation, b->operation) == 0 &&
	       strcmp(a->object, b->object) == 0 &&
	       is_same_word(a->command, b->command);
}

static struct denial *find(const struct denied *denied,
			   const struct denial *what)
{
	for (size_t i = 0; i < denied->count; i++) {
		if (is_same(&denied->items[i], what))
			return &denied->items[i];
	}
	return NULL;
}

static void add_process(struct json *json, const struct denial *denial)
{
	if (denial->command == NULL) {
		json_null(json, "pid");
		json_null(json, "host_pid");
		json_null(json, "command");
		return;
	}
	json_number(json, "pid", (uint64_t)denial->pid);
	json_number(json, "host_pid", (uint64_t)denial->outside);
	json_string(json, "command", denial->command);
}

static void tell(struct status *status, const struct denial *denial)
{
	struct json *json = status_begin(status, "denied");

	if (json == NULL)
		return;
	json_string(json, "kind", kind_names[denial->kind]);
	json_string(json, "operation", denial->operation);
	json_string(json, "object", denial->object);
	if (denial->error != 0)
		json_string(json, "errno", fault_errno_name(denial->error));
	else
		json_null(json, "errno");
	json_string(json, "rule", denial->rule);
	if (denial->allow != NULL)
		json_string(json, "allow", denial->allow);
	else
		json_null(json, "allow");
	add_process(json, denial);
	json_number(json, "count", denial->count);
	status_end(status);
}

void denied_add(struct denied *denied, const struct denial *what)
{
	struct denial *entry = find(denied, what);

	denied->total[what->kind]++;
	if (entry != NULL) {
		entry->count++;
		return;
	}
	if (denied->count == ENTRIES_MAX) {
		denied->untold++;
		return;
	}
	denied->items = arena_grow(&denied->arena, denied->items, denied->count,
				   sizeof(*entry));
	entry = &denied->items[denied->count++];
	*entry = *what;
	entry->count = 1;
	entry->object = arena_strdup(&denied->arena, what->object);
	entry->rule = arena_strdup(&denied->arena, what->rule);
	if (what->allow != NULL)
		entry->allow = arena_strdup(&denied->arena, what->allow);
	if (what->command != NULL)
		entry->command = arena_strdup(&denied->arena, what->command);
	tell(denied->status, entry);
}

void denied_finish(struct denied *denied, const struct plan *plan)
{
	for (size_t i = 0; i < denied->count; i++) {
		if (denied->items[i].count > 1)
			tell(denied->status, &denied->items[i]);
	}
	if (denied->untold != 0)
		tell_count(denied->status, plan, "denied",
			   "denied beyond what is told one by one",
			   denied->untold);
}

static void report_one(struct text *line, const struct denial *denial)
{
	line->length = 0;
	text_printf(line, "%s %s", denial->operation, denial->object);
	if (denial->error != 0)
		text_printf(line, " (%s)", fault_errno_name(denial->error));
	if (denial->count > 1)
		text_printf(line, ", %llu times",
			    (unsigned long long)denial->count);
	if (denial->command != NULL)
		text_printf(line, ", %s (pid %d)", denial->command,
			    (int)denial->pid);
	text_printf(line, "; %s allows it",
		    denial->allow != NULL ? denial->allow
					  : "no shipped filter");
	report_line("denied", line->bytes);
}

void denied_report(const struct denied *denied)
{
	struct arena arena = { 0 };
	struct text line;

	if (denied->count == 0) {
		report_line("denied", "nothing");
		return;
	}
	text_init(&line, &arena);
	for (size_t i = 0; i < denied->count; i++)
		report_one(&line, &denied->items[i]);
	arena_done(&arena);
}

void denied_done(struct denied *denied)
{
	arena_done(&denied->arena);
}
