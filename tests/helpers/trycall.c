/*
 * trycall [--i386|--x32] CALL [ARG...]: makes one system call and prints
 * "ok RESULT" or the name of its errno. CALL is a name or a number, an ARG a
 * number (0 when missing) or @, which points to a page of zeros below 4 GiB.
 *
 * A call may end, stop or replace the process that makes it, so it is made in
 * a child with a timer, in a session of its own; what happened to the child
 * is printed instead: "exit STATUS" or "signal NUMBER", 14 for a call that
 * blocked. The exit status tells only whether the words made sense.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	ARGUMENTS = 6,
	PATIENCE = 200000,
	X32_BIT = 0x40000000,
	ERRNO_MAX = 4095
};

static const struct {
	const char *name;
	long number;
} names[] = {
#include "callnames.h" /* from <sys/syscall.h>: see seccomp/local.mk */
	/* Newer than the headers of Debian 12; the same on every machine. */
	{ "cachestat", 451 },	      { "fchmodat2", 452 },
	{ "map_shadow_stack", 453 },  { "futex_wake", 454 },
	{ "futex_wait", 455 },	      { "futex_requeue", 456 },
	{ "statmount", 457 },	      { "listmount", 458 },
	{ "lsm_get_self_attr", 459 }, { "lsm_set_self_attr", 460 },
	{ "lsm_list_modules", 461 },  { "mseal", 462 },
	{ "setxattrat", 463 },	      { "getxattrat", 464 },
	{ "listxattrat", 465 },	      { "removexattrat", 466 },
	{ "open_tree_attr", 467 },    { "file_getattr", 468 },
	{ "file_setattr", 469 },      { "listns", 470 },
	{ "rseq_slice_yield", 471 },
};

struct call {
	bool i386;
	long number;
	unsigned long arguments[ARGUMENTS];
};

/* In memory that the child shares. */
struct answer {
	bool returned;
	long result;
};

static bool find_number(const char *word, long *number)
{
	char *end;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(names[i].name, word) == 0) {
			*number = names[i].number;
			return true;
		}
	}
	*number = strtol(word, &end, 0);
	return *word && !*end;
}

#if defined(__x86_64__)

/* Without libc's wrapper: after vfork it would return on a stack that the
 * child has used. */
static long call_native(const struct call *call)
{
	register unsigned long r10 __asm__("r10") = call->arguments[3];
	register unsigned long r8 __asm__("r8") = call->arguments[4];
	register unsigned long r9 __asm__("r9") = call->arguments[5];
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(call->number), "D"(call->arguments[0]),
			   "S"(call->arguments[1]), "d"(call->arguments[2]),
			   "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

/* The sixth argument would be in the frame pointer; no test needs it. A
 * kernel without 32-bit programs raises SIGSEGV. */
static long call_i386(const struct call *call)
{
	int result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "0"((int)call->number), "b"(call->arguments[0]),
			   "c"(call->arguments[1]), "d"(call->arguments[2]),
			   "S"(call->arguments[3]), "D"(call->arguments[4])
			 : "r8", "r9", "r10", "r11", "memory");
	return result;
}

#else

static long call_native(const struct call *call)
{
	const unsigned long *a = call->arguments;
	long result = syscall(call->number, a[0], a[1], a[2], a[3], a[4], a[5]);

	return result == -1 ? -errno : result;
}

static long call_i386(const struct call *call)
{
	(void)call;
	return -ENOSYS;
}

#endif

/* In the child. A call that forks returns in a grandchild too, which must
 * leave no answer. */
__attribute__((noreturn)) static void make(const struct call *call,
					   struct answer *answer)
{
	const struct itimerval patience = { .it_value.tv_usec = PATIENCE };
	const pid_t self = getpid();
	long result;

	setsid();
	setitimer(ITIMER_REAL, &patience, NULL);
	result = call->i386 ? call_i386(call) : call_native(call);
	if (syscall(SYS_getpid) == self) {
		answer->result = result;
		answer->returned = true;
	}
	_exit(0);
}

static void print_answer(const struct answer *answer, int status)
{
	const char *name;

	if (!answer->returned) {
		if (WIFSIGNALED(status))
			(void)printf("signal %d\n", WTERMSIG(status));
		else
			(void)printf("exit %d\n", WEXITSTATUS(status));
		return;
	}
	if (answer->result >= 0 || answer->result < -ERRNO_MAX) {
		(void)printf("ok %ld\n", answer->result);
		return;
	}
	name = strerrorname_np((int)-answer->result);
	if (name)
		(void)puts(name);
	else
		(void)printf("errno %ld\n", -answer->result);
}

/* Returns the words left, or NULL when they make no sense. */
static char **parse(struct call *call, char **words)
{
	long flag = 0;

	if (*words && strcmp(*words, "--i386") == 0) {
		call->i386 = true;
		words++;
	} else if (*words && strcmp(*words, "--x32") == 0) {
		flag = X32_BIT;
		words++;
	}
	if (!*words || !find_number(*words, &call->number))
		return NULL;
	call->number |= flag;
	return words + 1;
}

static bool parse_arguments(struct call *call, char **words, const void *page)
{
	size_t count = 0;

	for (; *words; words++) {
		char *end = *words + 1;

		if (count == ARGUMENTS)
			return false;
		call->arguments[count++] =
			strcmp(*words, "@") == 0
				? (unsigned long)page
				: (unsigned long)strtoull(*words, &end, 0);
		if (*end)
			return false;
	}
	return true;
}

static void *map(int flags)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			  MAP_ANONYMOUS | flags, -1, 0);

	if (page == MAP_FAILED) {
		perror("trycall: mmap");
		exit(2);
	}
	return page;
}

int main(int argc, char **argv)
{
#ifdef MAP_32BIT
	void *page = map(MAP_PRIVATE | MAP_32BIT);
#else
	void *page = map(MAP_PRIVATE);
#endif
	struct answer *answer = map(MAP_SHARED);
	struct call call = { 0 };
	char **words = argc > 0 ? parse(&call, argv + 1) : NULL;
	int status = 0;
	pid_t child;

	if (!words || !parse_arguments(&call, words, page)) {
		(void)fputs("usage: trycall [--i386|--x32] CALL [ARG...]\n",
			    stderr);
		return 2;
	}
	child = fork();
	if (child == 0)
		make(&call, answer);
	if (child < 0 || waitpid(child, &status, 0) < 0) {
		perror("trycall: fork");
		return 2;
	}
	print_answer(answer, status);
	return 0;
}
