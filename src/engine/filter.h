/*
 * System call filters that are compiled in.
 */
#ifndef CORDON_ENGINE_FILTER_H
#define CORDON_ENGINE_FILTER_H

struct op;

/* Loads the filter of an OP_FILTER: its own program, or the shipped one of its
 * name. Returns 0 or -errno. no_new_privs must be set. */
int filter_load(const struct op *op);

#endif
