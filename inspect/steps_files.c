/*
 * Files: what the plan says of each place, as attempts.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/io.h"
#include "base/path.h"
#include "base/sys.h"
#include "inspect/check.h"
#include "inspect/table.h"

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Outside the same, on the object that is shown. */
static void control_at(struct attempt *attempt, const char *path)
{
	memcpy(attempt->control_words, attempt->words,
	       sizeof(attempt->control_words));
	attempt->control_words[1] = path;
}

static mode_t type_of(const char *path)
{
	struct sys_stat st;
	int err = sys_stat(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &st);

	return err == 0 ? st.mode & S_IFMT : 0;
}

/* Hidden, there is nothing; shown read-only, it cannot be changed. */
static void outside(struct check *check)
{
	const struct planted *planted = &check->planted;
	const char *denied = planted->shown == NULL ? "ENOENT EACCES" : "EROFS";
	const struct shown_op *root = shown_decides(&check->plan, "/");

	if (planted->dir == NULL) {
		check->notes[STEP_OUTSIDE] =
			"the rules show every place for one, writable";
		return;
	}
	check_try(check, STEP_OUTSIDE, denied,
		  WORDS("create", planted->dir, planted->mark))
		->control = "0";
	/* not altered outside: it must be found as it was planted */
	check_try(check, STEP_OUTSIDE, denied, WORDS("alter", planted->secret));
	if (root != NULL && (shown_is(root, "root") || shown_is_read(root)))
		check_try(check, STEP_OUTSIDE, "EROFS",
			  WORDS("create", "/", planted->mark));
}

static void secret(struct check *check)
{
	const struct planted *planted = &check->planted;

	if (planted->dir == NULL || planted->shown != NULL) {
		check->notes[STEP_SECRET] =
			"the rules show every place for one";
		return;
	}
	check_try(check, STEP_SECRET, "ENOENT EACCES",
		  WORDS("read", planted->secret))
		->control = "0";
}

static void write_root(struct check *check, const char *path,
		       const char *source)
{
	struct attempt *attempt = NULL;
	mode_t type = type_of(source);

	if (S_ISDIR(type))
		attempt = check_try(check, STEP_WRITE, "=",
				    WORDS("create", path, check->planted.mark));
	else if (S_ISREG(type))
		attempt = check_try(check, STEP_WRITE, "=",
				    WORDS("open-write", path));
	if (attempt == NULL)
		return;
	attempt->control = "*";
	control_at(attempt, source);
}

static void read_only(struct check *check, const char *path, const char *source)
{
	check_try(check, STEP_READ, "EROFS", WORDS("readonly", path));
	if (S_ISDIR(type_of(source)))
		check_try(check, STEP_READ, "EROFS",
			  WORDS("create", path, check->planted.mark));
}

static void read_root(struct check *check, const char *path, const char *source)
{
	mode_t type = type_of(source);
	struct attempt *attempt;

	if (!S_ISDIR(type) && !S_ISREG(type))
		return;
	attempt = check_try(check, STEP_READ, "=", WORDS("read", path));
	attempt->control = "*";
	control_at(attempt, source);
	read_only(check, path, source);
}

/* What is mounted below the source came along, and must have got the same. */
static void submounts(struct check *check, const struct shown_op *op,
		      const char *path, const char *source)
{
	const char **below = table_below(check->arena, &check->outer, source);

	for (; *below != NULL; below++) {
		const char *inside = path_join(check->arena, path,
					       path_below(*below, source));

		if (shown_decides(&check->plan, inside) != op)
			continue;
		check_try(check, STEP_READ, "EROFS unreachable",
			  WORDS("readonly", inside))
			->what = arena_join(check->arena, "readonly ", inside,
					    " (mounted below ", path, ")",
					    NULL);
	}
}

static void root(struct check *check, const struct shown_op *op)
{
	const char *path = op->path == NULL ? "/" : op->path;
	const char *source = shown_source(&check->plan, op);

	if (source == NULL)
		return;
	if (!shown_is_read(op)) {
		write_root(check, path, source);
		return;
	}
	read_root(check, path, source);
	submounts(check, op, path, source);
}

/* What is left there must not be below, when all has ended. */
static void overlay(struct check *check, const struct shown_op *op)
{
	check_try(check, STEP_OVERLAY, "0",
		  WORDS("leave", op->path, check->planted.mark));
}

static void mask(struct check *check, const struct shown_op *op)
{
	struct attempt *attempt = check_try(check, STEP_MASK, "EACCES",
					    WORDS("read", op->path));

	/* What is hidden below another mask is not found at all. */
	attempt->control = "*";
}

static void protect(struct check *check, const struct shown_op *op)
{
	check_try(check, STEP_READ, "EROFS", WORDS("readonly", op->path))
		->what = arena_join(check->arena, "readonly ", op->path,
				    " (protected)", NULL);
}

static void place(struct check *check, const struct shown_op *op)
{
	if (shown_is(op, "bind") || shown_is(op, "root-bind"))
		root(check, op);
	else if (shown_is(op, "overlay"))
		overlay(check, op);
	else if (shown_is(op, "mask"))
		mask(check, op);
	else if (shown_is(op, "protect"))
		protect(check, op);
}

static void note_absent(struct check *check)
{
	static const struct {
		enum step_id step;
		const char *note;
	} absent[] = {
		{ STEP_WRITE, "no write root in these rules" },
		{ STEP_READ, "no read root in these rules" },
		{ STEP_OVERLAY, "no overlay in these rules" },
		{ STEP_MASK, "no mask in these rules" },
	};

	for (size_t i = 0; i < sizeof(absent) / sizeof(*absent); i++) {
		bool is_there = false;

		for (size_t j = 0; j < check->count; j++)
			is_there = is_there ||
				   check->attempts[j].step == absent[i].step;
		if (!is_there)
			check->notes[absent[i].step] = absent[i].note;
	}
}

void steps_files(struct check *check)
{
	outside(check);
	secret(check);
	for (size_t i = 0; i < check->plan.count; i++)
		place(check, &check->plan.ops[i]);
	note_absent(check);
}

/* Removes what should not have been left, and says whether it was. */
static const char *take_away(struct check *check, const char *dir)
{
	const char *name = path_join(check->arena, dir, check->planted.mark);

	if (unlink(name) == 0)
		return "left-behind";
	return errno == ENOENT ? "gone" : "unknown";
}

void steps_afterwards(struct check *check)
{
	const struct planted *planted = &check->planted;

	if (planted->dir != NULL)
		check_found(check, STEP_OUTSIDE, planted->secret, "unchanged",
			    planted_secret_now(check->arena, planted));
	check_found(check, STEP_PROCESSES, "the process outside", "alive",
		    planted_victim_lives(planted) ? "alive" : "dead");
	for (size_t i = 0; i < check->plan.count; i++) {
		const struct shown_op *op = &check->plan.ops[i];
		const char *source = shown_source(&check->plan, op);

		if (source == NULL || type_of(source) != S_IFDIR)
			continue;
		if (shown_is(op, "overlay"))
			check_found(check, STEP_OVERLAY, source, "gone",
				    take_away(check, source));
		else if (shown_is(op, "bind") && !shown_is_read(op))
			(void)take_away(check, source);
	}
}
