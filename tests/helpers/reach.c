/*
 * reach HOW HOST PORT [COUNT [THREADS]]: tries to reach an address, numeric, so
 * many times in so many threads, and prints how often which errno came, one
 * line each ("ENETUNREACH 1000"). HOW is a call that carries an address:
 * connect, sendto, sendmsg or sendmmsg; `forked' is connect in forked
 * processes, one each, and `signals' is connect while a timer interrupts.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ERRORS = 200, THREADS_MAX = 64, TICK_US = 200 };

static struct {
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	} to;
	socklen_t length;
	const char *how;
	int count;
	int seen[ERRORS];
	volatile sig_atomic_t ticks;
} reach;

static void set_address(const char *host, const char *port)
{
	in_port_t number = htons((uint16_t)strtol(port, NULL, 10));

	if (inet_pton(AF_INET, host, &reach.to.v4.sin_addr) == 1) {
		reach.to.v4.sin_family = AF_INET;
		reach.to.v4.sin_port = number;
		reach.length = sizeof(reach.to.v4);
	} else if (inet_pton(AF_INET6, host, &reach.to.v6.sin6_addr) == 1) {
		reach.to.v6.sin6_family = AF_INET6;
		reach.to.v6.sin6_port = number;
		reach.length = sizeof(reach.to.v6);
	}
}

static bool is_how(const char *word)
{
	return strcmp(reach.how, word) == 0;
}

static int call(int fd)
{
	char byte = 'x';
	struct iovec body = { &byte, 1 };
	struct mmsghdr message = { .msg_hdr = {
					   .msg_name = &reach.to,
					   .msg_namelen = reach.length,
					   .msg_iov = &body,
					   .msg_iovlen = 1,
				   } };

	if (is_how("sendto"))
		return (int)sendto(fd, &byte, 1, 0, &reach.to.any,
				   reach.length);
	if (is_how("sendmsg"))
		return (int)sendmsg(fd, &message.msg_hdr, 0);
	if (is_how("sendmmsg"))
		return sendmmsg(fd, &message, 1, 0);
	return connect(fd, &reach.to.any, reach.length);
}

static int try_once(void)
{
	int fd = socket(reach.to.any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int error = 0;

	if (fd < 0)
		return errno;
	if (call(fd) < 0)
		error = errno;
	(void)close(fd);
	return error;
}

static void *try_all(void *unused)
{
	for (int i = 0; i < reach.count; i++)
		__atomic_fetch_add(&reach.seen[try_once() % ERRORS], 1,
				   __ATOMIC_RELAXED);
	return unused;
}

static void in_processes(void)
{
	int status;

	for (int i = 0; i < reach.count; i++) {
		pid_t child = fork();

		if (child == 0)
			_exit(try_once());
		if (child < 0)
			reach.seen[errno]++;
	}
	while (wait(&status) > 0)
		reach.seen[WIFEXITED(status) ? WEXITSTATUS(status) : 199]++;
}

static void in_threads(int count)
{
	pthread_t threads[THREADS_MAX];

	for (int i = 0; i < count; i++)
		(void)pthread_create(&threads[i], NULL, try_all, NULL);
	for (int i = 0; i < count; i++)
		(void)pthread_join(threads[i], NULL);
}

static void tick(int signal)
{
	(void)signal;
	reach.ticks++;
}

static void start_ticks(void)
{
	struct sigaction action = { .sa_handler = tick,
				    .sa_flags = SA_RESTART };
	struct itimerval every = { { 0, TICK_US }, { 0, TICK_US } };

	(void)sigaction(SIGALRM, &action, NULL);
	(void)setitimer(ITIMER_REAL, &every, NULL);
}

int main(int argc, char **argv)
{
	int threads = argc > 5 ? atoi(argv[5]) : 1;

	if (argc < 4 || threads < 1 || threads > THREADS_MAX)
		return 2;
	reach.how = argv[1];
	reach.count = argc > 4 ? atoi(argv[4]) : 1;
	set_address(argv[2], argv[3]);
	if (is_how("signals"))
		start_ticks();
	if (is_how("forked"))
		in_processes();
	else if (threads == 1)
		(void)try_all(NULL);
	else
		in_threads(threads);
	for (int i = 0; i < ERRORS; i++) {
		if (reach.seen[i] != 0)
			(void)printf("%s %d\n",
				     i == 0 ? "ok" : strerrorname_np(i),
				     reach.seen[i]);
	}
	if (is_how("signals"))
		(void)printf("ticks %s\n", reach.ticks > 0 ? "some" : "none");
	return 0;
}
