/*
 * Setters of the options whose value is a word, a number or nothing.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/number.h"
#include "base/path.h"
#include "base/text.h"
#include "policy/apply.h"
#include "policy/options.h"
#include "policy/policy.h"
#include "policy/sets.h"
#include "policy/words.h"

static void set_word(struct policy *policy, struct setting *setting,
		     const char *value)
{
	if (words_outranked(policy, &setting->origin))
		return;
	setting->word = value;
	setting->origin = policy->current;
}

static void set_number(struct policy *policy, struct number_setting *setting,
		       uint64_t value)
{
	if (words_outranked(policy, &setting->origin))
		return;
	setting->set = true;
	setting->value = value;
	setting->origin = policy->current;
}

void apply_no_system(struct policy *policy, const char *value)
{
	(void)value;
	policy->no_system = true;
}

void apply_allow_hard_links(struct policy *policy, const char *value)
{
	(void)value;
	policy->allow_hard_links = true;
}

void apply_net(struct policy *policy, const char *value)
{
	bool host = strcmp(value, "host") == 0;

	if (!host && strcmp(value, "none") != 0) {
		refuse_here(policy, REASON_BAD_NET,
			    "the network is none or host", "--net none");
		return;
	}
	if (words_outranked(policy, &policy->net_origin))
		return;
	policy->net = host ? NET_HOST : NET_NONE;
	policy->net_origin = policy->current;
}

void apply_allow_abstract(struct policy *policy, const char *value)
{
	(void)value;
	policy->allow_abstract = true;
	policy->abstract_origin = policy->current;
}

/* POSIX allows more, but a name that a shell cannot say is a mistake. */
static bool is_variable(const char *name, size_t length)
{
	if (length == 0 || (*name >= '0' && *name <= '9'))
		return false;
	for (size_t i = 0; i < length; i++) {
		char c = name[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
		    !(c >= '0' && c <= '9') && c != '_')
			return false;
	}
	return true;
}

static void add_env(struct policy *policy, enum env_kind kind, const char *name,
		    const char *value)
{
	struct env_rule *rule;

	policy->env = arena_grow(policy->arena, policy->env, policy->env_count,
				 sizeof(*rule));
	rule = &policy->env[policy->env_count++];
	*rule = (struct env_rule){ .kind = kind,
				   .name = name,
				   .value = value,
				   .origin = policy->current };
}

static void add_env_set(struct policy *policy, enum env_kind kind,
			const char *name)
{
	const struct set *set = set_find(name);

	if (set == NULL || set->kind != SET_NAMES) {
		refuse_here(policy, REASON_BAD_ENV, "no such set of variables",
			    "cordon show --sets");
		return;
	}
	for (const char *const *member = set->members; *member; member++) {
		add_env(policy, kind, *member, NULL);
		policy->env[policy->env_count - 1].origin.set = set->name;
	}
}

void apply_env(struct policy *policy, const char *value)
{
	size_t length = strcspn(value, "=");
	const char *name = arena_strndup(policy->arena, value, length);

	if (*value == '@') {
		add_env_set(policy, ENV_PASS, value);
		return;
	}
	if (!is_variable(value, length)) {
		refuse_here(policy, REASON_BAD_ENV, "not a name of a variable",
			    NULL);
		return;
	}
	if (value[length] == '=')
		add_env(policy, ENV_SET, name, value + length + 1);
	else
		add_env(policy, ENV_PASS, name, NULL);
}

void apply_unset_env(struct policy *policy, const char *value)
{
	if (*value == '@')
		add_env_set(policy, ENV_UNSET, value);
	else if (*value == '\0' || strchr(value, '=') != NULL)
		refuse_here(policy, REASON_BAD_ENV,
			    "not a name or pattern of variables", NULL);
	else
		add_env(policy, ENV_UNSET, value, NULL);
}

void apply_clear_env(struct policy *policy, const char *value)
{
	(void)value;
	add_env(policy, ENV_CLEAR, NULL, NULL);
}

void apply_seccomp(struct policy *policy, const char *value)
{
	if (strchr(value, '/') == NULL && strcmp(value, "default") != 0 &&
	    strcmp(value, "devel") != 0 && strcmp(value, "none") != 0) {
		refuse_here(policy, REASON_BAD_SECCOMP,
			    "default, devel, none, or a file: a word with a "
			    "slash",
			    text_quote_after(policy->arena, "--seccomp ",
					     arena_join(policy->arena, "./",
							value, NULL)));
		return;
	}
	if (strchr(value, '/') != NULL && policy->context->cwd != NULL)
		value = path_absolute(policy->arena, policy->context->cwd,
				      value);
	set_word(policy, &policy->seccomp, value);
}

