#ifndef CORDON_SECCOMP_PROGRAM_H
#define CORDON_SECCOMP_PROGRAM_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rules.h"

/*
 * A filter, built back to front: whatever an instruction jumps to exists
 * before the instruction does, so no label is ever patched. Places in the
 * program are indexes into @code, which is filled from its end.
 */
struct program {
	struct sock_filter code[BPF_MAXINSNS];
	size_t start; /* of the program, so far */
	bool full;
};

/* Where to go on. */
struct fork {
	size_t yes;
	size_t no;
};

/* For calls without rules: between those of a table that starts at number
 * @base, and beyond its last. */
struct defaults {
	uint32_t base;
	uint32_t action;
	uint32_t beyond;
};

void program_init(struct program *program);

/* Each puts code in front of the program and returns its place. */

/* Ends with @action. */
size_t program_return(struct program *program, uint32_t action);

/* Goes one way or the other after comparing the accumulator with @k; @test
 * is BPF_JEQ, BPF_JGT, BPF_JGE or BPF_JSET. */
size_t program_jump(struct program *program, uint16_t test, uint32_t k,
		    struct fork fork);

/* Loads the 32 bits at @offset of struct seccomp_data into the accumulator,
 * then goes to @next. */
size_t program_load(struct program *program, size_t offset, size_t next);

/* Decides by the call's number, which must be in the accumulator. Returns
 * SIZE_MAX when there is no memory. */
size_t program_table(struct program *program, const struct table *table,
		     const struct defaults *defaults);

#endif
