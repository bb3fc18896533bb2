/*
 * The mouths: command line, --args and profiles fill one policy.
 */
#include <errno.h>

#include "base/arena.h"
#include "policy/policy.h"
#include "tests/unit/tap.h"

enum { MOST_WORDS = 16 };

static struct arena arena;

static char *const environment[] = {
	(char *)(uintptr_t) "HOME=/home/u",
	(char *)(uintptr_t) "EMPTY=",
	(char *)(uintptr_t) "NAME=value",
	NULL,
};

static const char *profile_text;
static const char *args_bytes;
static size_t args_length;

static int load_profile(void *load, const char *name, const char **file,
			const char **text)
{
	(void)load;
	*file = name;
	*text = profile_text;
	return profile_text == NULL ? -ENOENT : 0;
}

static int load_fd(void *load, int fd, const char **bytes, size_t *length)
{
	(void)load;
	*bytes = args_bytes;
	*length = args_length;
	return fd == 9 ? 0 : -EBADF;
}

static struct policy_context context = {
	.home = "/home/u",
	.cwd = "/w",
	.environ = environment,
	.load_profile = load_profile,
	.load_fd = load_fd,
};

/* Words with a | between; owned by the arena, as argv is by the process. */
static struct policy *read_words(const char *line)
{
	struct policy *policy = arena_alloc(&arena, sizeof(*policy));
	char **words = arena_alloc(&arena, MOST_WORDS * sizeof(*words));
	size_t count = 0;

	for (;;) {
		size_t length = strcspn(line, "|");

		words[count++] = arena_strndup(&arena, line, length);
		line += length;
		if (*line++ == '\0')
			break;
	}
	policy_init(policy, &arena, &context);
	policy_read_cli(policy, words);
	return policy;
}

static struct policy *read_profile(const char *text)
{
	struct policy *policy = arena_alloc(&arena, sizeof(*policy));

	policy_init(policy, &arena, &context);
	policy_read_profile(policy, "p", text);
	return policy;
}

/* The refusals in one line each, joined by " | ". */
static const char *said(const struct policy *policy)
{
	const char *all = "";

	for (size_t i = 0; i < policy->refusals.count; i++) {
		const struct refusal *refusal = &policy->refusals.items[i];

		all = arena_join(&arena, all, i == 0 ? "" : " | ",
				 origin_words(&arena, &refusal->origin), ": ",
				 refusal->text, NULL);
	}
	return all;
}

static const char *rules(const struct policy *policy)
{
	const char *all = "";

	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct rule *rule = &policy->rules[i];

		all = arena_join(&arena, all, i == 0 ? "" : " ", rule->path,
				 rule->dest == NULL ? "" : ">",
				 rule->dest == NULL ? "" : rule->dest,
				 rule->optional ? "?" : "", NULL);
	}
	return all;
}

static void test_cli(void)
{
	struct policy *policy = read_words("--read|a|--read-try=b:/c|x|--d");

	tap_text(rules(policy), "/w/a /w/b>/c?", "--x y and --x=y");
	tap_ok(policy->command != NULL &&
		       strcmp(policy->command[0], "x") == 0 &&
		       strcmp(policy->command[1], "--d") == 0,
	       "the first other word begins the command");
	policy = read_words("--nested|--|--read");
	tap_ok(policy->nested && strcmp(policy->command[0], "--read") == 0,
	       "-- ends the rules");
	tap_ok(read_words("--")->command == NULL, "-- and nothing");
	policy = read_words("--env=A=b=c|-|x");
	tap_text(policy->env[0].value, "b=c", "the first = splits");
	tap_text(policy->command[0], "-", "a dash is a command");
	tap_text(said(read_words("--read")),
		 "--read: a value is missing: SRC[:DEST]|@SET",
		 "a missing value");
	tap_text(said(read_words("--nested=no")),
		 "--nested no: this option takes no value", "a value too many");
	tap_text(said(read_words("-v|x")), "-v: no such option",
		 "no short options");
	tap_text(said(read_words("--read|--|x")), "", "a value may be --");
	tap_text(said(read_words("--=x|y")), "--=x: no such option",
		 "no name at all");
}

static void test_unknown(void)
{
	struct policy *policy = read_words("--raed|/a|--net|both|x");

	tap_number(policy->refusals.count, 2,
		   "behind an unknown option all else is still read");
	tap_text(policy->refusals.items[0].mend, "--read", "the nearest");
	tap_text(policy->command[0], "x", "and its value is no command");
	policy = read_words("--neste|x");
	tap_text(policy->command[0], "x", "the nearest takes none");
	tap_text(read_words("--raed=x|y")->refusals.items[0].mend, "--read",
		 "with a value joined");
	tap_text(read_words("--zzzzz|y")->refusals.items[0].mend,
		 "cordon --help", "nothing is near");
}

static void set_args(const char *bytes, size_t length)
{
	args_bytes = bytes;
	args_length = length;
}

