/*
 * JSON output is valid UTF-8, whatever the bytes.
 */
#include "base/json.h"
#include "base/arena.h"
#include "base/text.h"
#include "tests/unit/tap.h"

static struct arena arena;

static void test_utf8(void)
{
	static const struct {
		const char *bytes;
		bool good;
	} cases[] = {
		{ "", true },
		{ "a", true },
		{ "\xc2\x80", true },	       /* the first of two */
		{ "\xdf\xbf", true },	       /* the last */
		{ "\xe0\xa0\x80", true },      /* of three */
		{ "\xed\x9f\xbf", true },      /* before surrogates */
		{ "\xee\x80\x80", true },      /* behind them */
		{ "\xf0\x90\x80\x80", true },  /* of four */
		{ "\xf4\x8f\xbf\xbf", true },  /* U+10FFFF */
		{ "\x80", false },	       /* alone */
		{ "\xc0\x80", false },	       /* overlong */
		{ "\xc1\xbf", false },	       /* overlong */
		{ "\xe0\x9f\xbf", false },     /* overlong */
		{ "\xf0\x8f\xbf\xbf", false }, /* overlong */
		{ "\xed\xa0\x80", false },     /* surrogate */
		{ "\xf4\x90\x80\x80", false }, /* above U+10FFFF */
		{ "\xf5\x80\x80\x80", false }, /* no such byte */
		{ "\xff", false },	       /* no such byte */
		{ "\xe2\x82", false },	       /* cut */
		{ "\xf0\x9f\x98", false },     /* cut */
		{ "\xc3", false },	       /* cut */
		{ "\xe2\x82z", false },	       /* broken off */
		{ "\xe2z\xac", false },	       /* broken off */
		{ "a\xc3\xa9"
		  "b\xff",
		  false }, /* at the end */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		tap_ok(json_is_utf8(cases[i].bytes, strlen(cases[i].bytes)) ==
			       cases[i].good,
		       "UTF-8, case %zu", i);
	tap_ok(!json_is_utf8("\xe2\x82\xac", 2), "the length counts");
}

static void test_escapes(void)
{
	struct text out;
	struct json json;

	text_init(&out, &arena);
	json_init(&json, &out);
	json_open(&json, NULL, '{');
	json_string(&json, "s", "\"\\\b\f\n\r\t\x01\x1f\x7f/\xc3\xa9");
	json_close(&json, '}');
	tap_text(
		out.bytes,
		"{\"s\":\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f/\xc3\xa9\"}",
		"escapes");
}

static void test_base64(void)
{
	static const struct {
		const char *bytes, *expected;
	} cases[] = {
		{ "\xff", "{\"p_b64\":\"/w==\"}" },
		{ "\xff\xfe", "{\"p_b64\":\"//4=\"}" },
		{ "\xff\xfe\xfd", "{\"p_b64\":\"//79\"}" },
		{ "/a\xff", "{\"p_b64\":\"L2H/\"}" },
		{ "/ab\xff", "{\"p_b64\":\"L2Fi/w==\"}" },
	};
	struct text out;
	struct json json;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		text_init(&out, &arena);
		json_init(&json, &out);
		json_open(&json, NULL, '{');
		json_string(&json, "p", cases[i].bytes);
		json_close(&json, '}');
		tap_text(out.bytes, cases[i].expected, "base64");
	}
	text_init(&out, &arena);
	json_init(&json, &out);
	json_open(&json, NULL, '[');
	json_string(&json, NULL, "a");
	json_string(&json, NULL, "\xff");
	json_close(&json, ']');
	tap_text(out.bytes, "[\"a\",{\"b64\":\"/w==\"}]",
		 "in an array an object carries it");
}

static void test_levels(void)
{
	struct text out;
	struct json json;

	text_init(&out, &arena);
	json_init(&json, &out);
	json_open(&json, NULL, '{');
	json_open(&json, "a", '[');
	json_close(&json, ']');
	json_open(&json, "b", '[');
	json_open(&json, NULL, '{');
	json_bool(&json, "t", true);
	json_null(&json, "n");
	json_close(&json, '}');
	json_number(&json, NULL, UINT64_MAX);
	json_close(&json, ']');
	json_bool(&json, "f", false);
	json_close(&json, '}');
	tap_text(out.bytes,
		 "{\"a\":[],\"b\":[{\"t\":true,\"n\":null},"
		 "18446744073709551615],\"f\":false}",
		 "commas where they belong");
}

int main(void)
{
	test_utf8();
	test_escapes();
	test_base64();
	test_levels();
	return tap_done();
}
