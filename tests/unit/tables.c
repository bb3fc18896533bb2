/*
 * The tables of options, sets and reasons are whole.
 */
#include "base/arena.h"
#include "base/exitcode.h"
#include "policy/options.h"
#include "policy/policy.h"
#include "policy/refusal.h"
#include "policy/sets.h"
#include "tests/unit/tap.h"

static struct arena arena;

static bool is_name(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";

	return *name != '\0' && *name != '-' &&
	       name[strspn(name, letters)] == '\0';
}

/* One line for help: no full stop, no line end, not empty. */
static bool is_help(const char *help)
{
	return help != NULL && *help != '\0' && strchr(help, '\n') == NULL &&
	       help[strlen(help) - 1] != '.';
}

static void test_options(void)
{
	bool names = true, helps = true, setters = true, unique = true;
	bool choices = true;

	for (size_t i = 0; i < option_count; i++) {
		const struct option *option = &options[i];

		names &= is_name(option->name);
		helps &= is_help(option->help);
		setters &= option->set != NULL && option->use != 0;
		unique &= option_find(option->name) == option;
		choices &= option->complete != COMPLETE_CHOICE ||
			   (option->choices != NULL &&
			    option->argument != NULL);
		choices &= option->argument != NULL || option->choices == NULL;
	}
	tap_ok(option_count > 40, "there are options");
	tap_ok(names, "names are lower case words");
	tap_ok(unique, "names are unique");
	tap_ok(helps, "each has one line of help");
	tap_ok(setters, "each has a setter and a use");
	tap_ok(choices, "what is completed by choice has choices");
	tap_ok(option_find("") == NULL && option_find("nope") == NULL &&
		       option_find("--read") == NULL,
	       "what is none is not found");
}

/* Each choice is taken by its own option, and no other word. */
static void test_choices(void)
{
	static char *const environ_of[] = { NULL };
	struct policy_context context = { .home = "/home/u",
					  .cwd = "/",
					  .environ = environ_of };

	for (size_t i = 0; i < option_count; i++) {
		const char *at = options[i].choices;

		while (at != NULL && *at != '\0' &&
		       strcmp(options[i].name, "limit") != 0 &&
		       strcmp(options[i].name, "profile") != 0) {
			size_t length = strcspn(at, " ");
			const char *word = arena_strndup(&arena, at, length);
			struct policy policy;

			policy_init(&policy, &arena, &context);
			options[i].set(&policy, word);
			tap_ok(policy.refusals.count == 0, "--%s %s",
			       options[i].name, word);
			at += length;
			at += *at == ' ';
		}
	}
}

