/*
 * DNS queries: no byte beyond the question is counted, and a name is printable
 * and ends.
 */
#include <string.h>

#include "base/dns.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t bytes[DNS_QUERY_ROOM];
	char name[DNS_NAME_ROOM] = "";
	int end;

	if (size > sizeof(bytes))
		size = sizeof(bytes);
	memcpy(bytes, data, size);
	end = dns_read_query(bytes, size, name);
	if (end < 0) {
		MUST(name[0] == '\0');
		return 0;
	}
	MUST(end >= 12 + 1 + 4 && (size_t)end <= size);
	MUST(strlen(name) < sizeof(name) && name[0] != '\0');
	for (const char *at = name; *at != '\0'; at++)
		MUST(*at > 0x20 && *at < 0x7f);
	dns_refuse(bytes);
	MUST(dns_read_query(bytes, (size_t)end, name) < 0);
	return 0;
}
