/*
 * The one table of bubblewrap's options, and what each does to the wishes.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/fault.h"
#include "base/number.h"
#include "policy/bwrap_read.h"

#define AT(field) offsetof(struct bwrap, field)

static void *field(struct bwrap_reading *reading,
		   const struct bwrap_option *option)
{
	return (char *)reading->bwrap + option->datum;
}

static void read_help(struct bwrap_reading *reading,
		      const struct bwrap_option *option, char **values)
{
	(void)values;
	bwrap_answer(reading, (enum bwrap_answer)option->datum);
}

static void read_flag(struct bwrap_reading *reading,
		      const struct bwrap_option *option, char **values)
{
	bool *flag = field(reading, option);

	(void)values;
	*flag = true;
}

static void read_unshare_all(struct bwrap_reading *reading,
			     const struct bwrap_option *option, char **values)
{
	struct bwrap *bwrap = reading->bwrap;

	(void)option;
	(void)values;
	bwrap->user_try = bwrap->cgroup_try = true;
	bwrap->ipc = bwrap->pid = bwrap->net = bwrap->uts = true;
}

static void read_share_net(struct bwrap_reading *reading,
			   const struct bwrap_option *option, char **values)
{
	(void)option;
	(void)values;
	reading->bwrap->net = false;
}

static bool parse(struct bwrap_reading *reading, const char *word,
		  const char *what, uint64_t max, uint64_t *number)
{
	if (number_parse(word, max, number) == 0)
		return true;
	bwrap_failf(reading, "Invalid %s: %s", what, word);
	return false;
}

static int parse_fd(struct bwrap_reading *reading, const char *word)
{
	uint64_t number;

	return parse(reading, word, "fd", INT_MAX, &number) ? (int)number : -1;
}

static void read_fd(struct bwrap_reading *reading,
		    const struct bwrap_option *option, char **values)
{
	int *fd = field(reading, option);

	*fd = parse_fd(reading, values[0]);
}

static void read_id(struct bwrap_reading *reading,
		    const struct bwrap_option *option, char **values)
{
	int64_t *id = field(reading, option);
	uint64_t number;

	/* -1 is no id for the kernel */
	if (parse(reading, values[0], option->name, UINT32_MAX - 1, &number))
		*id = (int64_t)number;
}

static void read_word(struct bwrap_reading *reading,
		      const struct bwrap_option *option, char **values)
{
	const char **word = field(reading, option);

	*word = values[0];
}

static void read_argv0(struct bwrap_reading *reading,
		       const struct bwrap_option *option, char **values)
{
	(void)option;
	if (reading->bwrap->argv0 != NULL)
		bwrap_fail(reading, "--argv0 used multiple times");
	reading->bwrap->argv0 = values[0];
}

/* A name that is longer is still the kernel's to refuse. */
static void read_label(struct bwrap_reading *reading,
		       const struct bwrap_option *option, char **values)
{
	if (!reading->bwrap->context->has_labels)
		bwrap_fail(reading, "labeling not supported on this system");
	read_word(reading, option, values);
}

static bool load(struct bwrap_reading *reading, int fd, const char *failed,
		 const char **bytes, size_t *length)
{
	const struct bwrap_context *context = reading->bwrap->context;
	int err = context->load_fd(context->load, fd, bytes, length);

	if (err != 0)
		bwrap_failf(reading, "Can't read %s data: %s", failed,
			    bwrap_reason(-err));
	return err == 0;
}

/* The words of --args, each ended by a NUL or by the end. */
static char **split(struct bwrap_reading *reading, const char *bytes,
		    size_t length, size_t *count)
{
	struct arena *arena = reading->bwrap->arena;
	char **words = NULL;

	*count = 0;
	for (size_t at = 0; at < length; at += strlen(bytes + at) + 1) {
		words = arena_grow(arena, words, *count, sizeof(*words));
		words[(*count)++] = arena_strdup(arena, bytes + at);
	}
	return words;
}

static void read_args(struct bwrap_reading *reading,
		      const struct bwrap_option *option, char **values)
{
	const char *bytes;
	size_t length, count;
	char **words;
	int fd = parse_fd(reading, values[0]);

	(void)option;
	if (reading->is_in_args)
		bwrap_fail(reading, "--args not supported in arguments file");
	if (reading->is_ended || !load(reading, fd, "--args", &bytes, &length))
		return;
	words = split(reading, bytes, length, &count);
	reading->is_in_args = true;
	(void)bwrap_read_words(reading, words, count);
	reading->is_in_args = false;
}

