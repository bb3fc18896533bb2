/*
 * Tries by file and by program. They are made by doctor itself: nothing here
 * changes the process that makes them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/io.h"
#include "base/path.h"
#include "base/proc.h"
#include "base/sys.h"
#include "host/collect.h"
#include "host/facts.h"
#include "inspect/doctor.h"

static int fail(struct tried *tried, const char *stage, const char *call,
		const char *object, int error)
{
	fault_copy(tried->fault.stage, sizeof(tried->fault.stage), stage);
	return fault_set(&tried->fault, call, object, error);
}

static void note(struct tried *tried, const char *words)
{
	fault_copy(tried->note, sizeof(tried->note), words);
	tried->note[strcspn(tried->note, "\n")] = '\0';
}

static bool note_file(struct tried *tried, const char *file)
{
	struct arena arena = { 0 };
	char *bytes;
	size_t length;
	int err = io_read_file(&arena, file, 4096, &bytes, &length);

	if (err == 0)
		note(tried, bytes);
	arena_done(&arena);
	return err == 0;
}

/* "-Microsoft" is WSL1's, "-microsoft-standard-WSL2" a kernel of its own. */
int try_kernel(struct tried *tried)
{
	if (!note_file(tried, "/proc/sys/kernel/osrelease"))
		note(tried, "unknown");
	if (strstr(tried->note, "-Microsoft") != NULL)
		return fail(tried, "kernel", "uname", tried->note, ENOSYS);
	return 0;
}

static bool has_word(const char *words, const char *word)
{
	const char *at = strstr(words, word);
	size_t length = strlen(word);

	while (at != NULL) {
		bool begins = at == words || at[-1] == ' ';

		if (begins && (at[length] == ' ' || at[length] == '\0'))
			return true;
		at = strstr(at + 1, word);
	}
	return false;
}

/* A group of our own below the one that `run` would take, and away with it. */
static int divide(struct tried *tried, const struct facts *facts)
{
	static const char *const needed[] = { "memory", "cpu", "pids" };
	FD_OWNED int parent = sys_openat(AT_FDCWD, facts->cgroup,
					 O_RDONLY | O_DIRECTORY, 0);
	char name[64];

	if (parent < 0)
		return fail(tried, "cgroup", "openat", facts->cgroup, parent);
	(void)snprintf(name, sizeof(name), "cordon-doctor-%d", (int)getpid());
	if (mkdirat(parent, name, 0755) != 0)
		return fail(tried, "cgroup", "mkdirat", facts->cgroup, errno);
	if (unlinkat(parent, name, AT_REMOVEDIR) != 0)
		return fail(tried, "cgroup", "rmdir", name, errno);
	(void)snprintf(tried->note, sizeof(tried->note), "%s: %s",
		       facts->cgroup, facts->cgroup_controllers);
	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
		if (!has_word(facts->cgroup_controllers, needed[i]))
			return fail(tried, "cgroup", "controller", needed[i],
				    ENOENT);
	}
	return 0;
}

int try_cgroup(struct tried *tried)
{
	struct arena arena = { 0 };
	struct facts facts = { 0 };
	int err;

	collect_cgroup(&facts, &arena);
	err = facts.cgroup != NULL
		      ? divide(tried, &facts)
		      : fail(tried, "cgroup", "mkdirat", "cgroup2", EACCES);
	arena_done(&arena);
	return err;
}

/* Beside the launcher in a build tree, else where it was installed. */
static const char *beside(struct arena *arena, const struct tried *tried,
			  const char *name, const char *installed)
{
	const char *file = path_join(arena, path_parent(arena, tried->launcher),
				     name);

	if (access(file, F_OK) == 0)
		return file;
	return path_join(arena, installed, path_name(name));
}

struct started {
	const char *const *argv;
	int out, error;
};

