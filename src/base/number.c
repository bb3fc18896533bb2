/*
 * Numbers as users write them.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/number.h"

/* Reads digits and moves the word past them. */
static int take_digits(const char **word, uint64_t max, uint64_t *number)
{
	uint64_t value = 0;
	const char *at = *word;

	if (*at < '0' || *at > '9')
		return -EINVAL;
	for (; *at >= '0' && *at <= '9'; at++) {
		uint64_t digit = (uint64_t)(*at - '0');

		if (digit > max || value > (max - digit) / 10)
			return -ERANGE;
		value = value * 10 + digit;
	}
	*word = at;
	*number = value;
	return 0;
}

int number_parse(const char *word, uint64_t max, uint64_t *number)
{
	uint64_t value;
	int err = take_digits(&word, max, &value);

	if (err != 0)
		return err;
	if (*word != '\0')
		return -EINVAL;
	*number = value;
	return 0;
}

int number_parse_size(const char *word, uint64_t *bytes)
{
	static const char units[] = "KMGT";
	const char *unit;
	unsigned shift = 0;
	uint64_t value;
	int err = take_digits(&word, INT64_MAX, &value);

	if (err != 0)
		return err;
	if (*word != '\0') {
		unit = strchr(units, *word);
		if (unit == NULL || word[1] != '\0')
			return -EINVAL;
		shift = 10 * (unsigned)(unit - units + 1);
	}
	if (value > ((uint64_t)INT64_MAX >> shift))
		return -ERANGE;
	*bytes = value << shift;
	return 0;
}

char *number_write(char *at, uint64_t number, unsigned base)
{
	char digits[NUMBER_ROOM];
	size_t used = 0;

	do {
		digits[used++] = (char)('0' + number % base);
		number /= base;
	} while (number != 0);
	while (used != 0)
		*at++ = digits[--used];
	*at = '\0';
	return at;
}

static const struct {
	const char *name;
	uint64_t milliseconds;
} time_units[] = {
	{ "", 1000 },	{ "ms", 1 },	  { "s", 1000 },
	{ "m", 60000 }, { "h", 3600000 },
};

/* The part behind the point, in thousandths; more digits are refused. */
static int take_thousandths(const char **word, uint64_t *thousandths)
{
	uint64_t scale = 100;

	*thousandths = 0;
	if (**word != '.')
		return 0;
	(*word)++;
	if (**word < '0' || **word > '9')
		return -EINVAL;
	for (; **word >= '0' && **word <= '9'; (*word)++) {
		if (scale == 0)
			return -EINVAL;
		*thousandths += scale * (uint64_t)(**word - '0');
		scale /= 10;
	}
	return 0;
}

int number_parse_duration(const char *word, uint64_t *milliseconds)
{
	const uint64_t max = 365ULL * 24 * 3600000;
	const size_t units = sizeof(time_units) / sizeof(*time_units);
	uint64_t whole, part;
	int err = take_digits(&word, max, &whole);

	if (err == 0)
		err = take_thousandths(&word, &part);
	if (err != 0)
		return err;
	for (size_t i = 0; i < units; i++) {
		uint64_t unit = time_units[i].milliseconds;

		if (strcmp(word, time_units[i].name) != 0)
			continue;
		if (whole > max / unit)
			return -ERANGE;
		*milliseconds = whole * unit + part * unit / 1000;
		return 0;
	}
	return -EINVAL;
}
