/*
 * The probe's loop, and what it tries on files. Attempts are made so that none
 * does harm where a wall is missing: nothing is truncated, and what is made is
 * taken away again.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/io.h"
#include "base/number.h"
#include "base/sys.h"
#include "inspect/inspect.h"
#include "inspect/probe.h"

enum { ROOM = 16384 };

const char *probe_answer(int err)
{
	return err == 0 ? "0" : fault_errno_name(err < 0 ? -err : err);
}

unsigned long probe_number(const char *word, unsigned long most)
{
	uint64_t number = most;

	return number_parse(word, most, &number) == 0 ? (unsigned long)number
						      : most;
}

static int open_dir(const char *path)
{
	return sys_openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_NONBLOCK,
			  0);
}

/* Empty: a limit of file sizes is none of a wall. */
static int make_file(const char *dir, const char *name, bool keep)
{
	FD_OWNED int at = sys_openat(AT_FDCWD, dir, O_PATH | O_DIRECTORY, 0);
	FD_OWNED int fd = -1;

	if (at < 0)
		return at;
	fd = sys_openat(at, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
			0600);
	if (fd < 0)
		return fd;
	return keep || unlinkat(at, name, 0) == 0 ? 0 : -errno;
}

/* create DIR NAME */
static const char *create(const char *const *arguments)
{
	return probe_answer(make_file(arguments[0], arguments[1], false));
}

/* leave DIR NAME: the same, and it stays */
static const char *leave(const char *const *arguments)
{
	return probe_answer(make_file(arguments[0], arguments[1], true));
}

/* alter FILE: only for one that was planted */
static const char *alter(const char *const *arguments)
{
	FD_OWNED int fd = sys_openat(AT_FDCWD, arguments[0],
				     O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0);

	return probe_answer(fd < 0 ? fd : io_write_all(fd, "x", 1));
}

/* open-write FILE */
static const char *open_write(const char *const *arguments)
{
	FD_OWNED int fd = sys_openat(AT_FDCWD, arguments[0],
				     O_WRONLY | O_NONBLOCK | O_NOCTTY, 0);

	return probe_answer(fd < 0 ? fd : 0);
}

