/*
 * One golden case: words and a described machine, and what comes of them.
 */
#ifndef CORDON_TESTS_ASKED_H
#define CORDON_TESTS_ASKED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "host/facts.h"
#include "plan/plan.h"
#include "policy/bwrap.h"
#include "policy/policy.h"

struct arena;
struct canned;

struct asked_text {
	const char *name;
	struct text text;
};

struct asked {
	struct arena *arena;
	const char *head; /* all before the expectation */
	size_t head_length;
	const char *expect;

	const char **lines; /* command lines that mean the same */
	size_t line_count;
	char **environ;
	struct text facts;
	struct asked_text *texts; /* profiles and, by number, --args */
	size_t text_count;
	const char *problem;
};

/* Reads a case file; the text is borrowed. `base` describes the machine that
 * every case starts from. */
void asked_read(struct asked *asked, struct arena *arena, const char *base,
		const char *text);

/* What became of a command line. */
struct outcome {
	struct policy_context context;
	struct policy policy; /* with the refusals */
	struct facts facts;
	struct plan plan;
	unsigned rounds;     /* of planning */
	const char *problem; /* in the description of the machine */

	bool is_bwrap; /* bubblewrap's words, with these in place of policy */
	enum bwrap_answer answer;
	struct bwrap bwrap;
	const char *fault; /* of planning, or NULL */
};

/* More rounds than this are a plan that never ends. */
enum { MOST_ROUNDS = 32 };

/* The words begin with the verb: run, show, explain or bwrap. The outcome is the
 * arena's. */
const struct outcome *asked_plan(const struct asked *asked, char **words);

/* The plan as `show` prints it, or refusals as on stderr and the exit code. */
const char *asked_say(const struct outcome *outcome);

/* asked_bwrap.c: the same for what is behind the verb bwrap. */
void asked_bwrap(const struct asked *asked, char **words,
		 const struct canned *canned, struct outcome *outcome);
void asked_say_bwrap(const struct outcome *outcome, struct text *out);

#endif