void apply_nested(struct policy *policy, const char *value)
{
	(void)value;
	policy->nested = true;
	policy->nested_origin = policy->current;
}

void apply_proc(struct policy *policy, const char *value)
{
	bool none = strcmp(value, "none") == 0;

	if (!none && strcmp(value, "new") != 0) {
		refuse_here(policy, REASON_BAD_VALUE,
			    "/proc is new or none; never the host's", NULL);
		return;
	}
	if (words_outranked(policy, &policy->proc_origin))
		return;
	policy->proc = none ? PROC_NONE : PROC_NEW;
	policy->proc_origin = policy->current;
}

enum limit_form { FORM_COUNT, FORM_SIZE, FORM_SECONDS, FORM_CPUS };

static const char *const examples[] = {
	[FORM_COUNT] = "512",
	[FORM_SIZE] = "2G",
	[FORM_SECONDS] = "60s",
	[FORM_CPUS] = "1.5",
};

static const struct {
	const char *name;
	enum limit_form form;
} limits[LIMIT_KINDS] = {
	[LIMIT_PROCS] = { "procs", FORM_COUNT },
	[LIMIT_MEMORY] = { "memory", FORM_SIZE },
	[LIMIT_CPUS] = { "cpus", FORM_CPUS },
	[LIMIT_DATA] = { "data", FORM_SIZE },
	[LIMIT_ADDRESS_SPACE] = { "address-space", FORM_SIZE },
	[LIMIT_FILES] = { "files", FORM_COUNT },
	[LIMIT_FILE_SIZE] = { "file-size", FORM_SIZE },
	[LIMIT_CPU_TIME] = { "cpu-time", FORM_SECONDS },
	[LIMIT_STACK] = { "stack", FORM_SIZE },
	[LIMIT_CORE] = { "core", FORM_SIZE },
};

const char *limit_name(enum limit_kind kind)
{
	return limits[kind].name;
}

static int parse_limit(enum limit_form form, const char *word, uint64_t *value)
{
	int err;

	switch (form) {
	case FORM_COUNT:
		err = number_parse(word, INT32_MAX, value);
		return err == 0 && *value == 0 ? -EINVAL : err;
	case FORM_SIZE:
		return number_parse_size(word, value);
	case FORM_SECONDS:
		err = number_parse_duration(word, value);
		if (err == 0 && *value < 1000)
			return -EINVAL;
		if (err == 0)
			*value = (*value + 999) / 1000;
		return err;
	case FORM_CPUS:
		/* "1.5" has the form of a bare duration: thousandths */
		err = number_parse_duration(word, value);
		if (word[strspn(word, "0123456789.")] != '\0' || *value < 10)
			return -EINVAL;
		return err;
	}
	return -EINVAL;
}

void apply_limit(struct policy *policy, const char *value)
{
	size_t length = strcspn(value, "=");
	uint64_t number = 0;

	for (size_t i = 0; i < LIMIT_KINDS; i++) {
		if (strlen(limits[i].name) != length ||
		    strncmp(limits[i].name, value, length) != 0)
			continue;
		if (value[length] != '=' ||
		    parse_limit(limits[i].form, value + length + 1, &number)) {
			refuse_here(policy, REASON_BAD_LIMIT,
				    "the value does not fit this limit",
				    arena_join(policy->arena, "--limit ",
					       limits[i].name, "=",
					       examples[limits[i].form], NULL));
			return;
		}
		if (words_outranked(policy, &policy->limits[i].origin))
			return;
		policy->limits[i] = (struct limit_rule){
			.set = true,
			.value = number,
			.origin = policy->current,
		};
		return;
	}
	refuse_here(policy, REASON_BAD_LIMIT,
		    "limits are procs, memory, cpus, data, address-space, "
		    "files, file-size, cpu-time, stack and core",
		    NULL);
}

void apply_timeout(struct policy *policy, const char *value)
{
	uint64_t ms;

	if (number_parse_duration(value, &ms) != 0 || ms == 0)
		refuse_here(policy, REASON_BAD_TIMEOUT,
			    "not a duration such as 90s, 1.5m or 500ms",
			    "--timeout 90s");
	else
		set_number(policy, &policy->timeout, ms);
}

