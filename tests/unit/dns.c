/*
 * DNS queries: one question, strictly; everything else is refused unread.
 */
#include <errno.h>
#include <string.h>

#include "base/dns.h"
#include "tests/unit/tap.h"

#define HEAD "\x12\x34\x01\0\0\1\0\0\0\0\0\0"
#define IN_A "\0\1\0\1"

static const struct {
	const char *what, *bytes;
	size_t length;
	int expected;
	const char *name;
} cases[] = {
#define QUERY(bytes) bytes, sizeof(bytes) - 1
	{ "a name", QUERY(HEAD "\3www\7example\0" IN_A), 29, "www.example" },
	{ "the root", QUERY(HEAD "\0" IN_A), 17, "." },
	{ "mixed case", QUERY(HEAD "\3wWw\0" IN_A), 21, "www" },
	{ "odd bytes", QUERY(HEAD "\6a.b\\\x07\xff\0" IN_A), 24,
	  "a\\046b\\092\\007\\255" },
	{ "a blank", QUERY(HEAD "\1 \0" IN_A), 19, "\\032" },
	{ "EDNS behind it",
	  QUERY("\x12\x34\x01\x20\0\1\0\0\0\0\0\1\1a\0" IN_A
		"\0\0\x29\4\xd0\0\0\0\0\0\0"),
	  19, "a" },
	{ "nothing", QUERY(""), -EINVAL, NULL },
	{ "a header only", QUERY(HEAD), -EINVAL, NULL },
	{ "no type", QUERY(HEAD "\1a\0\0\1\0"), -EINVAL, NULL },
	{ "no end of the name", QUERY(HEAD "\1a\1b"), -EINVAL, NULL },
	{ "a label beyond the end", QUERY(HEAD "\77a\0" IN_A), -EINVAL, NULL },
	{ "a compressed name", QUERY(HEAD "\xc0\x0c" IN_A), -EINVAL, NULL },
	{ "an answer", QUERY("\x12\x34\x81\0\0\1\0\0\0\0\0\0\1a\0" IN_A),
	  -EINVAL, NULL },
	{ "a notification", QUERY("\x12\x34\x21\0\0\1\0\0\0\0\0\0\1a\0" IN_A),
	  -EINVAL, NULL },
	{ "two questions",
	  QUERY("\x12\x34\x01\0\0\2\0\0\0\0\0\0\1a\0" IN_A "\1b\0" IN_A),
	  -EINVAL, NULL },
	{ "records that answer",
	  QUERY("\x12\x34\x01\0\0\1\0\1\0\0\0\0\1a\0" IN_A), -EINVAL, NULL },
};

static void test_queries(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char name[DNS_NAME_ROOM] = "untouched";
		const char *expected = cases[i].name;
		int found = dns_read_query((const uint8_t *)cases[i].bytes,
					   cases[i].length, name);

		if (expected == NULL)
			expected = "untouched";
		tap_ok(found == cases[i].expected &&
			       strcmp(name, expected) == 0,
		       "%s: %d %s", cases[i].what, found, name);
	}
}

/* Labels of 63, 63, 63 and `last` bytes: 255 are allowed with their lengths. */
static int read_long(uint8_t last, char name[DNS_NAME_ROOM])
{
	uint8_t bytes[512] = HEAD;
	size_t at = 12;

	for (int i = 0; i < 4; i++) {
		uint8_t length = i < 3 ? 63 : last;

		bytes[at] = length;
		memset(bytes + at + 1, 0xff, length);
		at += (size_t)length + 1;
	}
	return dns_read_query(bytes, at + 5, name);
}

static void test_longest(void)
{
	char name[DNS_NAME_ROOM];

	tap_ok(read_long(61, name) == 12 + 255 + 4, "255 bytes");
	tap_ok(strlen(name) == 250 * 4 + 3, "which take four characters each");
	tap_ok(read_long(62, name) == -EINVAL, "and not 256");
}

static void test_refusal(void)
{
	uint8_t bytes[] = "\x12\x34\x01\x20\0\1\0\0\0\0\0\1\1a\0" IN_A;

	dns_refuse(bytes);
	tap_ok(memcmp(bytes, "\x12\x34\x81\x05\0\1\0\0\0\0\0\0\1a\0" IN_A,
		      sizeof(bytes)) == 0,
	       "the refusal has the number, the question, and no more");
}

int main(void)
{
	test_queries();
	test_longest();
	test_refusal();
	return tap_done();
}