/* Shares doctor's memory until exec: touches only its own descriptors. */
static int start(void *argument)
{
	struct started *started = argument;
	int null = sys_openat(AT_FDCWD, "/dev/null", O_RDWR, 0);

	if (dup2(null, 0) < 0 || dup2(started->out, 1) < 0 ||
	    dup2(started->out, 2) < 0) {
		started->error = errno;
		return 127;
	}
	/* execve changes none. NOLINTNEXTLINE(performance-no-int-to-ptr) */
	(void)execve(started->argv[0], (char *const *)(uintptr_t)started->argv,
		     environ);
	started->error = errno;
	return 127;
}

/* Returns the exit status, 127 when the program did not come so far, or
 * -errno. */
static int run(const char *const *argv, int out)
{
	struct started started = { .argv = argv, .out = out };
	pid_t pid = proc_spawn(start, &started, 0);
	int status = 0;

	if (pid < 0)
		return pid;
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	if (started.error != 0)
		return -started.error;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* 125 is what it says to no words; 127 the dynamic loader, in want of a
 * library. */
int try_seccomp_helper(struct tried *tried)
{
	FD_OWNED int out = memfd_create("words", MFD_CLOEXEC);
	struct arena arena = { 0 };
	const char *program = beside(&arena, tried, "cordon-seccomp",
				     CORDON_LIBEXECDIR);
	const char *const argv[] = { program, NULL };
	int err = run(argv, out);

	if (err == 125)
		err = 0;
	else
		(void)fail(tried, "helper", "execve", program,
			   err < 0 ? -err : ENOEXEC);
	arena_done(&arena);
	return err;
}

int try_profiles(struct tried *tried)
{
	static const char *const names[] = { "profiles/agent", "profiles/build",
					     "profiles/offline" };
	struct arena arena = { 0 };
	int err = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !err; i++) {
		const char *file = beside(&arena, tried, names[i],
					  CORDON_PROFILEDIR);

		if (access(file, R_OK) != 0)
			err = fail(tried, "profile", "access", file, errno);
	}
	arena_done(&arena);
	return err;
}

int try_newuidmap(struct tried *tried)
{
	static const char *const places[] = { "/usr/bin/newuidmap",
					      "/bin/newuidmap",
					      "/usr/local/bin/newuidmap" };

	note(tried, "not installed, and not needed: cordon maps one id");
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (access(places[i], X_OK) == 0)
			note(tried, "installed, and not needed: cordon maps "
				    "one id");
	}
	return 0;
}

/* Linux 6.2; before there is no such setting and no such protection. */
int try_tiocsti(struct tried *tried)
{
	struct tried setting = { 0 };

	if (note_file(&setting, "/proc/sys/dev/tty/legacy_tiocsti") &&
	    strcmp(setting.note, "0") == 0)
		note(tried, "shut by the kernel, and by the filter");
	else
		note(tried, "open in the kernel, shut by the filter inside");
	return 0;
}

/* The first line of what it said, without the name and what kind of line. */
static void note_words(struct tried *tried, int out)
{
	static const char failed[] = "cordon: failed: ";
	char words[sizeof(tried->note)] = "";
	ssize_t length = pread(out, words, sizeof(words) - 1, 0);

	if (length <= 0)
		(void)snprintf(words, sizeof(words), "without a word");
	note(tried, strncmp(words, failed, sizeof(failed) - 1) == 0
			    ? words + sizeof(failed) - 1
			    : words);
}

/* Itself inside: static, and certainly there. Not where its name would be read
 * as two. */
int try_start(struct tried *tried)
{
	FD_OWNED int out = memfd_create("words", MFD_CLOEXEC);
	const char *const itself[] = {
		tried->launcher, "run",	      "--quiet", "--read",
		tried->launcher, "--cwd",     "/",	 "--",
		tried->launcher, "--version", NULL,
	};
	const char *const other[] = { tried->launcher, "run", "--quiet",
				      "--cwd",	       "/",   "--",
				      "true",	       NULL };
	bool plain = strchr(tried->launcher, ':') == NULL;
	int status = run(plain ? itself : other, out);

	if (status == 0)
		return 0;
	note_words(tried, out);
	return fail(tried, "start", "run", tried->launcher,
		    status < 0 ? -status : ECANCELED);
}