/* RFC 1123 labels; the kernel's own limit is 64 bytes. */
static bool is_hostname(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789-";

	if (strlen(name) > 63 || *name == '\0')
		return false;
	while (*name != '\0') {
		size_t length = strspn(name, letters);

		if (length == 0 || *name == '-' || name[length - 1] == '-')
			return false;
		name += length;
		if (*name != '.' && *name != '\0')
			return false;
		if (*name == '.' && *++name == '\0')
			return false;
	}
	return true;
}

void apply_hostname(struct policy *policy, const char *value)
{
	if (!is_hostname(value))
		refuse_here(policy, REASON_BAD_HOSTNAME,
			    "a host name has letters, digits, dots and inner "
			    "hyphens, 63 at most",
			    "--hostname sandbox");
	else
		set_word(policy, &policy->hostname, value);
}

static void take_id(struct policy *policy, struct number_setting *setting,
		    const char *value)
{
	uint64_t id;

	/* the last id means "none" to the kernel */
	if (number_parse(value, UINT32_MAX - 1, &id) != 0)
		refuse_here(policy, REASON_BAD_USER,
			    "an id is a number below 4294967295", NULL);
	else
		set_number(policy, setting, id);
}

void apply_uid(struct policy *policy, const char *value)
{
	take_id(policy, &policy->uid, value);
}

void apply_gid(struct policy *policy, const char *value)
{
	take_id(policy, &policy->gid, value);
}

static bool take_fd(struct policy *policy, const char *value, uint64_t *fd)
{
	if (number_parse(value, INT32_MAX, fd) == 0)
		return true;
	refuse_here(policy, REASON_BAD_FD, "not a number of a descriptor",
		    NULL);
	return false;
}

void apply_keep_fd(struct policy *policy, const char *value)
{
	struct keep_fd *keep;
	uint64_t fd;

	if (!take_fd(policy, value, &fd))
		return;
	if (fd <= 2) {
		refuse_here(policy, REASON_BAD_FD,
			    "descriptors 0 to 2 always pass", NULL);
		return;
	}
	policy->keep = arena_grow(policy->arena, policy->keep,
				  policy->keep_count, sizeof(*keep));
	keep = &policy->keep[policy->keep_count++];
	keep->fd = (int)fd;
	keep->origin = policy->current;
}

void apply_status_fd(struct policy *policy, const char *value)
{
	uint64_t fd;

	if (!take_fd(policy, value, &fd))
		return;
	if (fd <= 2)
		refuse_here(policy, REASON_BAD_FD,
			    "descriptors 0 to 2 are the command's, which must "
			    "not write to the status stream",
			    "--status-fd 3");
	else
		set_number(policy, &policy->status_fd, fd);
}

void apply_id(struct policy *policy, const char *value)
{
	if (*value == '\0' || strlen(value) > 256 || path_has_control(value))
		refuse_here(policy, REASON_BAD_VALUE,
			    "an id is 1 to 256 characters, none of control",
			    NULL);
	else
		set_word(policy, &policy->id, value);
}

void apply_report(struct policy *policy, const char *value)
{
	bool is_all = value != NULL && strcmp(value, "all") == 0;

	if (value != NULL && !is_all) {
		refuse_here(policy, REASON_BAD_VALUE,
			    "a report takes no value but all", "--report");
		return;
	}
	policy->report = (struct flag){ true, policy->current };
	policy->report_all = policy->report_all || is_all;
}

void apply_fail_on(struct policy *policy, const char *value)
{
	if (strcmp(value, "denied") == 0)
		policy->fail_on_denied = (struct flag){ true, policy->current };
	else
		refuse_here(policy, REASON_BAD_VALUE,
			    "the one thing to fail on is denied",
			    "--fail-on denied");
}

void apply_verbose(struct policy *policy, const char *value)
{
	(void)value;
	policy->verbose = true;
}

void apply_quiet(struct policy *policy, const char *value)
{
	(void)value;
	policy->quiet = true;
}

void apply_ops(struct policy *policy, const char *value)
{
	(void)value;
	policy->ops = true;
}

void apply_json(struct policy *policy, const char *value)
{
	(void)value;
	policy->json = true;
}

void apply_sets(struct policy *policy, const char *value)
{
	(void)value;
	policy->sets = true;
}

void apply_later(struct policy *policy, const char *value)
{
	(void)value;
	refuse_here(policy, REASON_NOT_YET, "not in this version", NULL);
}
