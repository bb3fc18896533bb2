/*
 * bubblewrap's voice.
 */
#ifndef CORDON_VERBS_BWRAP_H
#define CORDON_VERBS_BWRAP_H

struct arena;
struct fault;
struct plan;

/* A fault in bubblewrap's words, owned by the arena. */
const char *bwrap_say(struct arena *arena, const struct plan *plan,
		      const struct fault *fault);

#endif
