/*
 * TAP for a program of one file: tap_ok and its likes say one line each,
 * tap_done says the plan and gives the exit code.
 */
#ifndef CORDON_TESTS_TAP_H
#define CORDON_TESTS_TAP_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static unsigned tap_count, tap_failed;

__attribute__((format(printf, 1, 2), unused)) static void tap_diag(
	const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("# ");
	vprintf(format, args);
	printf("\n");
	va_end(args);
}

__attribute__((format(printf, 2, 3), unused)) static bool tap_ok(
	bool good, const char *format, ...)
{
	va_list args;

	tap_count++;
	tap_failed += !good;
	va_start(args, format);
	printf("%s %u - ", good ? "ok" : "not ok", tap_count);
	vprintf(format, args);
	printf("\n");
	va_end(args);
	return good;
}

/* NULL is a text of its own. */
__attribute__((unused)) static bool tap_text(const char *found,
					     const char *expected,
					     const char *what)
{
	bool good = found == NULL || expected == NULL
			    ? found == expected
			    : strcmp(found, expected) == 0;

	tap_ok(good, "%s", what);
	if (!good) {
		tap_diag("expected: %s", expected ? expected : "(none)");
		tap_diag("found:    %s", found ? found : "(none)");
	}
	return good;
}

__attribute__((unused)) static bool tap_number(uint64_t found,
					       uint64_t expected,
					       const char *what)
{
	bool good = found == expected;

	tap_ok(good, "%s", what);
	if (!good)
		tap_diag("expected %" PRIu64 ", found %" PRIu64, expected,
			 found);
	return good;
}

__attribute__((unused)) static int tap_done(void)
{
	printf("1..%u\n", tap_count);
	return tap_failed != 0;
}

#endif
