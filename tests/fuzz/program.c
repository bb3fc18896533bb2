/*
 * The first bytes of a program.
 */
#include <string.h>

#include "base/arena.h"
#include "base/program.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = { 0 };
	const char *name = program_interpreter(&arena, data, size);

	if (name != NULL)
		MUST(strlen(name) <= size);
	arena_done(&arena);
	return 0;
}
