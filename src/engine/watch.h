/*
 * The filter that watches.
 */
#ifndef CORDON_ENGINE_WATCH_H
#define CORDON_ENGINE_WATCH_H

struct op;

/* Loads the filter of an OP_WATCH into the calling process, and with it that of
 * an OP_FILTER, which may be NULL: then it is yet to be loaded. Returns the
 * descriptor of its notifications, or -errno, and nothing is loaded; EBUSY where
 * a filter that was there before has one already. no_new_privs must be set. */
int watch_listen(const struct op *op, const struct op *filter);

#endif
