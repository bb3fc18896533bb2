/*
 * What attempts on a path give: the kernel's checks, in its order, on what the
 * path leads to.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plan/build.h"
#include "plan/explain.h"

static int try_read(const struct node *node)
{
	if (node->error != 0)
		return node->error;
	if (node->opaque)
		return TRY_DEPENDS;
	if ((node->access & R_OK) == 0)
		return EACCES;
	return S_ISSOCK(node->mode) ? ENXIO : TRY_OK;
}

/* Permission bits come before the mount's flag, for what is there. */
static int try_write(const struct node *node)
{
	if (node->error != 0)
		return node->error;
	if (node->opaque)
		return TRY_DEPENDS;
	if (S_ISDIR(node->mode))
		return EISDIR;
	if ((node->access & W_OK) == 0)
		return EACCES;
	if (S_ISSOCK(node->mode))
		return ENXIO;
	return node->read_only && S_ISREG(node->mode) ? EROFS : TRY_OK;
}

/* The errno that keeps a directory's names as they are, or TRY_OK. */
static int try_names(const struct node *dir)
{
	if (dir->error != 0)
		return dir->error;
	if (dir->opaque)
		return dir->read_only ? EROFS : TRY_DEPENDS;
	if (!S_ISDIR(dir->mode))
		return ENOTDIR;
	if ((dir->access & X_OK) == 0)
		return EACCES;
	return dir->read_only ? EROFS : TRY_OK;
}

static int try_create(const struct node *dir)
{
	int error = try_names(dir);

	if (error == TRY_OK && (dir->access & W_OK) == 0)
		return EACCES;
	return error;
}

static int try_create_in(const struct node *node)
{
	bool known = !node->opaque || node->read_only;

	if (node->error != 0 || !known || !S_ISDIR(node->mode))
		return TRY_NONE;
	return try_create(node);
}

static int try_rename(const struct found *found)
{
	const struct node *dir = &found->dir, *name = &found->name;
	int error = try_names(dir);

	if (strcmp(name->place, "/") == 0)
		return EBUSY;
	if (error != TRY_OK)
		return error;
	if (name->error != 0)
		return name->error;
	if ((dir->access & W_OK) == 0)
		return EACCES;
	if ((dir->mode & S_ISVTX) && !dir->mine && !name->mine)
		return EPERM;
	if (name->mount_point)
		return EBUSY;
	/* without redirect_dir a directory of the lower layer stays */
	return name->overlay && S_ISDIR(name->mode) ? EXDEV : TRY_OK;
}

static int try_connect(const struct node *node)
{
	if (node->error != 0)
		return node->error;
	if (node->opaque)
		return TRY_DEPENDS;
	if ((node->access & W_OK) == 0)
		return EACCES;
	return S_ISSOCK(node->mode) && !node->overlay ? TRY_OK : ECONNREFUSED;
}

/* A slash at the end says that it is a directory. */
static void hold_to_slash(bool slash, struct node *node)
{
	if (slash && node->error == 0 && !node->opaque && !S_ISDIR(node->mode))
		node->error = ENOTDIR;
}

bool find_attempts(struct build *build, const char *path, struct found *found,
		   int tries[ATTEMPTS])
{
	bool slash = path[strlen(path) - 1] == '/';

	if (!find_path(build, path, found))
		return false;
	hold_to_slash(slash, &found->object);
	hold_to_slash(slash, &found->name);
	tries[ATTEMPT_READ] = try_read(&found->object);
	tries[ATTEMPT_WRITE] = try_write(&found->object);
	tries[ATTEMPT_CREATE_IN] = try_create_in(&found->object);
	tries[ATTEMPT_CREATE] = try_create(&found->dir);
	tries[ATTEMPT_RENAME] = try_rename(found);
	tries[ATTEMPT_CONNECT] = try_connect(&found->object);
	return true;
}
