/*
 * System call filters that are compiled in.
 */
#ifndef CORDON_ENGINE_FILTER_H
#define CORDON_ENGINE_FILTER_H

#include "base/bpf.h"

struct op;

/* The program of an OP_FILTER: its own, or the shipped one of its name. */
struct bpf filter_program(const struct op *op);

/* Loads it. Returns 0 or -errno. no_new_privs must be set. */
int filter_load(const struct op *op);

#endif
