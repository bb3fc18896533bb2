/*
 * cordon-inspect: what the verbs check and doctor do.
 */
#ifndef CORDON_INSPECT_H
#define CORDON_INSPECT_H

enum { INSPECT_YES = 0, INSPECT_NO = 1, INSPECT_BROKEN = 2 };

/* Words behind the verb; launcher is cordon's own executable. Return the exit
 * code. */
int check_main(const char *launcher, char **words);
int doctor_main(const char *launcher, char **words);

/* Started by check, inside and outside; its launcher is a hyphen. */
int probe_main(const char *launcher, char **words);

/* Since no time in particular. */
long inspect_now_ms(void);

#endif
