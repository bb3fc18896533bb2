/*
 * Paths as text.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "base/path.h"
#include "tests/unit/tap.h"

static struct arena arena;

static void test_absolute(void)
{
	static const struct {
		const char *cwd, *path, *clean;
	} cases[] = {
		{ NULL, "/", "/" },
		{ NULL, "//", "/" },
		{ NULL, "/a//b/", "/a/b" },
		{ NULL, "/./a/.", "/a" },
		{ NULL, "/a/../b", "/a/../b" },
		{ "/w", "", "/w" },
		{ "/w", ".", "/w" },
		{ "/w/", "a", "/w/a" },
		{ "/", "a", "/a" },
		{ "/", ".", "/" },
		{ "/w", "..", "/w/.." },
		{ "/w", "...", "/w/..." },
		{ "/w", "./.a/", "/w/.a" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		tap_text(path_absolute(&arena, cases[i].cwd, cases[i].path),
			 cases[i].clean, cases[i].path);
}

static void test_under(void)
{
	tap_ok(path_is_under("/a/b", "/a"), "/a/b is under /a");
	tap_ok(path_is_under("/a", "/a"), "/a is under itself");
	tap_ok(path_is_under("/a", "/"), "all is under /");
	tap_ok(path_is_under("/", "/"), "/ is under itself");
	tap_ok(!path_is_under("/ab", "/a"), "components, not characters");
	tap_ok(!path_is_under("/a", "/a/b"), "not the other way round");
	tap_ok(!path_is_under("/a-b", "/a"), "/a-b is beside /a");
	tap_text(path_below("/a/b/c", "/a"), "b/c", "below /a");
	tap_text(path_below("/a", "/a"), "", "below itself");
	tap_text(path_below("/a", "/"), "a", "below /");
	tap_text(path_below("/", "/"), "", "/ below itself");
}

static int compare(const void *a, const void *b)
{
	return path_compare(*(const char *const *)a, *(const char *const *)b);
}

/* Each directory comes right before all below it. */
static void test_compare(void)
{
	static const char *const sorted[] = { "/",    "/a",   "/a/b", "/a/b/c",
					      "/a/c", "/a b", "/a!",  "/a-b",
					      "/a.b", "/ab",  "/b" };
	enum { COUNT = sizeof(sorted) / sizeof(*sorted) };
	const char *paths[COUNT];
	bool good = true;

	for (size_t i = 0; i < COUNT; i++)
		paths[i] = sorted[COUNT - 1 - i];
	qsort(paths, COUNT, sizeof(*paths), compare);
	for (size_t i = 0; i < COUNT; i++)
		good &= strcmp(paths[i], sorted[i]) == 0;
	tap_ok(good, "a directory sorts right before what is below it");
	tap_ok(path_compare("/a", "/a") == 0, "equal paths are equal");
	tap_ok(path_compare("/a", "/a\xc3\xa9") < 0, "bytes above 127");
}

static void test_parts(void)
{
	tap_text(path_parent(&arena, "/a/b"), "/a", "parent of /a/b");
	tap_text(path_parent(&arena, "/a"), "/", "parent of /a");
	tap_text(path_parent(&arena, "/"), "/", "parent of /");
	tap_text(path_name("/a/b"), "b", "name of /a/b");
	tap_text(path_name("b"), "b", "name without a slash");
	tap_text(path_join(&arena, "/", "a"), "/a", "join below /");
	tap_text(path_join(&arena, "/a", ""), "/a", "join nothing");
	tap_text(path_join(&arena, "/a", "b/c"), "/a/b/c", "join");
	tap_ok(path_has_dotdot("/a/../b"), "has a ..");
	tap_ok(path_has_dotdot(".."), "is a ..");
	tap_ok(!path_has_dotdot("/a/..b/c.."), "dots in names");
	tap_ok(path_has_control("/a\n"), "a line end is a control character");
	tap_ok(path_has_control("/a\x7f"), "DEL too");
	tap_ok(!path_has_control("/a \xc3\xa9"), "a blank and UTF-8 are not");
}

int main(void)
{
	test_absolute();
	test_under();
	test_compare();
	test_parts();
	return tap_done();
}
