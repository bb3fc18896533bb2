/*
 * The mount table of a live sandbox, mount by mount against what the plan means.
 * It is read from outside by libmount; cordon itself never reads one.
 */
#include <errno.h>
#include <fcntl.h>
#include <libmount/libmount.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sysmacros.h>

#include "base/arena.h"
#include "base/io.h"
#include "base/path.h"
#include "base/sys.h"
#include "base/text.h"
#include "inspect/check.h"
#include "inspect/table.h"

static const struct {
	const char *option;
	unsigned flag;
} options[] = {
	{ "ro", MOUNT_RO },
	{ "nosuid", MOUNT_NOSUID },
	{ "nodev", MOUNT_NODEV },
	{ "noexec", MOUNT_NOEXEC },
	{ "nosymfollow", MOUNT_NOSYMFOLLOW },
};
enum { OPTIONS = sizeof(options) / sizeof(*options) };

static unsigned flags_of(struct libmnt_fs *fs)
{
	const char *words = mnt_fs_get_vfs_options(fs);
	unsigned long propagation = 0;
	unsigned flags = 0;

	for (size_t i = 0; words != NULL && i < OPTIONS; i++) {
		char *value;
		size_t length;

		if (mnt_optstr_get_option(words, options[i].option, &value,
					  &length) == 0)
			flags |= options[i].flag;
	}
	(void)mnt_fs_get_propagation(fs, &propagation);
	if (propagation & MS_SHARED)
		flags |= MOUNT_SHARED;
	if (propagation & MS_SLAVE)
		flags |= MOUNT_SLAVE;
	if (propagation & MS_UNBINDABLE)
		flags |= MOUNT_UNBINDABLE;
	return flags;
}

struct mounted *table_add(struct table *table, const struct mounted *mounted)
{
	table->mounts = arena_grow(table->arena, table->mounts, table->count,
				   sizeof(*table->mounts));
	table->mounts[table->count] = *mounted;
	return &table->mounts[table->count++];
}

static const char *copy(struct arena *arena, const char *text)
{
	return arena_strdup(arena, text == NULL ? "" : text);
}

static void add_line(struct table *table, struct libmnt_fs *fs)
{
	struct arena *arena = table->arena;
	struct mounted mounted = {
		.id = mnt_fs_get_id(fs),
		.parent = mnt_fs_get_parent_id(fs),
		.target = copy(arena, mnt_fs_get_target(fs)),
		.type = copy(arena, mnt_fs_get_fstype(fs)),
		.root = copy(arena, mnt_fs_get_root(fs)),
		.device = mnt_fs_get_devno(fs),
		.flags = flags_of(fs),
	};

	(void)table_add(table, &mounted);
}

int table_read(struct table *table, struct arena *arena, const char *file)
{
	struct libmnt_table *lines = mnt_new_table();
	struct libmnt_iter *at = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	int err = -ENOMEM;

	*table = (struct table){ .arena = arena };
	if (lines != NULL && at != NULL)
		err = mnt_table_parse_file(lines, file);
	while (err == 0 && mnt_table_next_fs(lines, at, &fs) == 0)
		add_line(table, fs);
	mnt_free_iter(at);
	mnt_unref_table(lines);
	if (err > 0)
		return -EPROTO;
	return err == 0 && table->count == 0 ? -ENOENT : err;
}

const struct mounted *table_at(const struct table *outer, const char *path)
{
	struct sys_stat st;
	int err = sys_stat(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &st);

	for (size_t i = 0; err == 0 && i < outer->count; i++) {
		if ((uint64_t)outer->mounts[i].id == st.mount_id)
			return &outer->mounts[i];
	}
	return NULL;
}

const char **table_below(struct arena *arena, const struct table *outer,
			 const char *path)
{
	const char **found = arena_alloc(arena,
					 (outer->count + 1) * sizeof(*found));
	size_t count = 0;

	for (size_t i = 0; i < outer->count; i++) {
		const struct mounted *mounted = &outer->mounts[i];

		if (strcmp(mounted->target, path) == 0 ||
		    !path_is_under(mounted->target, path) ||
		    table_at(outer, mounted->target) != mounted)
			continue;
		found[count++] = mounted->target;
	}
	return found;
}

