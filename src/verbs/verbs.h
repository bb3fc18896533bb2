/*
 * One file a verb. Each gets the words behind its name and returns the exit
 * code.
 */
#ifndef CORDON_VERBS_VERBS_H
#define CORDON_VERBS_VERBS_H

struct text;

int verb_run(char **words);
int verb_show(char **words);
int verb_explain(char **words);
int verb_features(char **words);
int verb_help(char **words);
int verb_version(char **words);

/* check and doctor; 2 where they cannot run. */
int verb_inspect(char **words);

/* bubblewrap's command line, by the name that this program was called. */
int verb_bwrap(char **words);
int verb_bwrap_as(const char *name, char **words);

/* The end of a verb that prints: says it and lets go of its arena. Returns the
 * exit code. */
int verb_say(const struct text *out);

/* A name kept for a later version: refused, never run as a command. */
int verb_later(char **words);

#endif
