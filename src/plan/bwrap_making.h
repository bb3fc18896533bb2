/*
 * What the two files that plan for bubblewrap share.
 */
#ifndef CORDON_PLAN_BWRAP_MAKING_H
#define CORDON_PLAN_BWRAP_MAKING_H

#include "plan/build.h"

struct bwrap;

/* A source, or slot -1: there is none. */
struct bwrap_source {
	int slot;
	uint32_t type; /* S_IFMT */
};

struct making {
	struct build build;
	const struct bwrap *bwrap;
	struct bwrap_source *sources; /* of a wish, or of its first layer */
	struct bwrap_source console;
	const char *problem;
};

struct op *bwrap_op(struct making *making, enum op_kind kind);

/* bwrap_run.c: namespaces and ids, before the file system; what comes behind the
 * pivot; the command's own process; and who looks after it. */
void bwrap_spaces(struct making *making);
void bwrap_end(struct making *making);
void bwrap_command(struct making *making);
void bwrap_monitor(struct making *making);

#endif
