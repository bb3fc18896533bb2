/*
 * The filter that watches.
 */
#ifndef CORDON_ENGINE_WATCH_H
#define CORDON_ENGINE_WATCH_H

struct op;

/* Loads the filter of an OP_WATCH into the calling process. Returns the
 * descriptor of its notifications, or -errno; EBUSY where a filter that was
 * there before has one already. no_new_privs must be set. */
int watch_listen(const struct op *op);

#endif
