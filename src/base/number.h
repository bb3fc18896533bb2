/*
 * Numbers as users write them. Nothing is guessed: no sign, no white space, no
 * octal, no overflow; a suffix only where it is named.
 */
#ifndef CORDON_BASE_NUMBER_H
#define CORDON_BASE_NUMBER_H

#include <stdint.h>

/* All return 0, or -EINVAL for what is not a number, -ERANGE for too large. */
int number_parse(const char *word, uint64_t max, uint64_t *number);

/* Bytes: a number and K, M, G or T (powers of 1024). */
int number_parse_size(const char *word, uint64_t *bytes);

/* Writes digits and a NUL at `at`; returns where the NUL stands. NUMBER_ROOM is
 * enough for any number in any of these bases. Not printf: its family touches
 * pages that a plain launch never needs. */
enum { NUMBER_ROOM = 24 };
char *number_write(char *at, uint64_t number, unsigned base);

/* Milliseconds: a number and ms, s, m or h; bare is seconds; 1.5s is good. */
int number_parse_duration(const char *word, uint64_t *milliseconds);

#endif
