/*
 * What the probe tries on processes, descriptors, namespaces, keys and system
 * calls. What would change the probe itself is done in a child.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fault.h"
#include "base/io.h"
#include "base/proc.h"
#include "base/sys.h"
#include "inspect/probe.h"

enum {
	NO_ERRNO = 255,
	MOST_FDS = 65536,
	WORDS_ROOM = 256,
	LAST_CAPABILITY = 63
};

static pid_t process_of(const char *word)
{
	return (pid_t)probe_number(word, INT32_MAX);
}

/* signal PID NUMBER */
const char *probe_signal(const char *const *arguments)
{
	int number = (int)probe_number(arguments[1], 64);

	return probe_answer(
		kill(process_of(arguments[0]), number) == 0 ? 0 : errno);
}

/* What /proc/self/status says behind a name, or "". */
static const char *status_of(const char *name)
{
	static char words[WORDS_ROOM];
	struct arena arena = { 0 };
	char *bytes, *at = NULL;
	size_t length;

	words[0] = '\0';
	if (io_read_file(&arena, "/proc/self/status", 65536, &bytes, &length) ==
	    0)
		at = strstr(bytes, name);
	if (at != NULL) {
		at += strlen(name);
		at[strcspn(at, "\n")] = '\0';
		fault_copy(words, sizeof(words), at);
	}
	arena_done(&arena);
	return words;
}

/* pidns: in how many pid namespaces /proc knows this process. Its own alone is
 * 1; a /proc of the host would say more. */
const char *probe_pidns(const char *const *arguments)
{
	static char digits[16];
	const char *numbers = status_of("\nNSpid:");
	unsigned count = 0;

	(void)arguments;
	for (; *numbers != '\0'; numbers++)
		count += *numbers == '\t';
	(void)snprintf(digits, sizeof(digits), "%u", count);
	return digits;
}

/* fd NUMBER: whether it is open */
const char *probe_fd(const char *const *arguments)
{
	int fd = (int)probe_number(arguments[0], INT32_MAX);

	return probe_answer(fcntl(fd, F_GETFD) >= 0 ? 0 : errno);
}

static bool is_kept(const char *kept, int fd)
{
	char word[16];

	(void)snprintf(word, sizeof(word), ",%d,", fd);
	return strstr(kept, word) != NULL;
}

/* fds ",N,N,": which are open above 2 besides those */
const char *probe_fds(const char *const *arguments)
{
	static char found[WORDS_ROOM];
	struct rlimit limit = { .rlim_cur = MOST_FDS };
	size_t at = 0;

	(void)getrlimit(RLIMIT_NOFILE, &limit);
	found[0] = '\0';
	for (int fd = 3; fd < MOST_FDS && (rlim_t)fd < limit.rlim_max; fd++) {
		if (fcntl(fd, F_GETFD) < 0 || is_kept(arguments[0], fd) ||
		    at + 16 > sizeof(found))
			continue;
		at += (size_t)snprintf(found + at, sizeof(found) - at, "%s%d",
				       at == 0 ? "" : ",", fd);
	}
	return at == 0 ? "none" : found;
}

/* space NAME LINK: whether a namespace is that one */
const char *probe_space(const char *const *arguments)
{
	char path[64], link[64];
	ssize_t length;

	(void)snprintf(path, sizeof(path), "/proc/self/ns/%s", arguments[0]);
	length = readlink(path, link, sizeof(link) - 1);
	if (length < 0)
		return probe_answer(errno);
	link[length] = '\0';
	return strcmp(link, arguments[1]) == 0 ? "same" : "own";
}

/* Of a child: an errno, 0, or what has ended it. */
static const char *answer_of(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? probe_answer(WEXITSTATUS(status)) : "killed";
}

/* Ends a child with what it found: an errno, or 0. */
static _Noreturn void attempt_main(int (*attempt)(const char *const *arguments),
				   const char *const *arguments)
{
	_exit(attempt(arguments));
}

static int nothing(const char *const *arguments)
{
	(void)arguments;
	return 0;
}

static const char *in_child(int (*attempt)(const char *const *arguments),
			    uint64_t spaces, const char *const *arguments)
{
	int pidfd = -1;
	pid_t pid = proc_clone(spaces, -1, &pidfd);

	if (pid == 0)
		attempt_main(attempt, arguments);
	fd_close(&pidfd);
	return pid < 0 ? PROBE_NOT_TRIED : answer_of(pid);
}

const char *probe_try(int (*attempt)(const char *const *arguments),
		      const char *const *arguments)
{
	const char *answer = in_child(attempt, 0, arguments);

	return strcmp(answer, PROBE_NOT_TRIED) == 0
		       ? probe_answer(attempt(arguments))
		       : answer;
}

static int unshare_user(const char *const *arguments)
{
	(void)arguments;
	return unshare(CLONE_NEWUSER) == 0 ? 0 : errno;
}

const char *probe_unshare(const char *const *arguments)
{
	return in_child(unshare_user, 0, arguments);
}

