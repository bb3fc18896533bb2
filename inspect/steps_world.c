/*
 * What is not files: processes, network, keys, the kernel's own walls.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fault.h"
#include "base/text.h"
#include "inspect/check.h"
#include "inspect/probe.h"

#ifndef CLONE_NEWCGROUP
#	define CLONE_NEWCGROUP 0x02000000
#endif

struct denied_call {
	const char *name;
	unsigned number, error;
};

#include "seccomp/denied_calls.h"

/* More filters than a process can have, a number that no call has, and a flag of
 * what show prints. */
enum { MOST_FILTERS = 1 << 20, LATER_CALL = 1000, WATCH_CALLS = 1 << 4 };

static bool has_proc(const struct check *check)
{
	return shown_find(&check->plan, "proc") != NULL;
}

static void processes(struct check *check)
{
	const char *pid = check->planted.pid;
	struct attempt *attempt;

	attempt = check_try(check, STEP_PROCESSES, "ESRCH",
			    WORDS("signal", pid, "9"));
	attempt->control = "0";
	attempt->control_words[0] = "signal";
	attempt->control_words[1] = pid;
	attempt->control_words[2] = "0";
	if (!has_proc(check)) {
		check->notes[STEP_PROCESSES] = "--proc none";
		return;
	}
	check_try(check, STEP_PROCESSES, "ENOENT",
		  WORDS("seen", arena_join(check->arena, "/proc/", pid, NULL)))
		->control = "0";
	check_try(check, STEP_PROCESSES, "1", WORDS("pidns"));
}

static void descriptors(struct check *check)
{
	struct text kept;

	text_init(&kept, check->arena);
	text_add_char(&kept, ',');
	for (size_t i = 0; i < check->plan.keep_count; i++)
		text_printf(&kept, "%d,", check->plan.keep_fds[i]);
	for (int i = 0; i < PLANTED_FDS; i++) {
		const char *number = arena_printf(check->arena, "%d",
						  check->planted.fds[i]);

		check_try(check, STEP_FDS, "EBADF", WORDS("fd", number))
			->control = "0";
	}
	check_try(check, STEP_FDS, "none", WORDS("fds", kept.bytes))->what =
		"open descriptors";
	if (check->plan.keep_count != 0)
		check->notes[STEP_FDS] = "--keep-fd";
}

static const struct {
	uint64_t flag;
	const char *name;
} spaces[] = {
	{ CLONE_NEWUSER, "user" },     { CLONE_NEWNS, "mnt" },
	{ CLONE_NEWPID, "pid" },       { CLONE_NEWIPC, "ipc" },
	{ CLONE_NEWUTS, "uts" },       { CLONE_NEWNET, "net" },
	{ CLONE_NEWCGROUP, "cgroup" },
};

static void namespaces(struct check *check)
{
	if (!has_proc(check)) {
		check->notes[STEP_SPACES] = "not seen with --proc none";
		return;
	}
	for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++) {
		const char *name = spaces[i].name;
		char path[64], link[64];
		ssize_t length;

		(void)snprintf(path, sizeof(path), "/proc/self/ns/%s", name);
		length = readlink(path, link, sizeof(link) - 1);
		if (length < 0 ||
		    !shown_has_space(&check->plan, spaces[i].flag))
			continue;
		link[length] = '\0';
		check_try(
			check, STEP_SPACES, "own",
			WORDS("space", name, arena_strdup(check->arena, link)))
			->control = "same";
	}
	if (!shown_has_space(&check->plan, CLONE_NEWNET))
		check->notes[STEP_SPACES] = "but the network: --net host";
}

/* A listener outside, which answers; what is not there cannot be reached. */
static void reach(struct check *check, enum step_id step, const char *verb,
		  const char *const *address)
{
	bool is_own = shown_has_space(&check->plan, CLONE_NEWNET);

	check_try(check, step, is_own ? "ECONNREFUSED" : "0",
		  WORDS(verb, address[0], address[1]))
		->control = "0";
}

static void tcp(struct check *check)
{
	const struct planted *planted = &check->planted;

	reach(check, STEP_TCP, "tcp", WORDS("127.0.0.1", planted->tcp));
	if (planted->tcp6 != NULL)
		reach(check, STEP_TCP, "tcp", WORDS("::1", planted->tcp6));
	check_try(check, STEP_TCP, "0", WORDS("own-tcp", "127.0.0.1"));
	if (planted->tcp6 != NULL)
		check_try(check, STEP_TCP, "0", WORDS("own-tcp", "::1"));
}

/* A documentation address: nobody has it. Not tried where it could be sent. */
static void far(struct check *check)
{
	static const char address[] = "192.0.2.1";
	static const char unreachable[] = "ENETUNREACH";

	check_try(check, STEP_TCP, unreachable, WORDS("far-tcp", address, "9"));
	check_try(check, STEP_UDP, unreachable, WORDS("far-udp", address, "9"));
	check_try(check, STEP_ICMP, unreachable, WORDS("far-ping", address));
	check_try(check, STEP_DNS, "not-found",
		  WORDS("lookup", "cordon-check.invalid"));
}

