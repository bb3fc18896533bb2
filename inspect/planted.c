/*
 * Planting. Names are random, so that nobody can have been there before.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/io.h"
#include "base/path.h"
#include "base/proc.h"
#include "base/sys.h"
#include "inspect/check.h"
#include "inspect/planted.h"

static const char secret_name[] = "secret", socket_name[] = "socket";

enum { LEAST_PID = 100, PID_TRIES = 200, SECRET_ROOM = 64 };

static int random_word(struct arena *arena, const char **word)
{
	unsigned char bytes[12];
	char *at = arena_alloc(arena, 2 * sizeof(bytes) + 1);

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return -EIO;
	*word = at;
	for (size_t i = 0; i < sizeof(bytes); i++, at += 2)
		(void)snprintf(at, 3, "%02x", bytes[i]);
	return 0;
}

/* A directory that this user may make things in, by its canonical name. */
static const char *candidate(struct check *check, size_t i)
{
	const char *const names[] = {
		"/tmp",	    getenv("TMPDIR"),	       "/var/tmp",
		"/dev/shm", getenv("XDG_RUNTIME_DIR"), getenv("HOME")
	};
	const char *canonical;
	char *found;

	if (i >= sizeof(names) / sizeof(*names))
		return NULL;
	if (names[i] == NULL || names[i][0] != '/')
		return "";
	found = realpath(names[i], NULL);
	if (found == NULL)
		return "";
	canonical = arena_strdup(check->arena, found);
	free(found);
	return access(canonical, W_OK | X_OK) == 0 ? canonical : "";
}

static bool is_better(const struct shown_op *op, bool any)
{
	if (op == NULL)
		return true;
	return any && shown_is_read(op);
}

/* First where the rules hide it, then where they show it read-only. */
static const char *find_place(struct check *check, bool any)
{
	const char *dir;

	for (size_t i = 0; (dir = candidate(check, i)) != NULL; i++) {
		const char *name = path_join(check->arena, dir, "x");
		const struct shown_op *op =
			*dir == '\0'
				? NULL
				: shown_shows(check->arena, &check->plan, name);

		if (*dir == '\0')
			continue;
		check->planted.has_place = true;
		if (!is_better(op, any))
			continue;
		check->planted.shown = op;
		return dir;
	}
	return NULL;
}

/* Its owner is the caller that the sandbox has: root may run as another user. */
static int make_secret(struct check *check)
{
	struct planted *planted = &check->planted;
	int fd = sys_openat(planted->dir_fd, secret_name,
			    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);

	if (fd < 0)
		return fd;
	planted->secret_fd = fd;
	if (fchown(fd, check->uid, check->gid) != 0)
		return -errno;
	return io_write_all(fd, planted->content, strlen(planted->content));
}

/* It stays this process's own until all is in it, and is held: whose it becomes
 * then may rename in it, and what is reached by its name may be anything. */
static int make_dir(struct check *check, const char *place)
{
	struct planted *planted = &check->planted;
	char *dir = arena_join(check->arena, place, "/cordon-check.XXXXXX",
			       NULL);

	if (mkdtemp(dir) == NULL)
		return -errno;
	planted->dir = dir;
	planted->secret = path_join(check->arena, dir, secret_name);
	planted->socket = path_join(check->arena, dir, socket_name);
	planted->dir_fd = sys_openat(AT_FDCWD, dir,
				     O_PATH | O_NOFOLLOW | O_DIRECTORY, 0);
	return planted->dir_fd < 0 ? planted->dir_fd : 0;
}

static int make_files(struct check *check)
{
	const char *place = find_place(check, false);
	int err;

	if (place == NULL)
		place = find_place(check, true);
	if (place == NULL)
		return 0;
	err = make_dir(check, place);
	return err == 0 ? make_secret(check) : err;
}

/* The last act: see make_dir. */
static int give_dir(struct check *check)
{
	int fd = check->planted.dir_fd;

	if (fd < 0 ||
	    fchownat(fd, "", check->uid, check->gid, AT_EMPTY_PATH) == 0)
		return 0;
	return -errno;
}

/* Both end with check, whatever ends it, and hold nothing of it open. */
static void settle(pid_t parent, int fd)
{
	fd_close_all_but(&fd, 1);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		(void)raise(SIGKILL);
}

/* Any question gets itself back: what counts is that it was heard. */
static _Noreturn void answer_main(int fd, pid_t parent)
{
	settle(parent, fd);
	for (;;) {
		struct sockaddr_storage from;
		socklen_t length = sizeof(from);
		char bytes[512];
		ssize_t n = recvfrom(fd, bytes, sizeof(bytes), 0,
				     (struct sockaddr *)&from, &length);

		if (n > 0)
			(void)sendto(fd, bytes, (size_t)n, 0,
				     (struct sockaddr *)&from, length);
	}
}

/* Waits for the signal that must not come. */
static _Noreturn void victim_main(const struct check *check, pid_t parent)
{
	if (geteuid() == 0 && (check->uid != 0 || check->gid != 0))
		(void)(setresgid(check->gid, check->gid, check->gid) == 0 &&
		       setresuid(check->uid, check->uid, check->uid) == 0);
	settle(parent, -1);
	for (;;)
		(void)pause();
}

static pid_t start_victim(const struct check *check)
{
	pid_t parent = getpid();
	int pidfd = -1;
	pid_t pid = proc_clone(0, -1, &pidfd);

	if (pid == 0)
		victim_main(check, parent);
	fd_close(&pidfd);
	return pid;
}