static void read_setenv(struct bwrap_reading *reading,
			const struct bwrap_option *option, char **values)
{
	(void)option;
	if (values[0][0] == '\0' || strchr(values[0], '=') != NULL)
		bwrap_failf(reading, "setenv failed: %s", bwrap_reason(EINVAL));
	else
		bwrap_set_env(reading->bwrap, values[0], values[1]);
}

static void read_unsetenv(struct bwrap_reading *reading,
			  const struct bwrap_option *option, char **values)
{
	(void)option;
	if (values[0][0] == '\0' || strchr(values[0], '=') != NULL)
		bwrap_failf(reading, "unsetenv failed: %s",
			    bwrap_reason(EINVAL));
	else
		bwrap_unset_env(reading->bwrap, values[0]);
}

static void read_clearenv(struct bwrap_reading *reading,
			  const struct bwrap_option *option, char **values)
{
	(void)option;
	(void)values;
	reading->bwrap->env_count = 0;
}

static void read_lock(struct bwrap_reading *reading,
		      const struct bwrap_option *option, char **values)
{
	struct bwrap *bwrap = reading->bwrap;

	(void)option;
	bwrap->locks = arena_grow(bwrap->arena, bwrap->locks, bwrap->lock_count,
				  sizeof(*bwrap->locks));
	bwrap->locks[bwrap->lock_count++] = values[0];
}

static void read_cap(struct bwrap_reading *reading,
		     const struct bwrap_option *option, char **values)
{
	struct bwrap *bwrap = reading->bwrap;
	int number = bwrap_cap_number(values[0]);

	if (number < -1) {
		bwrap_failf(reading, "unknown cap: %s", values[0]);
		return;
	}
	bwrap->caps = arena_grow(bwrap->arena, bwrap->caps, bwrap->cap_count,
				 sizeof(*bwrap->caps));
	bwrap->caps[bwrap->cap_count++] =
		(struct bwrap_cap){ option->datum != 0, number };
}

static void read_seccomp(struct bwrap_reading *reading,
			 const struct bwrap_option *option, char **values)
{
	if (reading->bwrap->program_count != 0)
		bwrap_fail(reading, "--seccomp cannot be combined with "
				    "--add-seccomp-fd");
	read_fd(reading, option, values);
}

static void read_add_seccomp(struct bwrap_reading *reading,
			     const struct bwrap_option *option, char **values)
{
	struct bwrap *bwrap = reading->bwrap;
	const char *code;
	size_t size;
	int fd = parse_fd(reading, values[0]);

	(void)option;
	if (bwrap->seccomp_fd >= 0)
		bwrap_fail(reading, "--add-seccomp-fd cannot be combined with "
				    "--seccomp");
	if (reading->is_ended || !load(reading, fd, "seccomp", &code, &size))
		return;
	if (size % 8 != 0)
		bwrap_fail(reading,
			   "Invalid seccomp data, must be multiple of 8");
	bwrap->programs = arena_grow(bwrap->arena, bwrap->programs,
				     bwrap->program_count,
				     sizeof(*bwrap->programs));
	bwrap->programs[bwrap->program_count++] =
		(struct bwrap_program){ code, size };
}

static int parse_mode(struct bwrap_reading *reading, const char *option,
		      const char *word)
{
	char *end;
	unsigned long mode = strtoul(word, &end, 8);

	if (*word >= '0' && *word <= '7' && *end == '\0' && mode <= 07777)
		return (int)mode;
	bwrap_failf(reading, "--%s takes an octal argument <= 07777", option);
	return -1;
}

static void read_perms(struct bwrap_reading *reading,
		       const struct bwrap_option *option, char **values)
{
	if (reading->mode >= 0)
		bwrap_fail(reading, "--perms given twice for the same action");
	reading->mode = parse_mode(reading, option->name, values[0]);
}

