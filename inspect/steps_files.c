/*
 * Files: what the plan says of each place, as attempts.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fault.h"
#include "base/io.h"
#include "base/path.h"
#include "base/sys.h"
#include "inspect/check.h"
#include "inspect/probe.h"
#include "inspect/table.h"

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

void steps_lack_place(struct check *check, enum step_id step, const char *what)
{
	if (check->planted.has_place)
		check->notes[step] =
			"the rules show every place for one, writable";
	else
		check_cannot(check, step, what,
			     "no directory outside where one can be made");
}

/* What is opened may do something then. */
static void not_tried(struct check *check, enum step_id step, mode_t type)
{
	const char *name = "a device";

	if (type == 0)
		return;
	if (S_ISFIFO(type))
		name = "a fifo";
	else if (S_ISSOCK(type))
		name = "a socket";
	check->notes[step] = arena_join(check->arena, "not tried: ", name,
					NULL);
}

/* Hidden, there is nothing; shown read-only, it cannot be changed. */
static void outside(struct check *check)
{
	const struct planted *planted = &check->planted;
	const char *denied = planted->shown == NULL ? "ENOENT EACCES" : "EROFS";
	const struct shown_op *root = shown_decides(&check->plan, "/");

	if (planted->dir == NULL) {
		steps_lack_place(check, STEP_OUTSIDE, "a file");
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

	if (planted->dir == NULL) {
		steps_lack_place(check, STEP_SECRET, "a secret");
		return;
	}
	if (planted->shown != NULL) {
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
	struct attempt *attempt;
	mode_t type = type_of(source);

	if (S_ISDIR(type)) {
		attempt = check_try(check, STEP_WRITE, EXPECT_SAME,
				    WORDS("leave", path, check->planted.mark));
		control_at(attempt, source);
		attempt->control_words[0] = "create";
	} else if (S_ISREG(type)) {
		attempt = check_try(check, STEP_WRITE, EXPECT_SAME,
				    WORDS("open-write", path));
		control_at(attempt, source);
	} else {
		not_tried(check, STEP_WRITE, type);
		return;
	}
	attempt->control = "0";
}

/* A filter of the user's own may refuse the attempt: then what the kernel says
 * of the mount counts. */
static struct attempt *try_readonly(struct check *check, const char *path,
				    const char *expect)
{
	if (check->plan.own_filter)
		expect = arena_join(check->arena, expect, " read-only", NULL);
	return check_try(check, STEP_READ, expect, WORDS("readonly", path));
}

/* EACCES: where nobody may make anything `readonly` alone proves it. */
static void read_only(struct check *check, const char *path, const char *source)
{
	(void)try_readonly(check, path, "EROFS");
	if (S_ISDIR(type_of(source)))
		check_try(check, STEP_READ, "EROFS EACCES",
			  WORDS("create", path, check->planted.mark));
}

static void read_root(struct check *check, const char *path, const char *source)
{
	mode_t type = type_of(source);
	struct attempt *attempt;

	if (!S_ISDIR(type) && !S_ISREG(type)) {
		not_tried(check, STEP_READ, type);
		return;
	}
	attempt = check_try(check, STEP_READ, EXPECT_SAME, WORDS("read", path));
	attempt->control = "0";
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
		try_readonly(check, inside, "EROFS unreachable")->what =
			arena_join(check->arena, "readonly ", inside,
				   " (mounted below ", path, ")", NULL);
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

/* The first entry of the lower layer that nothing else covers, or NULL. */
static const char *entry_of(struct check *check, const struct shown_op *op,
			    const char *source)
{
	DIR *dir = opendir(source);
	struct dirent *entry;
	const char *found = NULL;

	while (dir != NULL && found == NULL && (entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0 &&
		    shown_decides(&check->plan,
				  path_join(check->arena, op->path,
					    entry->d_name)) == op)
			found = arena_strdup(check->arena, entry->d_name);
	}
	if (dir != NULL)
		(void)closedir(dir);
	return found;
}

static void overlay_entry(struct check *check, const struct shown_op *op,
			  const char *source, const char *name)
{
	const char *below = path_join(check->arena, source, name);
	struct attempt *attempt = check_try(
		check, STEP_OVERLAY, "same",
		WORDS("looks", path_join(check->arena, op->path, name),
		      arena_strdup(check->arena, probe_look_of(below))));

	attempt->control = "same";
	control_at(attempt, below);
}

/* What is below is in sight; what is left there must not be below, when all has
 * ended. */
static void overlay(struct check *check, const struct shown_op *op)
{
	const char *source = shown_source(&check->plan, op);
	const char *name;
	struct attempt *attempt;

	if (source == NULL)
		return;
	attempt = check_try(check, STEP_OVERLAY, EXPECT_SAME,
			    WORDS("read", op->path));
	attempt->control = "0";
	control_at(attempt, source);
	name = entry_of(check, op, source);
	if (name != NULL)
		overlay_entry(check, op, source, name);
	attempt = check_try(check, STEP_OVERLAY, "0",
			    WORDS("leave", op->path, check->planted.mark));
	attempt->control = "0";
	attempt->control_words[0] = "read";
	attempt->control_words[1] = source;
}

/* What nobody could open anyway proves nothing; that another object is there
 * does. Below an overlay each file is another one. */
static void mask_object(struct check *check, const struct shown_op *op,
			const char *source)
{
	struct attempt *attempt;
	struct sys_stat st;

	if (sys_stat(AT_FDCWD, source, AT_SYMLINK_NOFOLLOW, &st) != 0)
		return;
	attempt = check_try(
		check, STEP_MASK, "other",
		WORDS("object", op->path,
		      arena_printf(check->arena, "%" PRIu64 ":%" PRIu64, st.dev,
				   st.ino)));
	attempt->control = "same";
	control_at(attempt, source);
}

/* A pipe or a device is asked for only: to open it may do something. */
static void mask(struct check *check, const struct shown_op *op)
{
	const struct shown_op *below = shown_below(&check->plan, op->path);
	const char *source = shown_outside(check->arena, &check->plan, below,
					   op->path);
	mode_t type = source == NULL ? S_IFDIR : type_of(source);
	const char *verb = S_ISDIR(type) || S_ISREG(type) ? "read" : "access";
	struct attempt *attempt = check_try(check, STEP_MASK, "EACCES",
					    WORDS(verb, op->path));

	if (source == NULL)
		return;
	control_at(attempt, source);
	if (shown_is(below, "overlay")) {
		attempt->control = "0";
		return;
	}
	attempt->control = CONTROL_ANY;
	mask_object(check, op, source);
}

static void protect(struct check *check, const struct shown_op *op)
{
	try_readonly(check, op->path, "EROFS")->what = arena_join(
		check->arena, "readonly ", op->path, " (protected)", NULL);
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
		if (!is_there && check->notes[absent[i].step] == NULL)
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

/* Takes what was left away, and says whether it was there. On what is mounted
 * read-only nothing can have been made; with the name out of reach nobody
 * knows. */
static const char *take_away(struct check *check, const char *dir)
{
	const char *name = path_join(check->arena, dir, check->planted.mark);

	if (unlink(name) == 0)
		return "there";
	if (errno == EACCES)
		return PROBE_NOT_TRIED;
	return errno == ENOENT || errno == EROFS ? "gone"
						 : fault_errno_name(errno);
}

/* By value: what is found moves the attempts. */
static void look_after(struct check *check, struct attempt attempt)
{
	const char *source = attempt.control_words[1];
	const char *now;

	if (attempt.words[0] == NULL || strcmp(attempt.words[0], "leave") != 0)
		return;
	now = take_away(check, source);
	if (attempt.step == STEP_OVERLAY)
		check_found(check, STEP_OVERLAY, source, "gone", now);
	else if (attempt.got != NULL && strcmp(attempt.got, "0") == 0)
		check_found(check, STEP_WRITE, source, "there", now);
}

void steps_afterwards(struct check *check)
{
	const struct planted *planted = &check->planted;
	size_t count = check->count;

	if (planted->dir != NULL)
		check_found(check, STEP_OUTSIDE, planted->secret, "unchanged",
			    planted_secret_now(planted));
	check_found(check, STEP_PROCESSES, "the process outside", "alive",
		    planted_victim_lives(planted) ? "alive" : "dead");
	for (size_t i = 0; i < count; i++)
		look_after(check, check->attempts[i]);
}
