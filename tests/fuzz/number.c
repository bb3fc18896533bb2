/*
 * Numbers: what is taken is in bounds, what is refused leaves the result alone.
 */
#include <string.h>

#include "base/arena.h"
#include "base/number.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = { 0 };
	uint64_t max = 0, number = 1;
	char digits[NUMBER_ROOM];
	const char *word;

	if (size < sizeof(max))
		return 0;
	memcpy(&max, data, sizeof(max));
	word = arena_strndup(&arena, (const char *)data + sizeof(max),
			     size - sizeof(max));
	if (number_parse(word, max, &number) == 0) {
		MUST(number <= max);
		(void)number_write(digits, number, 10);
		MUST(strcmp(digits, word + strspn(word, "0")) == 0 ||
		     number == 0);
	} else {
		MUST(number == 1);
	}
	number = 1;
	if (number_parse_size(word, &number) == 0)
		MUST(number <= INT64_MAX);
	else
		MUST(number == 1);
	number = 1;
	if (number_parse_duration(word, &number) == 0)
		MUST(number <= 366ULL * 24 * 3600000);
	else
		MUST(number == 1);
	arena_done(&arena);
	return 0;
}
