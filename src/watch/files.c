/*
 * Changes of files. The mounts decide, and they are asked: access(2) for
 * writing answers EROFS only where the rights of the file would allow it, so a
 * file that this user may not write outside either is nobody's denial. Paths
 * are followed in the root of the caller and never opened for more than their
 * place.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"
#include "base/path.h"
#include "base/sys.h"
#include "base/text.h"
#include "plan/plan.h"
#include "watch/asker.h"
#include "watch/files.h"

/* What a call wants of the name it gives. */
enum wish {
	OPEN,	/* a file to write, made where its flags say so */
	NEW,	/* a name that must not be there */
	OLD,	/* one that must, to take it away */
	CHANGE, /* one that must, to change what is its owner's */
};

enum { NO_DIR = -1, FIXED = -1, PAGE = 4096 };

/* A rename into a read-only place from elsewhere is EXDEV, whatever it is, so
 * only its old name is looked at. */
static const struct row {
	int number;
	const char *operation;
	enum wish wish;
	int dir, path; /* which arguments */
	int flags;     /* which argument, or FIXED */
} rows[] = {
	{ SYS_openat, "write", OPEN, 0, 1, 2 },
	{ SYS_openat2, "write", OPEN, 0, 1, 2 },
	{ SYS_truncate, "write", OPEN, NO_DIR, 0, FIXED },
	{ SYS_mkdirat, "mkdir", NEW, 0, 1, FIXED },
	{ SYS_mknodat, "mknod", NEW, 0, 1, FIXED },
	{ SYS_symlinkat, "symlink", NEW, 1, 2, FIXED },
	{ SYS_linkat, "link", NEW, 2, 3, FIXED },
	{ SYS_unlinkat, "unlink", OLD, 0, 1, FIXED },
	{ SYS_renameat2, "rename", OLD, 0, 1, FIXED },
	{ SYS_fchmodat, "chmod", CHANGE, 0, 1, FIXED },
#ifdef SYS_renameat
	{ SYS_renameat, "rename", OLD, 0, 1, FIXED },
#endif
#ifdef SYS_open
	{ SYS_open, "write", OPEN, NO_DIR, 0, 1 },
	{ SYS_creat, "write", OPEN, NO_DIR, 0, FIXED },
	{ SYS_mkdir, "mkdir", NEW, NO_DIR, 0, FIXED },
	{ SYS_mknod, "mknod", NEW, NO_DIR, 0, FIXED },
	{ SYS_symlink, "symlink", NEW, NO_DIR, 1, FIXED },
	{ SYS_link, "link", NEW, NO_DIR, 1, FIXED },
	{ SYS_unlink, "unlink", OLD, NO_DIR, 0, FIXED },
	{ SYS_rmdir, "rmdir", OLD, NO_DIR, 0, FIXED },
	{ SYS_rename, "rename", OLD, NO_DIR, 0, FIXED },
	{ SYS_chmod, "chmod", CHANGE, NO_DIR, 0, FIXED },
#endif
};

/* One call while it is looked at. */
struct look {
	const struct plan *plan;
	struct arena *arena;
	struct denial *denial;
	pid_t thread;
	bool is_reading_told;
	int root;	  /* the caller's */
	uint64_t flags;	  /* of an open */
	const char *path; /* absolute in it, symbolic links unresolved */
};

/* Page by page: what lies behind the end of the text may not be there. */
static bool read_path(pid_t thread, uint64_t address, char text[PATH_MAX])
{
	size_t used = 0;

	while (used < PATH_MAX) {
		size_t piece = PAGE - (address + used) % PAGE;
		ssize_t n;

		if (piece > PATH_MAX - used)
			piece = PATH_MAX - used;
		n = asker_read(thread, (void *)(uintptr_t)(address + used),
			       text + used, piece);
		if (n <= 0)
			return false;
		if (memchr(text + used, '\0', (size_t)n) != NULL)
			return used + (size_t)n > 1;
		used += (size_t)n;
	}
	return false;
}

static const char *read_link(struct arena *arena, const char *link)
{
	char text[PATH_MAX];
	ssize_t n = readlink(link, text, sizeof(text) - 1);

	return n > 0 && text[0] == '/' ? arena_strndup(arena, text, (size_t)n)
				       : NULL;
}

static const char *base_of(const struct look *look, int dir)
{
	if (dir == AT_FDCWD)
		return read_link(look->arena,
				 arena_printf(look->arena, "/proc/%d/cwd",
					      look->thread));
	return read_link(
		look->arena,
		arena_printf(look->arena, "/proc/%d/fd/%d", look->thread, dir));
}

static int find(const struct look *look, const char *path, uint64_t flags)
{
	return sys_openat2(look->root, path[1] == '\0' ? "." : path + 1,
			   O_PATH | flags,
			   RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS);
}

/* The name inside of what was found. */
static const char *name_of(const struct look *look, int fd)
{
	return read_link(look->arena,
			 arena_printf(look->arena, "/proc/self/fd/%d", fd));
}

