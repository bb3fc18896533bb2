/*
 * Refusals, and the table of their reasons.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/exitcode.h"
#include "base/text.h"
#include "policy/refusal.h"

static const struct {
	const char *name, *help;
} reasons[] = {
	[REASON_BAD_OPTION] = { "bad_option",
				"An option or verb that does not exist." },
	[REASON_BAD_VALUE] = { "bad_value",
			       "An option's value is missing or not of its "
			       "form." },
	[REASON_BAD_READ] = { "bad_read", "A read root that cannot be." },
	[REASON_BAD_WRITE] = { "bad_write", "A write root that cannot be." },
	[REASON_BAD_OVERLAY] = { "bad_overlay", "An overlay that cannot be." },
	[REASON_BAD_MASK] = { "bad_mask", "A mask that cannot hold." },
	[REASON_BAD_PROTECT] = { "bad_protect",
				 "A protection that cannot hold." },
	[REASON_BAD_UNMASK] = { "bad_unmask",
				"An exception to no mask or protection." },
	[REASON_BAD_TMPFS] = { "bad_tmpfs", "A private place that cannot be." },
	[REASON_BAD_DEVICE] = { "bad_device", "Not a device node to pass." },
	[REASON_BAD_ROOT] = { "bad_root",
			      "A root file system that cannot be." },
	[REASON_BAD_TMP] = { "bad_tmp",
			     "A directory that is not safe as /tmp." },
	[REASON_BAD_HOME] = { "bad_home",
			      "A directory that cannot serve as home." },
	[REASON_BAD_CWD] = { "bad_cwd",
			     "The working directory is not visible inside." },
	[REASON_BAD_NET] = { "bad_net", "A network rule that does not exist." },
	[REASON_BAD_ENV] = { "bad_env",
			     "Not a name of an environment variable." },
	[REASON_BAD_SECCOMP] = { "bad_seccomp",
				 "A system call filter that cannot be used." },
	[REASON_BAD_LIMIT] = { "bad_limit",
			       "A limit that cannot be put in force." },
	[REASON_BAD_TIMEOUT] = { "bad_timeout", "Not a duration." },
	[REASON_BAD_HOSTNAME] = { "bad_hostname", "Not a host name." },
	[REASON_BAD_USER] = { "bad_user",
			      "An identity that this caller cannot take." },
	[REASON_BAD_FD] = { "bad_fd",
			    "A descriptor that is not open or would open the "
			    "host." },
	[REASON_BAD_PROFILE] = { "bad_profile",
				 "A profile that cannot be read." },
	[REASON_CONFLICT] = { "conflict",
			      "Two rules for one path that exclude each "
			      "other." },
	[REASON_WIDER] = { "wider",
			   "A rule allows more than the policy of --within." },
	[REASON_HARD_LINKS] = { "hard_links",
				"A masked or protected file has other names." },
	[REASON_NO_TARGET] = { "no_target",
			       "A place inside a root that would have to be "
			       "made on the host." },
	[REASON_NO_COMMAND] = { "no_command", "Nothing to run." },
	[REASON_NOT_FOUND] = { "not_found", "The command does not exist." },
	[REASON_NOT_EXECUTABLE] = { "not_executable",
				    "The command cannot be executed." },
	[REASON_NEEDS_READ] = { "needs_read",
				"The command, its interpreter or its loader is "
				"not visible." },
	[REASON_NOT_YET] = { "not_yet", "Not in this version." },
	[REASON_UNSUPPORTED] = { "unsupported",
				 "This machine lacks what the rule needs." },
	[REASON_KEYRING_QUOTA] = { "keyring_quota",
				   "The kernel's key quota of this user is "
				   "used up." },
};
static_assert(sizeof(reasons) / sizeof(*reasons) == REASON_KINDS,
	      "every reason has a row");

void refuse(struct refusals *refusals, enum reason reason,
	    const struct origin *origin, const char *text, const char *mend)
{
	struct refusal *refusal;

	/* to be pasted where it was said: no dashes in a profile */
	if (origin->place == PLACE_PROFILE && mend != NULL &&
	    strncmp(mend, "--", 2) == 0)
		mend += 2;
	refusals->items = arena_grow(refusals->arena, refusals->items,
				     refusals->count, sizeof(*refusal));
	refusal = &refusals->items[refusals->count++];
	*refusal = (struct refusal){
		.reason = reason, .origin = *origin, .text = text, .mend = mend
	};
}

const char *reason_name(enum reason reason)
{
	return reasons[reason].name;
}

const char *reason_help(enum reason reason)
{
	return reasons[reason].help;
}

const char *origin_said(struct arena *arena, const struct origin *origin)
{
	switch (origin->place) {
	case PLACE_DEFAULT:
		return "default";
	case PLACE_PROFILE:
		return arena_printf(arena, "%s:%u", origin->file, origin->line);
	case PLACE_ARGS:
		return arena_printf(arena, "--args, word %u", origin->line);
	case PLACE_CLI:
		return "command line";
	}
	return "";
}

const char *origin_words(struct arena *arena, const struct origin *origin)
{
	struct text words;

	text_init(&words, arena);
	if (origin->option != NULL && origin->place != PLACE_PROFILE)
		text_add(&words, "--");
	if (origin->option != NULL)
		text_add(&words, origin->option);
	if (origin->word != NULL) {
		if (origin->option != NULL)
			text_add_char(&words, ' ');
		text_add_quoted(&words, origin->word);
	}
	if (origin->set != NULL)
		text_printf(&words, " (of %s)", origin->set);
	if (origin->place != PLACE_CLI)
		text_printf(&words, " (%s)", origin_said(arena, origin));
	return words.bytes;
}

int refusals_exitcode(const struct refusals *refusals)
{
	if (refusals->count != 1)
		return EXIT_REFUSED;
	switch ((int)refusals->items[0].reason) {
	case REASON_NOT_FOUND:
		return EXIT_NOT_FOUND;
	case REASON_NOT_EXECUTABLE:
		return EXIT_NOT_EXECUTABLE;
	default:
		return EXIT_REFUSED;
	}
}
