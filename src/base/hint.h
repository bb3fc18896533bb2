/*
 * What usually lies behind a call that fails while the wall is built: the knob,
 * and the way to turn it.
 */
#ifndef CORDON_BASE_HINT_H
#define CORDON_BASE_HINT_H

struct fault;

/* One line for people, or NULL when nothing is known of it. */
const char *hint_for(const struct fault *fault);

#endif
