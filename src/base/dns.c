/*
 * DNS queries, read strictly: what a stub resolver sends is one question
 * without compression, and nothing else is looked at.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/dns.h"

enum {
	HEADER = 12,
	LABEL_MAX = 63,
	NAME_MAX_BYTES = 255,
	IS_ANSWER = 0x80,	  /* QR, in the third byte */
	OPCODE = 0x78,		  /* the same byte */
	RECURSION_DESIRED = 0x01, /* and again */
	REFUSED = 5,		  /* RCODE, in the fourth */
};

static bool is_query(const uint8_t *bytes, size_t length)
{
	/* behind the two bytes of flags: one question, no answer, no
	 * authority; additional records are EDNS's and may be there */
	static const uint8_t counts[] = { 0, 1, 0, 0, 0, 0 };

	return length >= HEADER && (bytes[2] & (IS_ANSWER | OPCODE)) == 0 &&
	       memcmp(bytes + 4, counts, sizeof(counts)) == 0;
}

static char *add_byte(char *at, uint8_t byte)
{
	if (byte >= 'A' && byte <= 'Z')
		byte = (uint8_t)(byte - 'A' + 'a');
	if (byte > 0x20 && byte < 0x7f && byte != '.' && byte != '\\') {
		*at++ = (char)byte;
		return at;
	}
	*at++ = '\\';
	*at++ = (char)('0' + byte / 100);
	*at++ = (char)('0' + byte / 10 % 10);
	*at++ = (char)('0' + byte % 10);
	return at;
}

/* Where the name ends, or 0. */
static size_t measure(const uint8_t *bytes, size_t length)
{
	size_t at = HEADER;

	while (at < length && bytes[at] != 0) {
		if (bytes[at] > LABEL_MAX)
			return 0;
		at += (size_t)bytes[at] + 1;
	}
	at++;
	return at <= length && at - HEADER <= NAME_MAX_BYTES ? at : 0;
}

static void spell(const uint8_t *bytes, char *name)
{
	const uint8_t *label = bytes + HEADER;
	char *at = name;

	if (*label == 0)
		*at++ = '.';
	for (; *label != 0; label += *label + 1) {
		if (at != name)
			*at++ = '.';
		for (size_t i = 1; i <= *label; i++)
			at = add_byte(at, label[i]);
	}
	*at = '\0';
}

int dns_read_query(const uint8_t *query, size_t length,
		   char name[DNS_NAME_ROOM])
{
	size_t end;

	if (!is_query(query, length))
		return -EINVAL;
	end = measure(query, length);
	/* type and class follow */
	if (end == 0 || length - end < 4)
		return -EINVAL;
	spell(query, name);
	return (int)end + 4;
}

void dns_refuse(uint8_t *query)
{
	query[2] = (uint8_t)(IS_ANSWER | (query[2] & RECURSION_DESIRED));
	query[3] = REFUSED;
	/* the question comes back, additional records do not */
	query[10] = query[11] = 0;
}
