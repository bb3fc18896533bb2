/*
 * What a resolver asks, as far as one needs it to say no: the name in the
 * question of a DNS query (RFC 1035), and the refusal of it.
 */
#ifndef CORDON_BASE_DNS_H
#define CORDON_BASE_DNS_H

#include <stddef.h>
#include <stdint.h>

/* The longest name has 255 bytes, each of which may need four characters. */
enum { DNS_NAME_ROOM = 1024, DNS_QUERY_ROOM = 1232 };

/* Reads a query of exactly one question. The name comes as text, in lower case
 * (resolvers vary the case on purpose) and without the closing dot; what is
 * not plain ASCII comes as \DDD. Returns the length of header and question, or
 * -EINVAL with the name untouched for anything else. */
int dns_read_query(const uint8_t *query, size_t length,
		   char name[DNS_NAME_ROOM]);

/* Turns the first bytes of such a query, as many as dns_read_query returned,
 * into an answer: REFUSED. */
void dns_refuse(uint8_t *query);

#endif
