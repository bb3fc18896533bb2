/*
 * A machine described by a small text: a file system and what else a plan may
 * know. Answers what a plan wants to know from it, with a resolver of its own.
 */
#ifndef CORDON_TESTS_CANNED_H
#define CORDON_TESTS_CANNED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "host/facts.h"

struct arena;
struct policy;

struct canned_node {
	const char *path; /* canonical */
	uint32_t mode, nlink, uid, gid, major, minor;
	uint64_t dev, ino;
	const char *target; /* of a link */
	const char *text;   /* of a file */
	size_t length;
	bool mount, read_only;
};

enum { CANNED_FDS = 16 };

struct canned {
	struct arena *arena;
	struct map nodes; /* path -> node */
	struct canned_node **list;
	size_t count;
	uint64_t next_ino, next_dev;

	struct facts machine; /* everything but the paths */
	const char *cwd;      /* NULL: gone */
	enum fd_state fds[CANNED_FDS];
	const char *problem; /* what is wrong with the description */
};

void canned_init(struct canned *canned, struct arena *arena);

/*
 * One thing a line, in words as a shell splits them; \n, \t and \xNN stand for
 * characters. What is said twice is replaced.
 *
 *     dir|file|fifo|socket PATH [mode=0755] [uid=N] [gid=N] [nlink=N] [ino=N]
 *         file also: [text=WORDS] [elf=LOADER]
 *     link PATH TARGET
 *     char|block PATH MAJOR:MINOR
 *     mount PATH [read-only]       a directory that is another file system
 *     gone PATH                    and all below it
 *     cwd PATH|gone
 *     fd N shut|fine|directory|block|path     0 to 2: fine, others: shut
 *     machine [uid=N] [gid=N] [kernel=6.1] [landlock=N] [terminal=PATH]
 *             [nofile=N] [cgroupless=1] [cgroup=PATH] [controllers=WORDS]
 *             [filter=PROBLEM]
 */
void canned_read(struct canned *canned, const char *text);

/* Words as a shell splits them, NULL-terminated. */
char **canned_words(struct arena *arena, const char *line, size_t length);

/* Facts of the machine, none yet of its paths. */
void canned_facts(const struct canned *canned, const struct policy *policy,
		  struct arena *arena, struct facts *facts);

void canned_answer(const struct canned *canned, struct arena *arena,
		   struct facts *facts, const struct wants *wants);

#endif
