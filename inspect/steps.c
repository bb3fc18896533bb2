/*
 * The table of steps, and the attempts they are made of.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "inspect/check.h"

const struct step steps[] = {
	[STEP_OUTSIDE] = { "outside", "writing outside is denied" },
	[STEP_SECRET] = { "secret", "a planted secret is unreadable" },
	[STEP_WRITE] = { "write-roots", "write roots are writable" },
	[STEP_READ] = { "read-roots", "read roots are readable, not writable" },
	[STEP_OVERLAY] = { "overlays",
			   "overlays are writable, and gone afterwards" },
	[STEP_MASK] = { "masks", "masks are closed" },
	[STEP_PROCESSES] = { "processes",
			     "no host process is visible or killable" },
	[STEP_FDS] = { "descriptors", "no descriptor is inherited" },
	[STEP_SPACES] = { "namespaces", "namespaces are its own" },
	[STEP_TCP] = { "tcp", "TCP as promised" },
	[STEP_UDP] = { "udp", "UDP as promised" },
	[STEP_ICMP] = { "icmp", "ICMP as promised" },
	[STEP_DNS] = { "dns", "names are looked up as promised" },
	[STEP_ABSTRACT] = { "abstract", "abstract sockets as promised" },
	[STEP_SOCKETS] = { "sockets", "pathname sockets as promised" },
	[STEP_TIOCSTI] = { "tiocsti", "TIOCSTI is refused" },
	[STEP_KEYRING] = { "keyring", "the session keyring is empty" },
	[STEP_NESTING] = { "nesting", "a nested user namespace is refused" },
	[STEP_SETTINGS] = { "settings", "the kernel's settings are closed" },
	[STEP_FILTER] = { "filter", "the filter answers as its table says" },
	[STEP_NO_NEW_PRIVS] = { "no-new-privs", "no_new_privs is set" },
	[STEP_CAPABILITIES] = { "capabilities", "capability sets are empty" },
	[STEP_MOUNTS] = { "mounts", "the mount table is the plan's" },
};
static_assert(sizeof(steps) / sizeof(*steps) == STEP_KINDS,
	      "every step has its words");

static void copy_words(const char *to[ATTEMPT_WORDS], const char *const *words)
{
	for (size_t i = 0; i + 1 < ATTEMPT_WORDS && words[i] != NULL; i++)
		to[i] = words[i];
}

struct attempt *check_try(struct check *check, enum step_id step,
			  const char *expect, const char *const *words)
{
	struct attempt *attempt;

	check->attempts = arena_grow(check->arena, check->attempts,
				     check->count, sizeof(*check->attempts));
	attempt = &check->attempts[check->count++];
	*attempt = (struct attempt){ .step = step, .expect = expect };
	if (words == NULL)
		return attempt;
	copy_words(attempt->words, words);
	attempt->what = words[1] == NULL ? words[0]
					 : arena_join(check->arena, words[0],
						      " ", words[1], NULL);
	return attempt;
}

void check_cannot(struct check *check, enum step_id step, const char *what,
		  const char *why)
{
	check_try(check, step, "", NULL)->what = what;
	check->notes[step] = why;
}

void check_found(struct check *check, enum step_id step, const char *what,
		 const char *expect, const char *got)
{
	struct attempt *attempt = check_try(check, step, expect, NULL);

	attempt->what = what;
	attempt->got = got;
}

bool check_fits(const char *expect, const char *got)
{
	size_t length = strlen(got);

	if (strcmp(expect, got) == 0)
		return true;
	while (*expect != '\0') {
		size_t word = strcspn(expect, " ");

		if (word == length && memcmp(expect, got, word) == 0)
			return true;
		expect += word;
		expect += *expect == ' ';
	}
	return false;
}
