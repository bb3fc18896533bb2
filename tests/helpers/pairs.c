/*
 * pairs [-p N] ROUNDS SEP COMMAND... [SEP COMMAND...]
 *
 * Times whole commands side by side: each round runs every command once, in
 * turn, so that noise of the machine falls on all of them. Prints the median of
 * each in microseconds, one a line. SEP is the first word behind ROUNDS. With
 * -p N each turn starts N copies at once and waits for all of them.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_COMMANDS = 16, MAX_COPIES = 64 };

static double now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (double)at.tv_sec * 1e6 + (double)at.tv_nsec / 1e3;
}

static pid_t start(char **command)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int err;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	err = posix_spawnp(&pid, command[0], &actions, NULL, command, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (err == 0)
		return pid;
	fprintf(stderr, "pairs: %s: %s\n", command[0], strerror(err));
	exit(2);
}

static double turn(char **command, int copies)
{
	pid_t pids[MAX_COPIES];
	double begin = now();
	int status;

	for (int i = 0; i < copies; i++)
		pids[i] = start(command);
	for (int i = 0; i < copies; i++) {
		while (waitpid(pids[i], &status, 0) < 0 && errno == EINTR)
			;
		if (status == 0)
			continue;
		fprintf(stderr, "pairs: %s: wait status %d\n", command[0],
			status);
		exit(2);
	}
	return now() - begin;
}

static int compare(const void *a, const void *b)
{
	const double *one = a, *two = b;

	return *one < *two ? -1 : *one > *two;
}

/* Cuts the words into commands at each separator. */
static int split(char **words, char **commands[])
{
	char separator[16];
	int count = 0;

	snprintf(separator, sizeof(separator), "%s", words[0]);
	for (char **at = words; *at != NULL; at++) {
		if (strcmp(*at, separator) != 0)
			continue;
		*at = NULL;
		if (count == MAX_COMMANDS || at[1] == NULL)
			return -1;
		commands[count++] = at + 1;
	}
	return count;
}

int main(int argc, char **argv)
{
	char **commands[MAX_COMMANDS];
	int copies = 1, rounds, count;
	double *times;

	if (argc > 2 && strcmp(argv[1], "-p") == 0) {
		copies = atoi(argv[2]);
		argv += 2;
		argc -= 2;
	}
	if (argc < 4 || copies < 1 || copies > MAX_COPIES)
		return 2;
	rounds = atoi(argv[1]);
	count = split(argv + 2, commands);
	if (count < 1 || rounds < 1)
		return 2;
	times = calloc((size_t)count * (size_t)rounds, sizeof(*times));
	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < count; i++)
			times[i * rounds + round] = turn(commands[i], copies);
	}
	for (int i = 0; i < count; i++) {
		qsort(times + i * rounds, (size_t)rounds, sizeof(*times),
		      compare);
		printf("%.1f\n", times[i * rounds + rounds / 2]);
	}
	return 0;
}