static void test_nearest(void)
{
	static const struct {
		const char *word, *nearest;
	} cases[] = {
		{ "raed", "read" },
		{ "reads", "read" },
		{ "tmfs", "tmpfs" },
		{ "unmaks", "unmask" },
		{ "netx", "net" },
		{ "hostnmae", "hostname" },
		{ "zzzzzz", NULL },
		{ "x", NULL },
		{ "", NULL },
		{ "foo", NULL },
		{ "a-very-long-word-that-is-none-of-all-these", NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct option *option = option_nearest(cases[i].word);

		tap_text(option == NULL ? NULL : option->name, cases[i].nearest,
			 cases[i].word);
	}
}

static void test_sets(void)
{
	bool paths = true, unique = true, members = true;

	for (size_t i = 0; i < set_count; i++) {
		unique &= set_find(sets[i].name) == &sets[i];
		members &= *sets[i].name == '@' && is_help(sets[i].help) &&
			   sets[i].members[0] != NULL;
		for (size_t j = 0; sets[i].members[j] != NULL; j++) {
			const char *member = sets[i].members[j];

			paths &= sets[i].kind != SET_PATHS || *member == '/' ||
				 strncmp(member, "~/", 2) == 0;
			for (size_t k = 0; k < j; k++)
				members &= strcmp(sets[i].members[k], member) !=
					   0;
		}
	}
	tap_ok(unique, "sets have names of their own");
	tap_ok(members, "no set is empty or says a member twice");
	tap_ok(paths, "paths begin at the root or at home");
	tap_ok(set_find("@nope") == NULL && set_find("system") == NULL,
	       "what is no set is not found");
}

static void test_patterns(void)
{
	static const struct {
		const char *pattern, *name;
		bool good;
	} cases[] = {
		{ "A", "A", true },
		{ "A", "AB", false },
		{ "AB", "A", false },
		{ "*", "", true },
		{ "*", "ANY", true },
		{ "A*", "A", true },
		{ "*_KEY", "X_KEY", true },
		{ "*_KEY", "X_KEYS", false },
		{ "*TOKEN*", "A_TOKEN_B", true },
		{ "?", "", false },
		{ "?", "A", true },
		{ "A?C", "ABC", true },
		{ "*A*B*", "xAyBz", true },
		{ "*A*B*", "xByAz", false },
		{ "**", "A", true },
		{ "*AB", "AAB", true },
		{ "*ABAC", "ABABAC", true },
		{ "[A]", "A", false },
		{ "", "", true },
		{ "", "A", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		tap_ok(set_matches(cases[i].pattern, cases[i].name) ==
			       cases[i].good,
		       "'%s' and '%s'", cases[i].pattern, cases[i].name);
}

static void test_refusals(void)
{
	struct refusals refusals = { .arena = &arena };
	struct origin origin = { .place = PLACE_CLI };
	bool whole = true;

	for (unsigned i = 0; i < REASON_KINDS; i++) {
		const char *help = reason_help((enum reason)i);

		whole &= reason_name((enum reason)i) != NULL && help != NULL &&
			 help[strlen(help) - 1] == '.';
		for (unsigned j = 0; j < i; j++)
			whole &= strcmp(reason_name((enum reason)i),
					reason_name((enum reason)j)) != 0;
	}
	tap_ok(whole, "each reason has a name of its own and a sentence");
	refuse(&refusals, REASON_NOT_FOUND, &origin, "x", NULL);
	tap_number((uint64_t)refusals_exitcode(&refusals), EXIT_NOT_FOUND,
		   "127 for a command that is not there");
	refuse(&refusals, REASON_BAD_READ, &origin, "x", NULL);
	tap_number((uint64_t)refusals_exitcode(&refusals), EXIT_REFUSED,
		   "125 when more is wrong");
	refusals.count = 0;
	refuse(&refusals, REASON_NOT_EXECUTABLE, &origin, "x", NULL);
	tap_number((uint64_t)refusals_exitcode(&refusals), EXIT_NOT_EXECUTABLE,
		   "126 for one that cannot be executed");
	refusals.count = 0;
	refuse(&refusals, REASON_CONFLICT, &origin, "x", NULL);
	tap_number((uint64_t)refusals_exitcode(&refusals), EXIT_REFUSED,
		   "125 for all else");
}

static void test_origins(void)
{
	struct origin cli = { .place = PLACE_CLI,
			      .option = "read",
			      .word = "./a b" };
	struct origin profile = { .place = PLACE_PROFILE,
				  .option = "read",
				  .word = "x",
				  .file = "ci",
				  .line = 3 };
	struct origin args = { .place = PLACE_ARGS,
			       .option = "nested",
			       .line = 4 };
	struct origin set = { .place = PLACE_DEFAULT,
			      .option = "mask",
			      .word = "~/.ssh",
			      .set = "@secrets" };
	struct origin command = { .place = PLACE_CLI, .word = "true" };

	tap_text(origin_words(&arena, &cli), "--read './a b'", "typed");
	tap_text(origin_words(&arena, &profile), "read x (ci:3)",
		 "in a profile");
	tap_text(origin_words(&arena, &args), "--nested (--args, word 4)",
		 "in --args");
	tap_text(origin_words(&arena, &set),
		 "--mask '~/.ssh' (of @secrets) (default)", "in a set");
	tap_text(origin_words(&arena, &command), "true", "the command");
}

int main(void)
{
	test_options();
	test_choices();
	test_nearest();
	test_sets();
	test_patterns();
	test_refusals();
	test_origins();
	return tap_done();
}
