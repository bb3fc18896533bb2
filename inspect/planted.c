/*
 * Planting. Names are random, so that nobody can have been there before.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/io.h"
#include "base/path.h"
#include "base/proc.h"
#include "base/sys.h"
#include "inspect/check.h"
#include "inspect/planted.h"

enum { LEAST_PID = 100, PID_TRIES = 200, LISTENERS = 8 };

/* Handed to the caller that the sandbox has: root may run as another user. */
static int give(const struct check *check, const char *path)
{
	return lchown(path, check->uid, check->gid) == 0 ? 0 : -errno;
}

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

		if (*dir == '\0' || !is_better(op, any))
			continue;
		check->planted.shown = op;
		return dir;
	}
	return NULL;
}

static int write_secret(struct check *check)
{
	struct planted *planted = &check->planted;
	FD_OWNED int fd = sys_openat(AT_FDCWD, planted->secret,
				     O_WRONLY | O_CREAT | O_EXCL, 0600);

	if (fd < 0)
		return fd;
	return io_write_all(fd, planted->content, strlen(planted->content));
}

static int make_files(struct check *check)
{
	struct planted *planted = &check->planted;
	const char *place = find_place(check, false);
	char *dir;
	int err;

	if (place == NULL)
		place = find_place(check, true);
	if (place == NULL)
		return 0;
	dir = arena_join(check->arena, place, "/cordon-check.XXXXXX", NULL);
	if (mkdtemp(dir) == NULL)
		return -errno;
	planted->dir = dir;
	planted->secret = path_join(check->arena, dir, "secret");
	planted->socket = path_join(check->arena, dir, "socket");
	err = write_secret(check);
	if (err == 0)
		err = give(check, planted->secret);
	return err == 0 ? give(check, dir) : err;
}

static const char *port_of(struct arena *arena, int fd)
{
	struct sockaddr_storage bound = { 0 };
	struct sockaddr_in in;
	socklen_t length = sizeof(bound);

	(void)getsockname(fd, (struct sockaddr *)&bound, &length);
	memcpy(&in, &bound,
	       sizeof(in)); /* the port is at the same place in 6 */
	return arena_printf(arena, "%u", (unsigned)ntohs(in.sin_port));
}

/* Loopback only. A connection is made by the kernel, nobody need accept it. */
static int listen_inet(struct check *check, int family, int type,
		       const char **port)
{
	struct sockaddr_in in = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6,
				    .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr *address = family == AF_INET ? (struct sockaddr *)&in
						     : (struct sockaddr *)&in6;
	socklen_t length = family == AF_INET ? sizeof(in) : sizeof(in6);
	int fd = socket(family, type | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	if (bind(fd, address, length) != 0 ||
	    (type == SOCK_STREAM && listen(fd, LISTENERS) != 0)) {
		int err = -errno;

		fd_close(&fd);
		return err;
	}
	*port = port_of(check->arena, fd);
	return fd;
}

static int listen_unix(const char *path, const char *abstract)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	size_t at = abstract == NULL ? 0 : 1;
	const char *name = abstract == NULL ? path : abstract;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (strlen(name) + at >= sizeof(un.sun_path))
		err = -ENAMETOOLONG;
	else
		memcpy(un.sun_path + at, name, strlen(name));
	if (err == 0 &&
	    (bind(fd, (struct sockaddr *)&un,
		  (socklen_t)(offsetof(struct sockaddr_un, sun_path) + at +
			      strlen(name))) != 0 ||
	     listen(fd, LISTENERS) != 0))
		err = -errno;
	if (err == 0)
		return fd;
	fd_close(&fd);
	return err;
}

