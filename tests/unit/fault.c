/*
 * A failure is said whole, and its hint is found.
 */
#include <errno.h>

#include "base/fault.h"
#include "base/hint.h"
#include "tests/unit/tap.h"

static void test_words(const char *words)
{
	struct fault fault = { 0 };

	tap_ok(fault_set(&fault, words, "/x", ESTALE) == -ESTALE, "%s",
	       "the error is returned");
	tap_text(fault.call, words, words);
}

int main(void)
{
	struct fault fault = { 0 };

	test_words(FAULT_REPLACED);
	test_words(FAULT_LOST);
	(void)fault_set(&fault, FAULT_REPLACED, "/x", ESTALE);
	tap_ok(hint_for(&fault) != NULL, "an object that was replaced: a hint");
	(void)fault_set(&fault, "move_mount", "/x", ESTALE);
	tap_ok(hint_for(&fault) == NULL, "another call: none");
	return tap_done();
}
