/*
 * What usually lies behind a call that fails while the wall is built: the knob,
 * and the way to turn it. `run` says it when it fails, `doctor` before.
 */
#ifndef CORDON_BASE_HINT_H
#define CORDON_BASE_HINT_H

struct fault;

struct hint {
	/* When it applies. NULL, or 0 for the error: whatever it is. */
	const char *stage;
	const char *calls;  /* one of these words, or all of them */
	const char *object; /* as the fault has it */
	int error;
	/* A line that this file must have; "" is a file without any. What a
	 * machine says of itself is better than what is likely. */
	const char *file, *line;

	const char *cause, *mend; /* mend is a line to paste */
	const char *text;	  /* both in one line */
};

/* The first that fits, or NULL when nothing is known of it. */
const struct hint *hint_find(const struct fault *fault);

/* Its text, or NULL. */
const char *hint_for(const struct fault *fault);

#endif
