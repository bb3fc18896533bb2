/*
 * Numbers as users write them: nothing is guessed.
 */
#include <errno.h>

#include "base/number.h"
#include "tests/unit/tap.h"

enum { UNTOUCHED = 42 };

static void check(int err, uint64_t found, int64_t expected, const char *word)
{
	if (expected < 0)
		tap_ok(err == (int)expected && found == UNTOUCHED,
		       "'%s' is refused and leaves the result alone", word);
	else
		tap_ok(err == 0 && found == (uint64_t)expected, "'%s'", word);
}

static void test_plain(void)
{
	static const struct {
		const char *word;
		uint64_t max;
		int64_t expected;
	} cases[] = {
		{ "0", 10, 0 },
		{ "10", 10, 10 },
		{ "11", 10, -ERANGE },
		{ "007", 10, 7 },
		{ "", 10, -EINVAL },
		{ " 1", 10, -EINVAL },
		{ "1 ", 10, -EINVAL },
		{ "-1", 10, -EINVAL },
		{ "+1", 10, -EINVAL },
		{ "0x1", 10, -EINVAL },
		{ "9", 2, -ERANGE }, /* the digit alone is above the bound */
		{ "3", 0, -ERANGE },
		{ "18446744073709551616", UINT64_MAX, -ERANGE },
		{ "99999999999999999999999", UINT64_MAX, -ERANGE },
	};
	uint64_t number;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int err;

		number = UNTOUCHED;
		err = number_parse(cases[i].word, cases[i].max, &number);
		check(err, number, cases[i].expected, cases[i].word);
	}
	tap_ok(number_parse("18446744073709551615", UINT64_MAX, &number) == 0 &&
		       number == UINT64_MAX,
	       "the largest number");
}

static void test_size(void)
{
	static const struct {
		const char *word;
		int64_t expected;
	} cases[] = {
		{ "0", 0 },
		{ "1K", 1024 },
		{ "2M", 2 << 20 },
		{ "3G", 3LL << 30 },
		{ "4T", 4LL << 40 },
		{ "8388607T", 8388607LL << 40 },
		{ "8388608T", -ERANGE },
		{ "9223372036854775807", INT64_MAX },
		{ "9223372036854775808", -ERANGE },
		{ "1k", -EINVAL },
		{ "1KB", -EINVAL },
		{ "K", -EINVAL },
		{ "1.5G", -EINVAL },
		{ "1E", -EINVAL },
		{ "", -EINVAL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint64_t number = UNTOUCHED;
		int err = number_parse_size(cases[i].word, &number);

		check(err, number, cases[i].expected, cases[i].word);
	}
}

static void test_duration(void)
{
	static const struct {
		const char *word;
		int64_t expected;
	} cases[] = {
		{ "90", 90000 },      { "90s", 90000 },
		{ "1.5m", 90000 },    { "500ms", 500 },
		{ "0.5", 500 },	      { "0.001s", 1 },
		{ "1h", 3600000 },    { "8760h", 365LL * 24 * 3600000 },
		{ "8761h", -ERANGE }, { "1.", -EINVAL },
		{ ".5s", -EINVAL },   { "1.2345s", -EINVAL },
		{ "1d", -EINVAL },    { "1s1s", -EINVAL },
		{ "-1s", -EINVAL },   { "", -EINVAL },
		{ "ms", -EINVAL },    { "1e3", -EINVAL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint64_t number = UNTOUCHED;
		int err = number_parse_duration(cases[i].word, &number);

		check(err, number, cases[i].expected, cases[i].word);
	}
}

static void test_write(void)
{
	char room[NUMBER_ROOM];

	tap_number((uint64_t)(number_write(room, UINT64_MAX, 8) - room), 22,
		   "the longest number fits its room");
	tap_text(room, "1777777777777777777777", "in octal");
	(void)number_write(room, 0, 10);
	tap_text(room, "0", "zero has a digit");
	(void)number_write(room, UINT64_MAX, 10);
	tap_text(room, "18446744073709551615", "in decimal");
}

int main(void)
{
	test_plain();
	test_size();
	test_duration();
	test_write();
	return tap_done();
}