/* Not what only holds such places together. */
static bool decides(const struct op *op)
{
	enum op_sort sort = plan_op_sort(op->kind);

	return op->path != NULL && ((sort >= SORT_HOST && sort <= SORT_AGAIN) ||
				    op->kind == OP_PROTECT);
}

/* The operation that decides about a path inside; NULL for what only holds the
 * places together. A root of the user's own is the widest of all. */
static const struct op *covering(const struct plan *plan, const char *path)
{
	const struct op *best = plan_find(plan, OP_ROOT_BIND);
	size_t length = 0;

	for (size_t i = 0; i < plan->op_count; i++) {
		const struct op *op = &plan->ops[i];

		if (decides(op) && path_is_under(path, op->path) &&
		    strlen(op->path) >= length) {
			best = op;
			length = strlen(op->path);
		}
	}
	return best;
}

/* "--write DIR", or with the place where DIR lies outside. */
static const char *allow_write(const struct look *look, const struct op *op,
			       const char *dir)
{
	const char *top = op->path != NULL ? op->path : "/";
	const char *outside = plan_source(look->plan, op->slot);

	if (*outside == '\0')
		return NULL;
	outside = path_join(look->arena, outside, path_below(dir, top));
	if (strcmp(outside, dir) != 0)
		dir = arena_join(look->arena, outside, ":", dir, NULL);
	return text_quote_after(look->arena, "--write ", dir);
}

static bool deny(const struct look *look, int error, const char *object,
		 const char *rule, const char *allow)
{
	struct denial *denial = look->denial;

	if (object == NULL || allow == NULL)
		return false;
	denial->kind = DENIED_FILE;
	denial->error = error;
	denial->object = object;
	denial->rule = rule;
	denial->allow = allow;
	return true;
}

static bool deny_by(const struct look *look, int error, const char *object,
		    const char *option, const struct op *op)
{
	return deny(look, error, object,
		    text_quote_after(
			    look->arena,
			    arena_join(look->arena, "--", option, " ", NULL),
			    op->path),
		    text_quote_after(
			    look->arena,
			    arena_join(look->arena, "--un", option, " ", NULL),
			    op->path));
}

/* Below what is ours nothing can be written; that is a denial of the wall where
 * this user could write at the same place outside. */
static bool deny_unshown(const struct look *look, int error, const char *object,
			 const char *place)
{
	if (sys_faccessat(AT_FDCWD, object, F_OK, 0) == 0)
		place = object;
	if (sys_faccessat(AT_FDCWD, place, W_OK, AT_EACCESS) != 0)
		return false;
	return deny(look, error, object, "default",
		    text_quote_after(look->arena, "--write ", place));
}

/* The place is read-only: who says so? */
static bool deny_read_only(const struct look *look, const char *object,
			   const char *place)
{
	const struct op *op = covering(look->plan, place);

	if (op == NULL || op->kind == OP_COVER)
		return deny_unshown(look, EROFS, object, place);
	if (op->kind == OP_PROTECT)
		return deny_by(look, EROFS, object, "protect", op);
	if (op->kind == OP_BIND || op->kind == OP_ROOT_BIND)
		return deny(look, EROFS, object,
			    text_quote_after(look->arena, "--read ",
					     op->path != NULL ? op->path : "/"),
			    allow_write(look, op, place));
	return false;
}

static const struct op *masking(const struct look *look, const char *path)
{
	const struct op *op = covering(look->plan, path);

	return op != NULL && op->kind == OP_MASK ? op : NULL;
}

static bool is_read_only(int fd)
{
	return sys_faccessat(fd, "", W_OK, AT_EMPTY_PATH | AT_EACCESS) ==
	       -EROFS;
}

/* The name is to come or to go: its directory is asked. */
static bool judge_parent(const struct look *look)
{
	const char *dir = path_parent(look->arena, look->path);
	FD_OWNED int parent = find(look, dir, O_DIRECTORY);
	const struct op *mask;
	const char *place;

	if (parent == -ENOENT && covering(look->plan, dir) == NULL)
		return deny_unshown(look, ENOENT, look->path, dir);
	/* below a masked directory nothing can be found */
	place = parent < 0 ? look->path : name_of(look, parent);
	if (place == NULL)
		return false;
	mask = masking(look, place);
	if (mask != NULL)
		return deny_by(look, EACCES, look->path, "mask", mask);
	if (parent < 0)
		return false;
	if (!is_read_only(parent))
		return false;
	return deny_read_only(
		look, path_join(look->arena, place, path_name(look->path)),
		place);
}

/* Not there inside, but outside, and this user could read it. What a root does
 * not have, and what /proc and /dev lack, is nobody's denial. */