static void read_size(struct bwrap_reading *reading,
		      const struct bwrap_option *option, char **values)
{
	char *end = values[0];
	unsigned long long size = 0;

	(void)option;
	if (reading->size != 0)
		bwrap_fail(reading, "--size given twice for the same action");
	errno = 0;
	if (isdigit((unsigned char)values[0][0]))
		size = strtoull(values[0], &end, 0);
	if (errno != 0 || *end != '\0' || size == 0)
		bwrap_fail(reading, "--size takes a non-zero number of bytes");
	else if (size > SIZE_MAX / 2)
		bwrap_failf(reading, "--size (for tmpfs) is limited to %zu",
			    (size_t)SIZE_MAX / 2);
	reading->size = size;
}

static void read_layer(struct bwrap_reading *reading,
		       const struct bwrap_option *option, char **values)
{
	(void)option;
	reading->layers = arena_grow(reading->bwrap->arena, reading->layers,
				     reading->layer_count,
				     sizeof(*reading->layers));
	reading->layers[reading->layer_count++] = values[0];
}

/* A destination is always below the new root: its slash may be left out. */
static const char *destination(struct bwrap_reading *reading, const char *word)
{
	return *word == '/'
		       ? word
		       : arena_join(reading->bwrap->arena, "/", word, NULL);
}

static struct bwrap_wish *wish(struct bwrap_reading *reading,
			       const struct bwrap_option *option,
			       const char *dest)
{
	struct bwrap *bwrap = reading->bwrap;
	struct bwrap_wish *made;

	bwrap->wishes = arena_grow(bwrap->arena, bwrap->wishes,
				   bwrap->wish_count, sizeof(*bwrap->wishes));
	made = &bwrap->wishes[bwrap->wish_count++];
	*made = (struct bwrap_wish){
		.kind = (enum bwrap_kind)option->datum,
		.is_optional = option->is_optional,
		.fd = -1,
		.mode = reading->mode,
		.size = reading->size,
		.dest = dest == NULL ? NULL : destination(reading, dest),
		.layers = reading->layers,
		.layer_count = reading->layer_count,
	};
	return made;
}

static void read_dest(struct bwrap_reading *reading,
		      const struct bwrap_option *option, char **values)
{
	(void)wish(reading, option, values[0]);
}

static void read_source_dest(struct bwrap_reading *reading,
			     const struct bwrap_option *option, char **values)
{
	wish(reading, option, values[1])->source = values[0];
}

static void read_fd_dest(struct bwrap_reading *reading,
			 const struct bwrap_option *option, char **values)
{
	wish(reading, option, values[1])->fd = parse_fd(reading, values[0]);
}

static void read_chmod(struct bwrap_reading *reading,
		       const struct bwrap_option *option, char **values)
{
	int mode = parse_mode(reading, option->name, values[0]);

	wish(reading, option, values[1])->mode = mode;
}

static void read_hostname(struct bwrap_reading *reading,
			  const struct bwrap_option *option, char **values)
{
	reading->bwrap->hostname = values[0];
	wish(reading, option, NULL)->source = values[0];
}

static void read_overlay(struct bwrap_reading *reading,
			 const struct bwrap_option *option, char **values)
{
	const size_t least = option->datum == BWRAP_RO_OVERLAY ? 2 : 1;
	struct bwrap_wish *made;

	if (reading->layer_count < least)
		bwrap_failf(reading,
			    least == 2 ? "--%s requires at least two "
					 "--overlay-src"
				       : "--%s requires at least one "
					 "--overlay-src",
			    option->name);
	made = wish(reading, option, values[option->words - 1]);
	if (option->datum != BWRAP_OVERLAY)
		return;
	made->source = values[0];
	made->work = values[1];
}

#define ROW(name, values, words, flags, read, datum, help)                 \
	{                                                                  \
		name, values, help, words, flags, read, datum, false, NULL \
	}
#define TRY(name, kind, help)                                                \
	{                                                                    \
		name, "SRC DEST", help, 2, NO_EMPTY, read_source_dest, kind, \
			true, NULL                                           \
	}
#define FLAG(name, field, help) \
	ROW(name, NULL, 0, 0, read_flag, AT(field), help)
#define NUMBER(name, field, help) \
	ROW(name, "FD", 1, ONCE, read_fd, AT(field), help)