const char *probe_clone(const char *const *arguments)
{
	int pidfd = -1;
	pid_t pid = proc_clone(CLONE_NEWUSER, -1, &pidfd);

	if (pid == 0)
		attempt_main(nothing, arguments);
	fd_close(&pidfd);
	if (pid == -EAGAIN) /* a limit of processes, not a wall */
		return PROBE_NOT_TRIED;
	return pid < 0 ? probe_answer((int)pid) : answer_of(pid);
}

/* Types into a terminal of the probe's own, as its leader: what the kernel
 * allows where neither it nor a filter says no. */
static int push_input(const char *const *arguments)
{
	FD_OWNED int leader = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	FD_OWNED int terminal = -1;
	char name[64];
	int fd = STDIN_FILENO;
	sigset_t hangup;

	(void)arguments;
	/* which comes when the leader is closed */
	(void)sigemptyset(&hangup);
	(void)sigaddset(&hangup, SIGHUP);
	(void)sigprocmask(SIG_BLOCK, &hangup, NULL);
	if (leader >= 0 && unlockpt(leader) == 0 &&
	    ptsname_r(leader, name, sizeof(name)) == 0 && setsid() > 0)
		terminal = sys_openat(AT_FDCWD, name, O_RDWR | O_NOCTTY, 0);
	if (terminal >= 0 && ioctl(terminal, TIOCSCTTY, 0) == 0)
		fd = terminal;
	return ioctl(fd, TIOCSTI, "x") == 0 ? 0 : errno;
}

const char *probe_tiocsti(const char *const *arguments)
{
	return in_child(push_input, 0, arguments);
}

/* key-listed DESCRIPTION: /proc/keys has what the caller may look at */
const char *probe_key_listed(const char *const *arguments)
{
	struct arena arena = { 0 };
	char *bytes;
	size_t length;
	const char *answer = "no";

	if (io_read_file(&arena, "/proc/keys", 1 << 20, &bytes, &length) != 0)
		answer = "unreadable";
	else if (strstr(bytes, arguments[0]) != NULL)
		answer = "yes";
	arena_done(&arena);
	return answer;
}

static int search_key(const char *const *arguments)
{
	long key = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING,
			   "user", arguments[0], 0L);

	return key >= 0 ? 0 : errno;
}

/* key-found DESCRIPTION: in the session keyring */
const char *probe_key_found(const char *const *arguments)
{
	return probe_try(search_key, arguments);
}

static unsigned long argument_of(const char *word)
{
	return *word == '\0' ? ~0UL : probe_number(word, ~0UL);
}

static int make_call(const char *const *arguments)
{
	long answer = syscall(
		(long)argument_of(arguments[0]), argument_of(arguments[1]),
		argument_of(arguments[2]), argument_of(arguments[3]),
		argument_of(arguments[4]), ~0UL, ~0UL);

	return answer < 0 ? errno : 0;
}

/* call NUMBER [ARG...]: missing arguments are all ones, which no call that a
 * shipped filter denies does anything with. */
const char *probe_call(const char *const *arguments)
{
	return probe_answer(make_call(arguments));
}

/* Nothing that asks for a capability of the host can be had here. The child was
 * born with all there are in its own namespace. */
static int make_call_apart(const char *const *arguments)
{
	return sys_capset_empty() == 0 ? make_call(arguments) : NO_ERRNO;
}

/* call-apart NUMBER [ARG...]: the same outside, where no filter stands before the
 * kernel: in a child without any capability and in a user namespace of its own,
 * as the command has it. */
const char *probe_call_apart(const char *const *arguments)
{
	const char *answer = in_child(make_call_apart, CLONE_NEWUSER,
				      arguments);

	return strcmp(answer, probe_answer(NO_ERRNO)) == 0 ? PROBE_NOT_TRIED
							   : answer;
}

/* seccomp: the mode; 2 is a filter */
const char *probe_seccomp(const char *const *arguments)
{
	static char digits[16];
	int mode = prctl(PR_GET_SECCOMP, 0, 0, 0, 0);

	(void)arguments;
	if (mode < 0)
		return probe_answer(errno);
	(void)snprintf(digits, sizeof(digits), "%d", mode);
	return digits;
}

const char *probe_count_filters(void)
{
	const char *number = status_of("\nSeccomp_filters:");

	return number + strspn(number, "\t ");
}

/* filters: how many */
const char *probe_filters(const char *const *arguments)
{
	const char *number = probe_count_filters();

	(void)arguments;
	return *number == '\0' ? PROBE_NOT_TRIED : number;
}

const char *probe_nnp(const char *const *arguments)
{
	(void)arguments;
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? "1" : "0";
}

static const char *capability_set(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct data[2] = { 0 };

	if (syscall(SYS_capget, &header, data) != 0)
		return probe_answer(errno);
	if (data[0].effective | data[1].effective)
		return "effective";
	if (data[0].permitted | data[1].permitted)
		return "permitted";
	if (data[0].inheritable | data[1].inheritable)
		return "inheritable";
	for (int cap = 0; cap <= LAST_CAPABILITY; cap++) {
		if (prctl(PR_CAPBSET_READ, cap, 0, 0, 0) == 1)
			return "bounding";
		if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, cap, 0, 0) ==
		    1)
			return "ambient";
	}
	return "none";
}

/* caps: the first of the five sets that is not empty */
const char *probe_caps(const char *const *arguments)
{
	(void)arguments;
	return capability_set();
}