/* read PATH: a byte of a file, or an entry of a directory */
static const char *read_path(const char *const *arguments)
{
	FD_OWNED int fd = open_dir(arguments[0]);
	char bytes[4096];
	ssize_t n;

	if (fd >= 0) {
		n = sys_getdents(fd, bytes, sizeof(bytes));
		return probe_answer(n < 0 ? (int)n : 0);
	}
	if (fd != -ENOTDIR)
		return probe_answer(fd);
	fd = sys_openat(AT_FDCWD, arguments[0],
			O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
	if (fd < 0)
		return probe_answer(fd);
	n = read(fd, bytes, 1);
	return probe_answer(n < 0 && errno != EAGAIN ? errno : 0);
}

/* access PATH: whether it could be read */
static const char *may_read(const char *const *arguments)
{
	return probe_answer(sys_faccessat(AT_FDCWD, arguments[0], R_OK, 0));
}

static int remove_attribute(const char *const *arguments)
{
	return removexattr(arguments[0], "user.cordon-check") == 0 ? 0 : errno;
}

/* readonly PATH: the kernel asks the mount before it asks who the caller is, so
 * EROFS says that the mount is read-only and nothing else does. What a filter
 * says instead is not its answer: read-only is what it says of the mount. */
static const char *readonly(const char *const *arguments)
{
	FD_OWNED int fd = sys_openat(AT_FDCWD, arguments[0], O_PATH, 0);
	const char *answer;
	struct statvfs about;

	if (fd < 0)
		return "unreachable";
	answer = probe_try(remove_attribute, arguments);
	if (strcmp(answer, "EROFS") != 0 && fstatvfs(fd, &about) == 0 &&
	    (about.f_flag & ST_RDONLY) != 0)
		return "read-only";
	return answer;
}

const char *probe_look_of(const char *path)
{
	static char words[64];
	struct stat st;

	if (lstat(path, &st) != 0)
		return probe_answer(errno);
	if (!S_ISREG(st.st_mode))
		st.st_size = st.st_mtime = 0;
	(void)snprintf(words, sizeof(words), "%o,%lld,%lld", st.st_mode,
		       (long long)st.st_size, (long long)st.st_mtime);
	return words;
}

/* looks PATH LOOK: whether it does */
static const char *looks(const char *const *arguments)
{
	return strcmp(probe_look_of(arguments[0]), arguments[1]) == 0 ? "same"
								      : "other";
}

/* seen PATH */
static const char *seen(const char *const *arguments)
{
	struct stat st;

	return probe_answer(lstat(arguments[0], &st) == 0 ? 0 : errno);
}

/* object PATH DEVICE:INODE: whether it is that one */
static const char *object(const char *const *arguments)
{
	struct sys_stat st;
	char words[64];
	int err = sys_stat(AT_FDCWD, arguments[0], AT_SYMLINK_NOFOLLOW, &st);

	if (err != 0)
		return probe_answer(err);
	(void)snprintf(words, sizeof(words), "%" PRIu64 ":%" PRIu64, st.dev,
		       st.ino);
	return strcmp(words, arguments[1]) == 0 ? "same" : "other";
}

/* value FILE: its first word */
static const char *value(const char *const *arguments)
{
	static char bytes[64];
	FD_OWNED int fd = sys_openat(AT_FDCWD, arguments[0], O_RDONLY, 0);
	ssize_t n;

	if (fd < 0)
		return probe_answer(fd);
	n = read(fd, bytes, sizeof(bytes) - 1);
	if (n < 0)
		return probe_answer(errno);
	bytes[n] = '\0';
	bytes[strcspn(bytes, " \t\n")] = '\0';
	return bytes;
}

static const struct {
	const char *name;
	probe_attempt *attempt;
} attempts[] = {
	{ "create", create },
	{ "leave", leave },
	{ "alter", alter },
	{ "open-write", open_write },
	{ "read", read_path },
	{ "access", may_read },
	{ "readonly", readonly },
	{ "looks", looks },
	{ "seen", seen },
	{ "object", object },
	{ "value", value },
	{ "signal", probe_signal },
	{ "pidns", probe_pidns },
	{ "fd", probe_fd },
	{ "fds", probe_fds },
	{ "space", probe_space },
	{ "tcp", probe_tcp },
	{ "udp", probe_udp },
	{ "ping", probe_ping },
	{ "far-tcp", probe_far_tcp },
	{ "far-udp", probe_far_udp },
	{ "far-ping", probe_far_ping },
	{ "lookup", probe_lookup },
	{ "own-tcp", probe_own_tcp },
	{ "abstract", probe_abstract },
	{ "unix", probe_unix },
	{ "tiocsti", probe_tiocsti },
	{ "key-listed", probe_key_listed },
	{ "key-found", probe_key_found },
	{ "unshare", probe_unshare },
	{ "clone", probe_clone },
	{ "call", probe_call },
	{ "call-apart", probe_call_apart },
	{ "seccomp", probe_seccomp },
	{ "filters", probe_filters },
	{ "nnp", probe_nnp },
	{ "caps", probe_caps },
};

static const char *attempt(const char *const *words)
{
	for (size_t i = 0; i < sizeof(attempts) / sizeof(*attempts); i++) {
		if (strcmp(words[0], attempts[i].name) == 0)
			return attempts[i].attempt(words + 1);
	}
	return "unknown";
}

/* Splits one question, which ends with an empty word. Returns its length, or 0
 * while it is not whole. */
static size_t split(const char *bytes, size_t length, const char **words)
{
	size_t at = 0, count = 0;

	while (at < length) {
		const char *end = memchr(bytes + at, '\0', length - at);

		if (end == NULL)
			return 0;
		if (end == bytes + at)
			return at + 1;
		if (count <= PROBE_ARGUMENTS)
			words[count++] = bytes + at;
		at = (size_t)(end - bytes) + 1;
	}
	return 0;
}

static int answer_one(const char *const *words)
{
	char line[ROOM];
	int length = snprintf(line, sizeof(line), "%s\n", attempt(words));

	return io_write_all(STDOUT_FILENO, line, (size_t)length);
}

/* Asked one at a time: the end of the questions is its end. */
static int answer_all(void)
{
	static char bytes[ROOM];
	size_t length = 0;

	for (;;) {
		const char *words[PROBE_ARGUMENTS + 1] = { "", "", "", "",
							   "", "", "" };
		size_t used = split(bytes, length, words);
		ssize_t n;

		if (used != 0) {
			if (answer_one(words) != 0)
				return INSPECT_BROKEN;
			memmove(bytes, bytes + used, length - used);
			length -= used;
			continue;
		}
		n = read(STDIN_FILENO, bytes + length, sizeof(bytes) - length);
		if (n <= 0)
			return n == 0 ? INSPECT_YES : INSPECT_BROKEN;
		length += (size_t)n;
	}
}

/* As the control outside: the caller that the sandbox has, and no more than it
 * has. Root keeps its id there and not its powers. */
static int become(const char *uid, const char *gid)
{
	gid_t group = (gid_t)probe_number(gid, UINT32_MAX);
	uid_t user = (uid_t)probe_number(uid, UINT32_MAX);

	if (geteuid() == 0 && (user != geteuid() || group != getegid()) &&
	    (setgroups(0, NULL) != 0 || setresgid(group, group, group) != 0 ||
	     setresuid(user, user, user) != 0))
		return -errno;
	return sys_capset_empty();
}

/* cordon-inspect - probe [UID GID] */
int probe_main(const char *launcher, char **words)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	(void)launcher;
	(void)sigaction(SIGXFSZ, &ignore, NULL); /* EFBIG is the answer */
	if (words[0] != NULL && words[1] != NULL &&
	    become(words[0], words[1]) != 0)
		return INSPECT_BROKEN;
	return answer_all();
}
