/*
 * The one table of options.
 */
#include <string.h>

#include "policy/apply.h"
#include "policy/options.h"

#define RUN	(USE_RUN | USE_PROFILE)
#define CLI	(USE_RUN)
#define LATER	(USE_RUN | USE_PROFILE | USE_LATER)
#define PATH	COMPLETE_PATH
#define DIR	COMPLETE_DIR
#define FILE	COMPLETE_FILE
#define CHOICE	COMPLETE_CHOICE
#define NOTHING COMPLETE_NOTHING

const struct option options[] = {
	{ "read", "SRC[:DEST]|@SET", RUN, PATH, "@system @toolchains",
	  "show a path, read-only", apply_read },
	{ "write", "SRC[:DEST]", RUN, PATH, NULL, "show a path, writable",
	  apply_write },
	{ "overlay", "SRC[:DEST]|@SET", RUN, DIR, "@caches",
	  "show a directory; what is written vanishes", apply_overlay },
	{ "read-try", "SRC[:DEST]", RUN, PATH, NULL,
	  "like --read, skipped when absent", apply_read_try },
	{ "write-try", "SRC[:DEST]", RUN, PATH, NULL,
	  "like --write, skipped when absent", apply_write_try },
	{ "overlay-try", "SRC[:DEST]", RUN, DIR, NULL,
	  "like --overlay, skipped when absent", apply_overlay_try },
	{ "mask", "PATH|@SET", RUN, PATH, "@secrets",
	  "hide a path: opening it fails", apply_mask },
	{ "protect", "PATH", RUN, PATH, NULL,
	  "keep a path inside a write root as it is", apply_protect },
	{ "unmask", "PATH|@SET", RUN, PATH, "@secrets",
	  "take a mask of a set or a profile away", apply_unmask },
	{ "unprotect", "PATH", RUN, PATH, NULL,
	  "take a protection of a profile away", apply_unprotect },
	{ "allow-hard-links", NULL, RUN, NOTHING, NULL,
	  "mask or protect files that have other names too",
	  apply_allow_hard_links },
	{ "git", "[config]", LATER, NOTHING, NULL,
	  "keep a repository's hooks and configuration", apply_later },
	{ "tmpfs", "PATH[:size=N]", RUN, DIR, NULL,
	  "a private, empty, writable directory", apply_tmpfs },
	{ "device", "PATH", RUN, PATH, NULL, "one more device node",
	  apply_device },
	{ "root", "DIR", RUN, DIR, NULL,
	  "start from this root file system, not @system", apply_root },
	{ "no-system", NULL, RUN, NOTHING, NULL, "do not show @system",
	  apply_no_system },
	{ "tmp", "DIR", RUN, DIR, NULL, "a directory that serves as /tmp",
	  apply_tmp },
	{ "home", "DIR", RUN, DIR, NULL, "a directory that serves as the home",
	  apply_home },
	{ "cwd", "DIR", RUN, DIR, NULL, "working directory inside", apply_cwd },
	{ "net", "none|host", RUN, CHOICE, "none host",
	  "network: loopback only, or the host's", apply_net },
	{ "allow-abstract", NULL, RUN, NOTHING, NULL,
	  "accept the host's abstract sockets with --net host",
	  apply_allow_abstract },
	{ "allow-net", "HOST[:PORT]", LATER, NOTHING, NULL, "network by list",
	  apply_later },
	{ "deny-net", "HOST[:PORT]", LATER, NOTHING, NULL,
	  "exceptions to --allow-net", apply_later },
	{ "socket", "PATH", LATER, PATH, NULL, "let one host socket through",
	  apply_later },
	{ "env", "NAME[=VALUE]|@SET", RUN, NOTHING, "@basic-env",
	  "set a variable, or pass one on", apply_env },
	{ "unset-env", "NAME|GLOB|@SET", RUN, NOTHING, "@agent-env @secret-env",
	  "drop variables", apply_unset_env },
	{ "clear-env", NULL, RUN, NOTHING, NULL,
	  "start from an empty environment", apply_clear_env },
	{ "seccomp", "NAME|FILE", RUN, FILE, "default devel none",
	  "system call filter", apply_seccomp },
	{ "nested", NULL, RUN, NOTHING, NULL,
	  "allow namespaces and mounts inside; weaker", apply_nested },
	{ "proc", "new|none", RUN, CHOICE, "new none", "a fresh /proc, or none",
	  apply_proc },
	{ "limit", "NAME=VALUE", RUN, CHOICE,
	  "procs= memory= cpus= data= address-space= files= file-size= "
	  "cpu-time= stack= core=",
	  "a limit that is in force or refused", apply_limit },
	{ "timeout", "DURATION", RUN, NOTHING, NULL,
	  "end everything after this time", apply_timeout },
	{ "hostname", "NAME", RUN, NOTHING, NULL, "host name inside",
	  apply_hostname },
	{ "uid", "N", RUN, NOTHING, NULL, "user id inside", apply_uid },
	{ "gid", "N", RUN, NOTHING, NULL, "group id inside", apply_gid },
	{ "keep-fd", "N", CLI, NOTHING, NULL, "pass a descriptor above 2",
	  apply_keep_fd },
	{ "profile", "NAME|FILE", RUN, FILE, "agent build offline",
	  "read options from a file", apply_profile },
	{ "args", "FD", CLI, NOTHING, NULL,
	  "read words separated by NUL from a descriptor", apply_args },
	{ "within", "NAME|FILE", RUN, FILE, NULL,
	  "only narrow the policy in a profile", apply_within },
	{ "status-fd", "FD", CLI, NOTHING, NULL, "write events as JSON lines",
	  apply_status_fd },
	{ "id", "WORD", CLI, NOTHING, NULL, "a word that each event carries",
	  apply_id },
	{ "report", "[all]", RUN, CHOICE, "all", "say what was denied",
	  apply_report },
	{ "fail-on", "denied", RUN, CHOICE, "denied",
	  "exit 123 when something was denied", apply_fail_on },
	{ "verbose", NULL, RUN, NOTHING, NULL, "say ready and done on stderr",
	  apply_verbose },
	{ "quiet", NULL, RUN, NOTHING, NULL, "say no notes", apply_quiet },
	{ "ops", NULL, USE_SHOW, NOTHING, NULL, "one operation a line",
	  apply_ops },
	{ "json", NULL, USE_SHOW | USE_EXPLAIN, NOTHING, NULL, "all as JSON",
	  apply_json },
	{ "sets", NULL, USE_SHOW, NOTHING, NULL,
	  "the named sets and their members", apply_sets },
};
const size_t option_count = sizeof(options) / sizeof(*options);

const struct option *option_find(const char *name)
{
	for (size_t i = 0; i < option_count; i++) {
		if (strcmp(options[i].name, name) == 0)
			return &options[i];
	}
	return NULL;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Edit distance over one rolling row; names are short. */
static size_t distance(const char *a, const char *b)
{
	enum { LONGEST = 32 };
	size_t row[LONGEST + 1], length = strlen(b);

	if (length > LONGEST || strlen(a) > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= length; j++)
		row[j] = j;
	for (size_t i = 1; a[i - 1] != '\0'; i++) {
		size_t corner = row[0];

		row[0] = i;
		for (size_t j = 1; j <= length; j++) {
			size_t swap = corner + (a[i - 1] != b[j - 1]);

			corner = row[j];
			row[j] = least(least(row[j], row[j - 1]) + 1, swap);
		}
	}
	return row[length];
}

const struct option *option_nearest(const char *name)
{
	const struct option *nearest = NULL;
	/* of a short name more than half must be right */
	size_t best = least(3, strlen(name) / 2 + 1);

	for (size_t i = 0; i < option_count; i++) {
		size_t d = distance(name, options[i].name);

		if (d < best) {
			best = d;
			nearest = &options[i];
		}
	}
	return nearest;
}
