/*
 * What check puts outside to be tried: a file, sockets, a process, a key, open
 * descriptors. All of it is this machine's own.
 */
#ifndef CORDON_INSPECT_PLANTED_H
#define CORDON_INSPECT_PLANTED_H

#include <stdbool.h>
#include <sys/types.h>

struct arena;
struct check;

enum { PLANTED_FDS = 2 };

enum planted_socket {
	PLANTED_TCP,
	PLANTED_TCP6,
	PLANTED_UDP,
	PLANTED_ABSTRACT,
	PLANTED_PATHNAME,
	PLANTED_SOCKETS,
};

struct planted {
	const char *dir; /* NULL: nowhere to put one */
	bool has_place;	 /* for one, if only where the rules show it writable */
	int dir_fd, secret_fd;
	const struct shown_op *shown; /* by which the rules show it, or NULL */
	const char *secret, *socket;  /* in it */
	const char *content;	      /* of the secret: one random word */
	const char *mark;	      /* of names that are made inside */
	const char *abstract;	      /* without the leading NUL */
	const char *key;	      /* its description, NULL: no keys here */
	const char *tcp, *tcp6, *udp; /* ports; tcp6 may be NULL */
	const char *pid;
	pid_t victim, answerer;
	int fds[PLANTED_FDS];
	int sockets[PLANTED_SOCKETS]; /* held open */
};

/* Returns 0, or -errno with what failed in *what. planted_remove is called after
 * either. */
int planted_make(struct check *check, const char **what);

/* planted_net.c: the sockets, in the directory if there is one. 0 or -errno. */
int planted_make_sockets(struct check *check);

/* Takes it all away again. Called once more, it does nothing. */
void planted_remove(struct planted *planted);

/* Whether what was planted outside is as it was. */
const char *planted_secret_now(const struct planted *planted);
bool planted_victim_lives(const struct planted *planted);

#endif