static void network(struct check *check)
{
	static const enum step_id named[] = { STEP_TCP, STEP_UDP, STEP_ICMP,
					      STEP_DNS };
	bool is_own = shown_has_space(&check->plan, CLONE_NEWNET);
	struct attempt *ping;

	tcp(check);
	reach(check, STEP_UDP, "udp", WORDS("127.0.0.1", check->planted.udp));
	ping = check_try(check, STEP_ICMP, is_own ? "0" : EXPECT_SAME,
			 WORDS("ping", "127.0.0.1"));
	if (!is_own)
		ping->control = CONTROL_ANY;
	check_try(check, STEP_DNS, "found", WORDS("lookup", "localhost"));
	if (is_own) {
		far(check);
		return;
	}
	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
		check->notes[named[i]] = "--net host; nothing beyond loopback "
					 "is tried";
}

static void sockets(struct check *check)
{
	const struct planted *planted = &check->planted;
	const char *expect = "ECONNREFUSED";

	if (shown_find(&check->plan, "scope") != NULL) {
		expect = "EPERM";
	} else if (!shown_has_space(&check->plan, CLONE_NEWNET)) {
		expect = "0";
		check->notes[STEP_ABSTRACT] = "--allow-abstract";
	}
	check_try(check, STEP_ABSTRACT, expect,
		  WORDS("abstract", planted->abstract))
		->control = "0";
	if (planted->dir == NULL) {
		steps_lack_place(check, STEP_SOCKETS, "a socket");
		return;
	}
	if (planted->shown != NULL)
		check->notes[STEP_SOCKETS] = "the rules show where it is";
	check_try(check, STEP_SOCKETS,
		  planted->shown == NULL ? "ENOENT EACCES" : "0",
		  WORDS("unix", planted->socket))
		->control = "0";
}

/* Denied by the filter before the kernel, whose answer is none of this. */
static void tiocsti(struct check *check)
{
	const struct shown *plan = &check->plan;

	if (plan->filter == NULL)
		check->notes[STEP_TIOCSTI] =
			"--seccomp none: the kernel decides";
	else if (plan->own_filter)
		check->notes[STEP_TIOCSTI] = "your own filter decides";
	else
		check_try(check, STEP_TIOCSTI, "EPERM", WORDS("tiocsti"))
			->control = "0 EIO";
}

static void keyring(struct check *check)
{
	const char *key = check->planted.key;

	if (key == NULL) {
		check_cannot(check, STEP_KEYRING, "a key",
			     "none can be made outside");
		return;
	}
	check_try(check, STEP_KEYRING, "EPERM ENOKEY ENOSYS killed",
		  WORDS("key-found", key))
		->control = "0";
	if (has_proc(check))
		check_try(check, STEP_KEYRING, "no unreadable",
			  WORDS("key-listed", key))
			->control = "yes unreadable";
	else
		check->notes[STEP_KEYRING] =
			"--proc none: that no call reaches it is all there is "
			"to see";
}

static void nesting(struct check *check)
{
	const char *expect = check->plan.nested ? "0" : "EPERM ENOSPC killed";
	const char *limit = "/proc/sys/user/max_user_namespaces";

	check_try(check, STEP_NESTING, expect, WORDS("unshare"))->control =
		CONTROL_ANY;
	check_try(check, STEP_NESTING, expect, WORDS("clone"))->control =
		CONTROL_ANY;
	if (check->plan.nested)
		check->notes[STEP_NESTING] = "allowed by --nested";
	if (shown_find(&check->plan, "no-cgroups") != NULL)
		limit = "/proc/sys/user/max_cgroup_namespaces";
	if (has_proc(check))
		check_try(check, STEP_NESTING, "0", WORDS("value", limit));
}

/* Where an id inside is the host's root only the covers stand before them. */
static void settings(struct check *check)
{
	static const char *const written[] = {
		"/proc/sys/kernel/core_pattern",  "/proc/sys/kernel/modprobe",
		"/proc/sys/vm/drop_caches",	  "/proc/sysrq-trigger",
		"/proc/irq/default_smp_affinity",
	};
	static const char *const read[] = { "/proc/slabinfo",
					    "/proc/vmallocinfo",
					    "/proc/timer_list" };

	if (!has_proc(check)) {
		check->notes[STEP_SETTINGS] = "--proc none";
		return;
	}
	for (size_t i = 0; i < sizeof(written) / sizeof(*written); i++)
		check_try(check, STEP_SETTINGS, "EACCES EROFS EPERM ENOENT",
			  WORDS("open-write", written[i]));
	for (size_t i = 0; i < sizeof(read) / sizeof(*read); i++)
		check_try(check, STEP_SETTINGS, "EACCES EPERM ENOENT",
			  WORDS("read", read[i]));
}

/* A call that the kernel answers in the same way without a filter shows none of
 * it: how many do not is counted. */
static void call(struct check *check, const char *name, unsigned error,
		 const char *const *words)
{
	struct attempt *attempt = check_try(
		check, STEP_FILTER, fault_errno_name((int)error), words);

	attempt->what = name;
	attempt->control = CONTROL_OTHER;
	memcpy(attempt->control_words, attempt->words,
	       sizeof(attempt->control_words));
	attempt->control_words[0] = "call-apart";
}