static int make_sockets(struct check *check)
{
	struct planted *planted = &check->planted;
	int *held = planted->sockets;

	planted->abstract = arena_join(check->arena, "cordon-check-",
				       planted->mark, NULL);
	held[0] = listen_inet(check, AF_INET, SOCK_STREAM, &planted->tcp);
	held[1] = listen_inet(check, AF_INET, SOCK_DGRAM, &planted->udp);
	held[2] = listen_unix(NULL, planted->abstract);
	for (int i = 0; i < 3; i++) {
		if (held[i] < 0)
			return held[i];
	}
	/* a machine may do without version 6 */
	held[3] = listen_inet(check, AF_INET6, SOCK_STREAM, &planted->tcp6);
	if (planted->dir == NULL)
		return 0;
	held[4] = listen_unix(planted->socket, NULL);
	return held[4] < 0 ? held[4] : give(check, planted->socket);
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
		answer_main(planted->sockets[1], parent);
	fd_close(&pidfd);
	return planted->answerer < 0 ? (int)planted->answerer : 0;
}

/* Seen by those only who have the keyring it is in. A kernel without keys, or
 * a filter around us, has none to keep. */
static void make_key(struct check *check)
{
	const char *name = check->planted.abstract;
	unsigned long possessor = 0x3f000000;
	long key;

	if (sys_keyctl_join_session() < 0)
		return;
	key = syscall(SYS_add_key, "user", name, "x", 1UL,
		      KEY_SPEC_SESSION_KEYRING);
	if (key < 0 ||
	    syscall(SYS_keyctl, KEYCTL_SETPERM, key, possessor, 0, 0) != 0)
		return;
	check->planted.key = name;
}

/* Descriptors that a careless caller would leave open: a low one and a high
 * one, of the secret. */
static int make_fds(struct check *check)
{
	static const int from[PLANTED_FDS] = { 3, 900 };
	struct planted *planted = &check->planted;
	const char *file = planted->secret == NULL ? "/dev/null"
						   : planted->secret;
	FD_OWNED int fd = sys_openat(AT_FDCWD, file, O_RDONLY, 0);
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

int planted_make(struct check *check, const char **what)
{
	struct planted *planted = &check->planted;
	int err;

	*planted = (struct planted){ .victim = -1, .answerer = -1 };
	for (int i = 0; i < PLANTED_FDS; i++)
		planted->fds[i] = -1;
	for (int i = 0; i < 5; i++)
		planted->sockets[i] = -1;
	*what = "random numbers";
	err = random_word(check->arena, &planted->mark);
	if (err == 0)
		err = random_word(check->arena, &planted->content);
	if (err != 0)
		return err;
	*what = "a secret file";
	err = make_files(check);
	if (err != 0)
		return err;
	*what = "sockets of this machine's own";
	err = make_sockets(check);
	if (err != 0)
		return err;
	*what = "processes";
	err = make_processes(check);
	if (err != 0)
		return err;
	make_key(check);
	*what = "open descriptors";
	return make_fds(check);
}

void planted_remove(struct planted *planted)
{
	end(&planted->victim);
	end(&planted->answerer);
	for (int i = 0; i < PLANTED_FDS; i++)
		fd_close(&planted->fds[i]);
	for (int i = 0; i < 5; i++)
		fd_close(&planted->sockets[i]);
	if (planted->dir == NULL)
		return;
	(void)unlink(planted->secret);
	(void)unlink(planted->socket);
	/* what a broken wall let in */
	(void)unlink(arena_join(&(struct arena){ 0 }, planted->dir, "/",
				planted->mark, NULL));
	(void)rmdir(planted->dir);
	planted->dir = NULL;
}

const char *planted_secret_now(struct arena *arena, const struct planted *p)
{
	char *bytes;
	size_t length;
	int err = io_read_file(arena, p->secret, 4096, &bytes, &length);

	if (err != 0)
		return "lost";
	return strcmp(bytes, p->content) == 0 ? "unchanged" : "changed";
}

bool planted_victim_lives(const struct planted *planted)
{
	return planted->victim > 0 &&
	       waitpid(planted->victim, NULL, WNOHANG) == 0;
}
