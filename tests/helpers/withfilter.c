/*
 * withfilter FILE.bpf [--] COMMAND [ARG...]: runs a command under a raw seccomp
 * filter, as the launcher does: no_new_privs, load, exec. With --time, loads
 * the filter in a thousand children instead and prints the median in
 * microseconds.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_FAULT = 125, ROUNDS = 1000 };

static struct sock_filter code[BPF_MAXINSNS];
static struct sock_fprog program = { .filter = code };

static int complain(const char *what)
{
	(void)fprintf(stderr, "withfilter: %s: %s\n", what, strerror(errno));
	return EXIT_FAULT;
}

static int read_program(const char *path)
{
	FILE *file = fopen(path, "re");
	size_t length;

	if (!file)
		return -1;
	errno = EINVAL; /* what an empty program would be */
	length = fread(code, sizeof(*code), BPF_MAXINSNS, file);
	(void)fclose(file);
	program.len = (unsigned short)length;
	return length > 0 ? 0 : -1;
}

static int load(void)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

static double microseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static int by_size(const void *left, const void *right)
{
	const double a = *(const double *)left;
	const double b = *(const double *)right;

	return a < b ? -1 : a > b;
}

/* In a child each time, for a filter cannot be taken off. */
static int time_loads(void)
{
	double *spent = mmap(NULL, ROUNDS * sizeof(*spent),
			     PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			     -1, 0);

	if (spent == MAP_FAILED)
		return complain("mmap");
	for (int i = 0; i < ROUNDS; i++) {
		pid_t child = fork();

		if (child == 0) {
			spent[i] = microseconds();
			if (load() < 0)
				_exit(EXIT_FAULT);
			spent[i] = microseconds() - spent[i];
			_exit(0);
		}
		if (child < 0 || waitpid(child, NULL, 0) < 0)
			return complain("fork");
	}
	qsort(spent, ROUNDS, sizeof(*spent), by_size);
	(void)printf("%.1f\n", spent[ROUNDS / 2]);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		(void)fputs(
			"usage: withfilter FILE.bpf --time | [--] COMMAND...\n",
			stderr);
		return EXIT_FAULT;
	}
	if (read_program(argv[1]) < 0)
		return complain(argv[1]);
	if (strcmp(argv[2], "--time") == 0)
		return time_loads();
	argv += strcmp(argv[2], "--") == 0 ? 3 : 2;
	if (!*argv)
		return complain("no command");
	if (load() < 0)
		return complain("seccomp");
	execvp(*argv, argv);
	return complain(*argv);
}