static void test_args(void)
{
	struct policy *policy;

	set_args("--read\0a b\0x\0y", 14);
	policy = read_words("--args|9");
	tap_text(rules(policy), "/w/a b", "words with blanks");
	tap_text(policy->command[1], "y", "the last needs no NUL");
	set_args("", 0);
	tap_text(said(read_words("--args|9|x")), "", "nothing at all");
	set_args("--env\0A=\0--read\0", 16);
	policy = read_words("--args|9|x");
	tap_text(said(policy),
		 "--read (--args, word 4): a value is missing: SRC[:DEST]|@SET",
		 "words are counted");
	set_args("--net\0none\0", 11);
	tap_ok(read_words("--net|host|--args|9|x")->net == NET_HOST,
	       "the command line stands, said before");
	tap_ok(read_words("--args|9|--net|host|x")->net == NET_HOST,
	       "and said after");
	tap_text(said(read_words("--args|8|x")),
		 "--args 8: cannot be read as a descriptor", "a shut one");
	set_args("--args\0"
		 "9\0",
		 9);
	tap_text(said(read_words("--args|9|x")),
		 "--args 9 (--args, word 2): only the command line names a "
		 "descriptor of words",
		 "none names itself");
}

static void test_profile(void)
{
	tap_text(rules(read_profile("read a\nread b")), "/w/a /w/b", "lines");
	tap_text(rules(read_profile("read a\r\nread b\r\n")), "/w/a /w/b",
		 "CRLF");
	tap_text(rules(read_profile("\n \t\n# x\n  # y\nread a # z\n")), "/w/a",
		 "comments");
	tap_text(rules(read_profile("read a#b\n")), "/w/a#b",
		 "a # within a word");
	tap_text(rules(read_profile("read '#a'")), "/w/#a", "a quoted #");
	tap_text(rules(read_profile("read 'a b'\"c d\"e\\ f")), "/w/a bc de f",
		 "quoting");
	tap_text(rules(read_profile("read \"a\\\"b\"'\\'")), "/w/a\"b\\",
		 "quotes in quotes");
	tap_text(rules(read_profile("read ~\nread ~/a\nread ~u\nread a~\n"
				    "read '~'\n")),
		 "/home/u /home/u/a /w/~u /w/a~ /w/~", "~");
	tap_text(rules(read_profile("read ${NAME}/${EMPTY:-e}${NO:-}x\n"
				    "read '${NAME}'\nread $NAME\n")),
		 "/w/value/ex /w/${NAME} /w/$NAME", "variables");
	tap_text(rules(read_profile("read \"${NAME} b\"")), "/w/value b",
		 "in double quotes");
	tap_text(rules(read_profile("read ${NO:-${NAME}}")), "/w/${NAME}",
		 "a default is plain text, up to the first }");
	tap_number(read_profile("")->rule_count, 0, "an empty one");
}

static void test_profile_faults(void)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{ "\nread 'a\n", "read '' (p:2): a ' is not closed" },
		{ "read \"a\n", "read a (p:1): a \" is not closed" },
		{ "read ${A\n", "read '' (p:1): ${ has no }" },
		{ "read ${A}\n", "read '' (p:1): the variable A is not set and "
				 "has no default" },
		{ "read a b\n",
		  "read a (p:1): one option and one value a line; "
		  "quote a value that has blanks" },
		{ "read\n", "read (p:1): a value is missing" },
		{ "nested x\n", "nested x (p:1): this option takes no value" },
		{ "raed a\n", "raed (p:1): no such option" },
		{ "args 9\n", "args 9 (p:1): belongs on the command line, not "
			      "in a profile" },
		{ "read a\\\n", "" },
		{ "read ''\n", "read '' (p:1): the path is empty" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		tap_text(said(read_profile(cases[i].text)), cases[i].expected,
			 cases[i].expected);
	context.home = NULL;
	tap_text(said(read_profile("read ~/a")),
		 "read /a (p:1): ~ is used but HOME is not set", "no home");
	context.home = "/home/u";
	context.cwd = NULL;
	tap_text(said(read_profile("read a")),
		 "read a (p:1): relative, and the current directory is gone",
		 "no current directory");
	context.cwd = "/w";
}

/* Depth and number are bounded: each line below doubles the work. */
static void test_profile_bounds(void)
{
	struct policy *policy;

	profile_text = "profile x\nprofile x\nprofile x\nprofile x\n";
	policy = read_words("--profile|x|y");
	tap_ok(policy->refusals.count > 0 && policy->refusals.count < 1000,
	       "profiles that name themselves come to an end");
	tap_text(policy->refusals.items[0].text,
		 "profiles name each other without end", "and it is said");
	profile_text = "net host\nuid 5\nread a";
	policy = read_words("--net|none|--profile|x|--uid|6|y");
	tap_ok(policy->net == NET_NONE && policy->uid.value == 6 &&
		       policy->rule_count == 1,
	       "the command line stands above a profile");
	profile_text = NULL;
	tap_text(said(read_words("--profile|x|y")),
		 "--profile x: no such profile", "none of that name");
}

int main(void)
{
	test_cli();
	test_unknown();
	test_args();
	test_profile();
	test_profile_faults();
	test_profile_bounds();
	return tap_done();
}
