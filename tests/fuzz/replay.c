/*
 * Runs an entry over its corpus without libFuzzer: each file, and each file cut
 * short. A fault ends the program, and the test with it.
 */
#include <dirent.h>

#include "base/arena.h"
#include "base/io.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/tap.h"

/* tests/fuzz/NAME.t reads tests/fuzz/corpus/NAME. */
static const char *corpus_of(struct arena *arena, const char *program)
{
	const char *top = getenv("TOP_SRCDIR");
	const char *name = strrchr(program, '/');

	name = name == NULL ? program : name + 1;
	return arena_join(arena, top != NULL ? top : ".", "/tests/fuzz/corpus/",
			  arena_strndup(arena, name, strcspn(name, ".")), NULL);
}

static void run_file(const char *dir, const char *name)
{
	struct arena arena = { 0 };
	char *bytes;
	size_t length;
	int err = io_read_file(&arena, arena_join(&arena, dir, "/", name, NULL),
			       1 << 20, &bytes, &length);

	for (size_t cut = 0; err == 0 && cut <= length; cut++) {
		/* memory of its own, so that a sanitizer sees its end */
		uint8_t *copy = malloc(cut + 1);

		if (copy == NULL)
			break;
		memcpy(copy, bytes + length - cut, cut);
		(void)LLVMFuzzerTestOneInput(copy, cut);
		memcpy(copy, bytes, cut);
		(void)LLVMFuzzerTestOneInput(copy, cut);
		free(copy);
	}
	tap_ok(err == 0, "%s", name);
	arena_done(&arena);
}

static int is_file(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

int main(int argc, char **argv)
{
	struct arena arena = { 0 };
	struct dirent **entries;
	const char *dir;
	int count;

	if (argc < 1)
		return 1;
	dir = corpus_of(&arena, argv[0]);
	count = scandir(dir, &entries, is_file, alphasort);
	for (int i = 0; i < count; i++) {
		run_file(dir, entries[i]->d_name);
		free(entries[i]);
	}
	if (count > 0)
		free(entries);
	tap_ok(count > 0, "a corpus at %s", dir);
	return tap_done();
}