/* "ext4:ro,nosuid,nodev,private" */
static const char *describe(struct arena *arena, const struct mounted *mounted)
{
	struct text text;

	text_init(&text, arena);
	text_printf(&text, "%s:%s", mounted->type,
		    mounted->flags & MOUNT_RO ? "ro" : "rw");
	for (size_t i = 1; i < OPTIONS; i++) {
		if (mounted->flags & options[i].flag)
			text_printf(&text, ",%s", options[i].option);
	}
	if (mounted->flags & MOUNT_SHARED)
		text_add(&text, ",shared");
	if (mounted->flags & MOUNT_SLAVE)
		text_add(&text, ",slave");
	if ((mounted->flags & (MOUNT_SHARED | MOUNT_SLAVE)) == 0)
		text_add(&text, ",private");
	return text.bytes;
}

static bool is_outside(const struct table *outer, dev_t device)
{
	for (size_t i = 0; i < outer->count; i++) {
		if (outer->mounts[i].device == device)
			return true;
	}
	return false;
}

/* The same place in the same file system. */
static bool is_same(const struct mounted *wanted, const struct mounted *found)
{
	return strcmp(wanted->type, found->type) == 0 &&
	       (wanted->device == 0 || wanted->device == found->device) &&
	       (wanted->root == NULL || strcmp(wanted->root, found->root) == 0);
}

/* What is planned there and not found yet: the same object if possible, or
 * whatever is next. NULL when nothing is planned. */
static struct mounted *take(struct table *model, const bool *taken,
			    const struct mounted *found)
{
	struct mounted *other = NULL;

	for (size_t i = 0; i < model->count; i++) {
		struct mounted *wanted = &model->mounts[i];

		if (taken[i] || strcmp(wanted->target, found->target) != 0)
			continue;
		if (is_same(wanted, found))
			return wanted;
		if (other == NULL)
			other = wanted;
	}
	return other;
}

static const char *with_object(struct arena *arena, const char *words,
			       const struct mounted *mounted)
{
	const char *root = mounted->root == NULL ? "" : mounted->root;

	if (mounted->device == 0)
		return arena_join(arena, words, ",of-a-new-one", root, NULL);
	return arena_printf(arena, "%s,of-%u:%u%s", words,
			    major(mounted->device), minor(mounted->device),
			    root);
}

static void compare_one(struct check *check, const struct mounted *wanted,
			const struct mounted *found)
{
	const char *expect = wanted == NULL ? "nothing"
					    : describe(check->arena, wanted);
	const char *got = found == NULL ? "nothing"
					: describe(check->arena, found);

	if (wanted != NULL && found != NULL &&
	    (!is_same(wanted, found) ||
	     (wanted->is_new && is_outside(&check->outer, found->device)))) {
		expect = with_object(check->arena, expect, wanted);
		got = with_object(check->arena, got, found);
	}
	check_found(check, STEP_MOUNTS,
		    wanted == NULL ? found->target : wanted->target, expect,
		    got);
}

static void compare_all(struct check *check, struct table *model,
			const struct table *inside)
{
	bool *taken = arena_alloc(check->arena,
				  (model->count + 1) * sizeof(*taken));

	for (size_t i = 0; i < inside->count; i++) {
		struct mounted *wanted = take(model, taken, &inside->mounts[i]);

		if (wanted != NULL)
			taken[wanted - model->mounts] = true;
		compare_one(check, wanted, &inside->mounts[i]);
	}
	for (size_t i = 0; i < model->count; i++) {
		if (!taken[i] && !model->mounts[i].may_lack)
			compare_one(check, &model->mounts[i], NULL);
	}
}

int table_compare(struct check *check, pid_t pid)
{
	struct table model = { .arena = check->arena }, inside;
	int err = model_make(&model, &check->plan, &check->outer);

	if (err == 0)
		err = table_read(&inside, check->arena,
				 arena_printf(check->arena,
					      "/proc/%d/mountinfo", (int)pid));
	if (err == 0)
		compare_all(check, &model, &inside);
	return err;
}