#define NUMBER(number) arena_printf(check->arena, "%ld", (long)(number))

/* Not made outside: the kernel loads a module for a family that it lacks. */
static void family(struct check *check, const char *name, unsigned error,
		   const int numbers[3])
{
	check_try(check, STEP_FILTER, fault_errno_name((int)error),
		  WORDS("call", NUMBER(SYS_socket), NUMBER(numbers[0]),
			NUMBER(numbers[1]), NUMBER(numbers[2])))
		->what = name;
}

static void families(struct check *check)
{
	family(check, "socket(AF_ALG)", EAFNOSUPPORT,
	       (const int[]){ AF_ALG, SOCK_SEQPACKET, 0 });
	family(check, "socket(AF_VSOCK)", EAFNOSUPPORT,
	       (const int[]){ AF_VSOCK, SOCK_STREAM, 0 });
	family(check, "socket(AF_NETLINK, NETLINK_NETFILTER)", EPROTONOSUPPORT,
	       (const int[]){ AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER });
}

/* Where arguments decide. */
static void argued_calls(struct check *check)
{
	const char *ioctl = NUMBER(SYS_ioctl), *in = NUMBER(STDIN_FILENO);

	families(check);
	call(check, "ioctl(TIOCLINUX)", EPERM,
	     WORDS("call", ioctl, in, NUMBER(TIOCLINUX), "0"));
	call(check, "ioctl(TIOCSETD)", EPERM,
	     WORDS("call", ioctl, in, NUMBER(TIOCSETD), "0"));
	call(check, "prctl(PR_SET_MM)", EPERM,
	     WORDS("call", NUMBER(SYS_prctl), NUMBER(PR_SET_MM), "0", "0"));
	call(check, "a call of a later kernel", ENOSYS,
	     WORDS("call", NUMBER(LATER_CALL)));
}

#define ROWS(table) table, sizeof(table) / sizeof(*(table))

static const struct {
	const char *name;
	const struct denied_call *rows;
	size_t count;
} tables[] = {
	{ "default", ROWS(denied_default) },
	{ "devel", ROWS(denied_devel) },
	{ "default+nested", ROWS(denied_nested) },
	{ "devel+nested", ROWS(denied_devel_nested) },
};

static void denied_calls(struct check *check, size_t table)
{
	for (size_t i = 0; i < tables[table].count; i++) {
		const struct denied_call *row = &tables[table].rows[i];

		call(check, row->name, row->error,
		     WORDS("call", NUMBER(row->number)));
	}
}

static bool is_told(const struct shown_op *watch)
{
	return watch != NULL && (watch->flags & WATCH_CALLS) != 0;
}

/* Beside the filter that the rules name stands one that watches, because of the
 * status stream. Where denied calls are told a shipped one is the same, and of a
 * user's that depends on what it does. */
static void count_filters(struct check *check)
{
	const struct shown *plan = &check->plan;
	const struct shown_op *watch = shown_find(plan, "watch");
	const char *outside = probe_count_filters();
	unsigned long count = probe_number(outside, MOST_FILTERS) + 1;

	if (*outside == '\0' || !has_proc(check) ||
	    (is_told(watch) && plan->own_filter))
		return;
	count += watch != NULL && !is_told(watch);
	check_try(check, STEP_FILTER, arena_printf(check->arena, "%lu", count),
		  WORDS("filters"));
}

static void filter(struct check *check)
{
	const struct shown *plan = &check->plan;

	if (plan->filter == NULL) {
		check->notes[STEP_FILTER] = "--seccomp none";
		return;
	}
	check_try(check, STEP_FILTER, "2", WORDS("seccomp"));
	count_filters(check);
	if (plan->own_filter) {
		check->notes[STEP_FILTER] = "your own: its answers are not "
					    "known";
		return;
	}
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		if (strcmp(plan->filter, tables[i].name) == 0)
			denied_calls(check, i);
	}
	argued_calls(check);
}

void steps_unwatched(struct check *check)
{
	if (is_told(shown_find(&check->plan, "watch")))
		return; /* the rules' filter was loaded by itself */
	for (size_t i = 0; i < check->count; i++) {
		struct attempt *attempt = &check->attempts[i];

		if (attempt->words[0] == NULL ||
		    strcmp(attempt->words[0], "filters") != 0)
			continue;
		attempt->expect = arena_printf(
			check->arena, "%lu",
			probe_number(attempt->expect, MOST_FILTERS) - 1);
	}
}

void steps_world(struct check *check)
{
	processes(check);
	descriptors(check);
	namespaces(check);
	network(check);
	sockets(check);
	tiocsti(check);
	keyring(check);
	nesting(check);
	settings(check);
	filter(check);
	/* no control: whoever set it, nothing takes it back */
	check_try(check, STEP_NO_NEW_PRIVS, "1", WORDS("nnp"));
	check_try(check, STEP_CAPABILITIES, "none", WORDS("caps"));
}
