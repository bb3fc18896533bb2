/*
 * The one voice: nothing else writes to stderr. Lines are whole, begin with
 * "cordon: " and never carry control characters from a path.
 */
#ifndef CORDON_BASE_REPORT_H
#define CORDON_BASE_REPORT_H

#include <stdbool.h>

struct fault;

/* "cordon: refused: WHAT (token)" and, when there is one, "  mend: ...". */
void report_refused(const char *what, const char *token, const char *mend);

/* "cordon: failed: ..." in words from a fault; hint may be NULL. */
void report_failed(const struct fault *fault, const char *hint);

/* "cordon: note: ..." and other single lines: "cordon: KIND: TEXT". */
void report_line(const char *kind, const char *text);

/* For a person at a verb such as show: the text as it is. */
void report_usage(const char *text);

#endif
