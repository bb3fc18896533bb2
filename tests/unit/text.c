/*
 * Growing strings, and words that a shell reads back.
 */
#include "base/text.h"
#include "base/arena.h"
#include "tests/unit/tap.h"

static struct arena arena;

static void test_quoting(void)
{
	static const struct {
		const char *word, *quoted;
	} cases[] = {
		{ "plain/word-1.2_3,a=b:c@d%e+f", NULL },
		{ "", "''" },
		{ "a b", "'a b'" },
		{ "it's", "'it'\\''s'" },
		{ "'", "''\\'''" },
		{ "~", "'~'" },
		{ "$HOME", "'$HOME'" },
		{ "*", "'*'" },
		{ "a\nb", "'a\nb'" },
		{ "\\", "'\\'" },
		{ "#", "'#'" },
		{ "\xc3\xa9", "'\xc3\xa9'" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *expected = cases[i].quoted;
		struct text text;

		text_init(&text, &arena);
		text_add_quoted(&text, cases[i].word);
		tap_text(text.bytes,
			 expected != NULL ? expected : cases[i].word, "quoted");
	}
	tap_text(text_quote_after(&arena, "mkdir -p ", "/a b"),
		 "mkdir -p '/a b'", "a line to paste");
}

static void test_growing(void)
{
	struct text text;
	bool good = true;

	text_init(&text, &arena);
	tap_text(text.bytes, "", "empty at first");
	for (int i = 0; i < 10000; i++)
		text_add_char(&text, (char)('a' + i % 26));
	for (int i = 0; i < 10000; i++)
		good &= text.bytes[i] == 'a' + i % 26;
	tap_ok(good && text.length == 10000, "ten thousand characters");
	tap_ok(text.bytes[10000] == '\0', "and an end");
	text_init(&text, &arena);
	text_add(&text, "a");
	text_add_number(&text, 0);
	text_add_number(&text, UINT64_MAX);
	text_printf(&text, "%s%03d", "b", 7);
	text_add_bytes(&text, "c\0d", 3);
	tap_text(text.bytes, "a018446744073709551615b007c", "parts");
	tap_number(text.length, 29, "a NUL is a byte like others");
}

int main(void)
{
	test_quoting();
	test_growing();
	return tap_done();
}