static bool judge_absent(const struct look *look)
{
	const struct op *op = covering(look->plan, look->path);

	if (op != NULL && op->kind == OP_MASK)
		return deny_by(look, EACCES, look->path, "mask", op);
	if (op != NULL && op->kind != OP_PRIVATE && op->kind != OP_TMPFS)
		return false;
	if (sys_faccessat(AT_FDCWD, look->path, R_OK, AT_EACCESS) != 0)
		return false;
	return deny(look, ENOENT, look->path, "default",
		    text_quote_after(look->arena, "--read ", look->path));
}

static bool judge_read(const struct look *look)
{
	FD_OWNED int fd = find(look, look->path, 0);
	const char *object = fd < 0 ? NULL : name_of(look, fd);
	const struct op *mask;

	look->denial->operation = "read";
	if (fd == -ENOENT || fd == -EACCES)
		return judge_absent(look);
	mask = object == NULL ? NULL : masking(look, object);
	return mask != NULL && deny_by(look, EACCES, object, "mask", mask);
}

static bool judge_open(const struct look *look)
{
	FD_OWNED int fd = -1;
	const struct op *mask;
	const char *object;
	struct stat st;

	if (look->flags & O_PATH)
		return false; /* only the place, which needs no right */
	if ((look->flags & SYS_OPEN_WRITES) == 0)
		return look->is_reading_told && judge_read(look);
	fd = find(look, look->path, 0);

	if (fd == -ENOENT)
		return judge_parent(look);
	if (fd < 0 || fstat(fd, &st) != 0)
		return false;
	if ((look->flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
		return false; /* EEXIST */
	if ((look->flags & (O_ACCMODE | O_TRUNC)) == O_RDONLY)
		return false; /* it need not be made */
	if (S_ISDIR(st.st_mode) && (look->flags & O_TMPFILE) != O_TMPFILE)
		return false; /* EISDIR */
	object = name_of(look, fd);
	if (object == NULL)
		return false;
	/* the kernel asks the mount first where it is to be emptied */
	mask = masking(look, object);
	if (mask != NULL)
		return deny_by(look, look->flags & O_TRUNC ? EROFS : EACCES,
			       object, "mask", mask);
	return is_read_only(fd) && deny_read_only(look, object, object);
}

static bool judge_name(const struct look *look, bool must_exist)
{
	FD_OWNED int fd = find(look, look->path, O_NOFOLLOW);

	return (fd >= 0) == must_exist && judge_parent(look);
}

/* Only its owner may change it, and access(2) does not tell that. */
static bool judge_change(const struct look *look)
{
	FD_OWNED int fd = find(look, look->path, 0);
	const char *object;
	struct statvfs fs;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0 || st.st_uid != geteuid() ||
	    fstatvfs(fd, &fs) != 0 || (fs.f_flag & ST_RDONLY) == 0)
		return false;
	object = name_of(look, fd);
	return object != NULL && deny_read_only(look, object, object);
}

static bool judge(const struct look *look, enum wish wish)
{
	switch (wish) {
	case OPEN:
		return judge_open(look);
	case NEW:
	case OLD:
		return judge_name(look, wish == OLD);
	case CHANGE:
		return judge_change(look);
	}
	return false;
}

/* The flags of an openat2 stand at the beginning of its structure. */
static bool read_flags(struct look *look, const struct row *row,
		       const __u64 *args)
{
	look->flags = O_WRONLY | O_TRUNC;
	if (row->number == SYS_openat2)
		return asker_read(look->thread,
				  (void *)(uintptr_t)args[row->flags],
				  &look->flags,
				  sizeof(look->flags)) == sizeof(look->flags);
	if (row->flags != FIXED)
		look->flags = (uint32_t)args[row->flags];
#ifdef SYS_creat
	if (row->number == SYS_creat)
		look->flags |= O_CREAT;
#endif
	return true;
}

static bool judge_row(struct look *look, const struct row *row,
		      const __u64 *args)
{
	const char *base = "/";
	char text[PATH_MAX];

	if (!read_path(look->thread, args[row->path], text) ||
	    !read_flags(look, row, args))
		return false;
	if (text[0] != '/')
		base = base_of(look, row->dir == NO_DIR ? AT_FDCWD
							: (int)args[row->dir]);
	if (base == NULL)
		return false;
	look->path = path_absolute(look->arena, base, text);
	look->denial->operation = row->operation;
	return judge(look, row->wish);
}

bool files_judge(const struct plan *plan, struct arena *arena, pid_t thread,
		 const struct seccomp_data *data, struct denial *denial)
{
	struct look look = {
		.plan = plan, .arena = arena, .denial = denial, .thread = thread
	};
	FD_OWNED int root = -1;
	char link[64];

	(void)snprintf(link, sizeof(link), "/proc/%d/root", thread);
	root = open(link, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return false;
	look.root = root;
	look.is_reading_told = plan_find(plan, OP_WATCH)->flags & WATCH_READS;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (rows[i].number == data->nr)
			return judge_row(&look, &rows[i], data->args);
	}
	return false;
}