const struct bwrap_option bwrap_options[] = {
	ROW("help", NULL, 0, 0, read_help, BWRAP_HELP,
	    "Print this help and exit"),
	ROW("version", NULL, 0, 0, read_help, BWRAP_SAY_VERSION,
	    "Print the version and exit"),
	ROW("args", "FD", 1, 0, read_args, 0,
	    "Read more options from FD, each ended by a NUL"),
	ROW("argv0", "VALUE", 1, SAYS_ONE, read_argv0, 0,
	    "What the command finds as its own name"),
	FLAG("level-prefix", level_prefix,
	     "Begin messages with <3> or <4>, their syslog level"),
	FLAG("unshare-user", user,
	     "New user namespace (always one unless root)"),
	FLAG("unshare-user-try", user_try,
	     "New user namespace where there can be one"),
	FLAG("unshare-ipc", ipc, "New ipc namespace"),
	FLAG("unshare-pid", pid, "New pid namespace"),
	FLAG("unshare-net", net, "New network namespace, with loopback"),
	FLAG("unshare-uts", uts, "New uts namespace"),
	FLAG("unshare-cgroup", cgroup, "New cgroup namespace"),
	FLAG("unshare-cgroup-try", cgroup_try,
	     "New cgroup namespace where there can be one"),
	ROW("unshare-all", NULL, 0, 0, read_unshare_all, 0,
	    "All of these, user and cgroup where there can be one"),
	ROW("share-net", NULL, 0, 0, read_share_net, 0,
	    "Keep the caller's network in spite of --unshare-all"),
	NUMBER("userns", userns, "Use this user namespace"),
	NUMBER("userns2", userns2,
	       "Switch to this user namespace once all is set up"),
	FLAG("disable-userns", disable_userns,
	     "No user namespace can be made inside"),
	FLAG("assert-userns-disabled", assert_userns_disabled,
	     "Fail if one can be made inside"),
	NUMBER("pidns", pidns, "Use this pid namespace"),
	ROW("uid", "UID", 1, ONCE, read_id, AT(uid), "User id inside"),
	ROW("gid", "GID", 1, ONCE, read_id, AT(gid), "Group id inside"),
	ROW("hostname", "NAME", 1, ONCE, read_hostname, BWRAP_HOSTNAME,
	    "Host name inside, with --unshare-uts"),
	ROW("chdir", "DIR", 1, ONCE | SAYS_ONE | NO_EMPTY, read_word, AT(chdir),
	    "Working directory inside"),
	ROW("clearenv", NULL, 0, 0, read_clearenv, 0, "Unset all variables"),
	ROW("setenv", "VAR VALUE", 2, 0, read_setenv, 0, "Set a variable"),
	ROW("unsetenv", "VAR", 1, 0, read_unsetenv, 0, "Unset a variable"),
	ROW("lock-file", "DEST", 1, NO_EMPTY, read_lock, 0,
	    "Hold a lock on DEST while the sandbox runs"),
	NUMBER("sync-fd", sync_fd, "Keep FD open while the sandbox runs"),
	ROW("bind", "SRC DEST", 2, NO_EMPTY, read_source_dest, BWRAP_BIND,
	    "Show SRC of the host at DEST"),
	TRY("bind-try", BWRAP_BIND, "The same, nothing when SRC is missing"),
	ROW("dev-bind", "SRC DEST", 2, NO_EMPTY, read_source_dest,
	    BWRAP_DEV_BIND, "Show SRC at DEST, devices work"),
	TRY("dev-bind-try", BWRAP_DEV_BIND,
	    "The same, nothing when SRC is missing"),
	ROW("ro-bind", "SRC DEST", 2, NO_EMPTY, read_source_dest, BWRAP_RO_BIND,
	    "Show SRC at DEST, read-only"),
	TRY("ro-bind-try", BWRAP_RO_BIND,
	    "The same, nothing when SRC is missing"),
	ROW("bind-fd", "FD DEST", 2, LAST_PATH, read_fd_dest, BWRAP_BIND_FD,
	    "Show the open directory or path FD at DEST"),
	{ "ro-bind-fd", "FD DEST", "The same, read-only", 2, LAST_PATH,
	  read_fd_dest, BWRAP_RO_BIND_FD, false, "bind-fd" },
	ROW("remount-ro", "DEST", 1, SAYS_ONE | NO_EMPTY, read_dest,
	    BWRAP_REMOUNT_RO, "Make the mount at DEST read-only, not below"),
	ROW("overlay-src", "SRC", 1, NO_EMPTY | IS_MODIFIER, read_layer, 0,
	    "A lower layer for the overlay that follows"),
	ROW("overlay", "RWSRC WORKDIR DEST", 3, NO_EMPTY | TAKES_LAYERS,
	    read_overlay, BWRAP_OVERLAY,
	    "An overlay on DEST that is written to RWSRC"),
	ROW("tmp-overlay", "DEST", 1, NO_EMPTY | TAKES_LAYERS, read_overlay,
	    BWRAP_TMP_OVERLAY, "An overlay on DEST that is written nowhere"),
	ROW("ro-overlay", "DEST", 1, NO_EMPTY | TAKES_LAYERS, read_overlay,
	    BWRAP_RO_OVERLAY, "An overlay on DEST, read-only"),
	ROW("exec-label", "LABEL", 1, ONCE, read_label, AT(exec_label),
	    "SELinux label of the command"),
	ROW("file-label", "LABEL", 1, ONCE, read_label, AT(file_label),
	    "SELinux label of files that are made"),
	ROW("proc", "DEST", 1, NO_EMPTY, read_dest, BWRAP_PROC,
	    "procfs on DEST"),
	ROW("dev", "DEST", 1, NO_EMPTY, read_dest, BWRAP_DEV,
	    "A minimal /dev on DEST"),
	ROW("tmpfs", "DEST", 1, NO_EMPTY | TAKES_MODE | TAKES_SIZE, read_dest,
	    BWRAP_TMPFS, "A tmpfs on DEST"),
	ROW("mqueue", "DEST", 1, NO_EMPTY, read_dest, BWRAP_MQUEUE,
	    "POSIX message queues on DEST"),
	ROW("dir", "DEST", 1, NO_EMPTY | TAKES_MODE, read_dest, BWRAP_DIR,
	    "Make a directory"),
	ROW("file", "FD DEST", 2, TAKES_MODE | LAST_PATH, read_fd_dest,
	    BWRAP_FILE, "Copy FD to a file"),
	ROW("bind-data", "FD DEST", 2, TAKES_MODE | LAST_PATH, read_fd_dest,
	    BWRAP_BIND_DATA, "Copy FD to a file that is bound on DEST"),
	ROW("ro-bind-data", "FD DEST", 2, TAKES_MODE | LAST_PATH, read_fd_dest,
	    BWRAP_RO_BIND_DATA, "The same, read-only"),
	ROW("symlink", "TARGET DEST", 2, NO_EMPTY, read_source_dest,
	    BWRAP_SYMLINK, "Make a symbolic link at DEST"),
	ROW("seccomp", "FD", 1, ONCE, read_seccomp, AT(seccomp_fd),
	    "Load the filter that FD holds"),
	ROW("add-seccomp-fd", "FD", 1, 0, read_add_seccomp, 0,
	    "Load one more filter"),
	NUMBER("block-fd", block_fd, "Wait for FD before the command"),
	NUMBER("userns-block-fd", userns_block_fd,
	       "Wait for FD while the id maps are written"),
	NUMBER("info-fd", info_fd, "Write about the sandbox to FD"),
	NUMBER("json-status-fd", json_status_fd,
	       "Write status as lines of JSON to FD"),
	FLAG("new-session", new_session, "New terminal session"),
	FLAG("die-with-parent", die_with_parent,
	     "SIGKILL when the parent dies"),
	FLAG("as-pid-1", as_pid_1, "The command is process 1"),
	ROW("cap-add", "CAP", 1, 0, read_cap, true, "Keep a capability"),
	ROW("cap-drop", "CAP", 1, 0, read_cap, false, "Drop a capability"),
	ROW("perms", "OCTAL", 1, IS_MODIFIER, read_perms, 0,
	    "Mode for the next of --dir, --file, --tmpfs, --*-data"),
	ROW("size", "BYTES", 1, IS_MODIFIER, read_size, 0,
	    "Size for the next --tmpfs"),
	ROW("chmod", "OCTAL PATH", 2, LAST_PATH, read_chmod, BWRAP_CHMOD,
	    "Change the mode of PATH, which exists"),
	FLAG("not-a-security-boundary", not_a_boundary,
	     "Accepted: no mount below fails to get its flags"),
};
const size_t bwrap_option_count = sizeof(bwrap_options) /
				  sizeof(*bwrap_options);