static void end(pid_t *pid)
{
	if (*pid > 0 && kill(*pid, SIGKILL) == 0)
		(void)waitpid(*pid, NULL, 0);
	*pid = -1;
}

/* A number that no process of the sandbox's will have by itself. */
static int make_processes(struct check *check)
{
	struct planted *planted = &check->planted;
	pid_t parent = getpid();
	int pidfd = -1;

	for (int i = 0; i < PID_TRIES && planted->victim < LEAST_PID; i++) {
		end(&planted->victim);
		planted->victim = start_victim(check);
		if (planted->victim < 0)
			return (int)planted->victim;
	}
	planted->pid = arena_printf(check->arena, "%d", (int)planted->victim);
	planted->answerer = proc_clone(0, -1, &pidfd);
	if (planted->answerer == 0)
		answer_main(planted->sockets[PLANTED_UDP], parent);
	fd_close(&pidfd);
	return planted->answerer < 0 ? (int)planted->answerer : 0;
}

/* Seen by those only who have the keyring it is in. A kernel without keys, or
 * a filter around us, has none to keep: that is no failure. */
static int make_key(struct check *check)
{
	const char *name = check->planted.abstract;
	unsigned long possessor = 0x3f000000;
	long key;

	if (sys_keyctl_join_session() < 0)
		return 0;
	key = syscall(SYS_add_key, "user", name, "x", 1UL,
		      KEY_SPEC_SESSION_KEYRING);
	if (key < 0 ||
	    syscall(SYS_keyctl, KEYCTL_SETPERM, key, possessor, 0, 0) != 0)
		return 0;
	check->planted.key = name;
	return 0;
}

/* Descriptors that a careless caller would leave open: a low one and a high
 * one, of the secret. */
static int make_fds(struct check *check)
{
	static const int from[PLANTED_FDS] = { 3, 900 };
	struct planted *planted = &check->planted;
	FD_OWNED int null = sys_openat(AT_FDCWD, "/dev/null", O_RDONLY, 0);
	int fd = planted->secret_fd < 0 ? null : planted->secret_fd;
	struct rlimit limit = { .rlim_cur = 1024 };

	if (fd < 0)
		return fd;
	(void)getrlimit(RLIMIT_NOFILE, &limit);
	for (int i = 0; i < PLANTED_FDS; i++) {
		int least = (rlim_t)from[i] < limit.rlim_cur ? from[i] : 3;

		planted->fds[i] = fcntl(fd, F_DUPFD_CLOEXEC, least);
		if (planted->fds[i] < 0)
			return -errno;
	}
	return 0;
}

static void init(struct planted *planted)
{
	*planted = (struct planted){
		.victim = -1, .answerer = -1, .dir_fd = -1, .secret_fd = -1
	};
	for (int i = 0; i < PLANTED_FDS; i++)
		planted->fds[i] = -1;
	for (int i = 0; i < PLANTED_SOCKETS; i++)
		planted->sockets[i] = -1;
}

static int make_words(struct check *check)
{
	int err = random_word(check->arena, &check->planted.mark);

	return err == 0 ? random_word(check->arena, &check->planted.content)
			: err;
}

int planted_make(struct check *check, const char **what)
{
	static const struct {
		const char *what;
		int (*make)(struct check *check);
	} acts[] = {
		{ "random numbers", make_words },
		{ "a secret file", make_files },
		{ "sockets of this machine's own", planted_make_sockets },
		{ "processes", make_processes },
		{ "a key", make_key },
		{ "open descriptors", make_fds },
		{ "the directory", give_dir },
	};
	mode_t mask = umask(S_IRWXG | S_IRWXO);
	int err = 0;

	init(&check->planted);
	for (size_t i = 0; i < sizeof(acts) / sizeof(*acts) && err == 0; i++) {
		*what = acts[i].what;
		err = acts[i].make(check);
	}
	(void)umask(mask);
	return err;
}

/* By descriptor, and these names alone: the directory may be somebody else's by
 * now. What stands at its own name is removed only if it is an empty one. */
static void remove_dir(struct planted *planted)
{
	const char
		*const names[] = { secret_name, socket_name,
				   planted->mark /* a broken wall let in */ };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		(void)unlinkat(planted->dir_fd, names[i], 0);
	fd_close(&planted->dir_fd);
	(void)rmdir(planted->dir);
	planted->dir = NULL;
}

void planted_remove(struct planted *planted)
{
	end(&planted->victim);
	end(&planted->answerer);
	for (int i = 0; i < PLANTED_FDS; i++)
		fd_close(&planted->fds[i]);
	for (int i = 0; i < PLANTED_SOCKETS; i++)
		fd_close(&planted->sockets[i]);
	fd_close(&planted->secret_fd);
	if (planted->dir != NULL)
		remove_dir(planted);
}

const char *planted_secret_now(const struct planted *planted)
{
	char bytes[SECRET_ROOM];
	ssize_t n = pread(planted->secret_fd, bytes, sizeof(bytes), 0);

	if (n < 0)
		return "lost";
	return (size_t)n == strlen(planted->content) &&
			       memcmp(bytes, planted->content, (size_t)n) == 0
		       ? "unchanged"
		       : "changed";
}

bool planted_victim_lives(const struct planted *planted)
{
	return planted->victim > 0 &&
	       waitpid(planted->victim, NULL, WNOHANG) == 0;
}
