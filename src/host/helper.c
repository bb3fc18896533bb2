/*
 * Helper programs.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fault.h"
#include "base/io.h"
#include "base/path.h"
#include "base/proc.h"
#include "host/facts.h"
#include "host/helper.h"

enum { ANSWER_LIMIT = 1 << 20 };

static const char *own_directory(struct arena *arena)
{
	char name[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", name, sizeof(name) - 1);

	if (length <= 0)
		return "/";
	name[length] = '\0';
	return path_parent(arena, name);
}

const char *helper_find(struct arena *arena, const char *subdir,
			const char *name, const char *installed)
{
	const char *dir = path_join(arena, own_directory(arena), subdir);
	const char *file = path_join(arena, dir, name);

	if (access(file, F_OK) == 0)
		return file;
	return path_join(arena, installed, name);
}

struct compile {
	const char *program, *file;
	int out, err, error;
};

/* Shares the launcher's memory until exec: touches only its own descriptors. */
static int run_compiler(void *argument)
{
	struct compile *compile = argument;
	char *const argv[] = { (char *)(uintptr_t)compile->program,
			       (char *)(uintptr_t)compile->file, NULL };
	char *const envp[] = { NULL };

	if (dup2(compile->out, 1) < 0 || dup2(compile->err, 2) < 0) {
		compile->error = errno;
		return 127;
	}
	(void)execve(compile->program, argv, envp);
	compile->error = errno;
	return 127;
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}

static const char *read_back(struct arena *arena, int fd, size_t *length)
{
	char *bytes;

	if (lseek(fd, 0, SEEK_SET) != 0 ||
	    io_read_all(arena, fd, ANSWER_LIMIT, &bytes, length) != 0)
		return NULL;
	return bytes;
}

/* The helper's own words: its first line, without its name. */
static const char *problem_of(struct arena *arena, int fd)
{
	size_t length;
	const char *words = read_back(arena, fd, &length);

	if (words == NULL || length == 0)
		return "cordon-seccomp failed without a word";
	words = arena_strndup(arena, words, strcspn(words, "\n"));
	return strncmp(words, "cordon-seccomp: ", 16) == 0 ? words + 16 : words;
}

void helper_compile_filter(struct arena *arena, const char *file,
			   struct filter_fact *filter)
{
	FD_OWNED int out = memfd_create("filter", MFD_CLOEXEC);
	FD_OWNED int err = memfd_create("problems", MFD_CLOEXEC);
	struct compile compile = {
		.program = helper_find(arena, "", "cordon-seccomp",
				       CORDON_LIBEXECDIR),
		.file = file,
		.out = out,
		.err = err,
	};
	pid_t pid;

	filter->problem = "no memory file for the compiled filter";
	if (out < 0 || err < 0)
		return;
	pid = proc_spawn(run_compiler, &compile, 0);
	if (pid < 0 || compile.error != 0) {
		if (pid > 0)
			(void)wait_for(pid);
		filter->problem = arena_join(
			arena, "cannot run ", compile.program, ": ",
			fault_errno_name(pid < 0 ? -pid : compile.error), NULL);
		return;
	}
	if (wait_for(pid) != 0) {
		filter->problem = problem_of(arena, err);
		return;
	}
	filter->program = read_back(arena, out, &filter->size);
	filter->problem = filter->program == NULL || filter->size == 0
				  ? "cordon-seccomp gave no program"
				  : NULL;
}
