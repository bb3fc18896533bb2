/*
 * Talking to a process over pipes. Whatever else it says meanwhile is read too,
 * so that neither side ever waits for the other's full pipe.
 */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/io.h"
#include "base/proc.h"
#include "inspect/inspect.h"
#include "inspect/talk.h"

enum { PATIENCE_MS = 20000, PIECE = 4096 };

static volatile sig_atomic_t interrupted;

static void note_signal(int number)
{
	if (number != SIGPIPE)
		interrupted = 1;
}

/* Handlers, not SIG_IGN: they end with exec. */
void talk_watch_signals(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
	struct sigaction action = { .sa_handler = note_signal };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		(void)sigaction(numbers[i], &action, NULL);
}

bool talk_is_interrupted(void)
{
	return interrupted != 0;
}

struct start {
	const char *const *argv;
	const int *passed;
	int in, out, err;
	int error;
};

/* Shares check's memory until exec, and not its descriptors. */
static int start(void *argument)
{
	struct start *given = argument;

	if (dup2(given->in, 0) < 0 || dup2(given->out, 1) < 0 ||
	    dup2(given->err, 2) < 0) {
		given->error = errno;
		return 127;
	}
	for (int i = 0; i < TALK_PASSED; i++) {
		if (given->passed[i] >= 0)
			(void)fcntl(given->passed[i], F_SETFD, 0);
	}
	/* execve changes none. NOLINTNEXTLINE(performance-no-int-to-ptr) */
	(void)execve(given->argv[0], (char *const *)(uintptr_t)given->argv,
		     environ);
	given->error = errno;
	return 127;
}

static int spawn(struct talk *talk, struct start *given)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, err[2] = { -1, -1 };
	int error = 0;

	if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 ||
	    pipe2(err, O_CLOEXEC) != 0)
		error = errno;
	given->in = in[0];
	given->out = out[1];
	given->err = err[1];
	talk->to = in[1];
	talk->from = out[0];
	talk->errors = err[0];
	if (error == 0)
		talk->pid = proc_spawn(start, given, 0);
	fd_close(&in[0]);
	fd_close(&out[1]);
	fd_close(&err[1]);
	if (error == 0 && talk->pid < 0)
		error = -talk->pid;
	return -(error != 0 ? error : given->error);
}

int talk_start(struct talk *talk, struct arena *arena, const char *const *argv,
	       const int passed[TALK_PASSED], int take_events)
{
	struct start given = { .argv = argv, .passed = passed };
	int err;

	*talk = (struct talk){ .arena = arena, .pid = -1, .events = -1 };
	text_init(&talk->said, arena);
	text_init(&talk->complaints, arena);
	text_init(&talk->told, arena);
	err = spawn(talk, &given);
	talk->events = take_events;
	if (err != 0)
		(void)talk_end(talk);
	return err;
}

/* A descriptor that ends is closed. */
static void drain(int *fd, short ready, struct text *into)
{
	char bytes[PIECE];
	ssize_t n;

	if (*fd < 0 || ready == 0)
		return;
	n = read(*fd, bytes, sizeof(bytes));
	if (n > 0)
		text_add_bytes(into, bytes, (size_t)n);
	else if (n == 0 || errno != EINTR)
		fd_close(fd);
}

/* Reads once from whatever has something; -EPIPE when nothing is left to. */
static int listen_once(struct talk *talk, long until)
{
	struct pollfd from[] = {
		{ .fd = talk->from, .events = POLLIN },
		{ .fd = talk->errors, .events = POLLIN },
		{ .fd = talk->events, .events = POLLIN },
	};
	long left = until - inspect_now_ms();
	int n;

	if (talk->from < 0 && talk->errors < 0 && talk->events < 0)
		return -EPIPE;
	if (interrupted)
		return -EINTR;
	n = poll(from, 3, left > 0 ? (int)left : 0);
	if (n < 0)
		return errno == EINTR && !interrupted ? 0 : -errno;
	if (n == 0)
		return -ETIMEDOUT;
	drain(&talk->from, from[0].revents, &talk->said);
	drain(&talk->errors, from[1].revents, &talk->complaints);
	drain(&talk->events, from[2].revents, &talk->told);
	return 0;
}

/* A whole line behind *at, without its end; NULL when there is none yet. */
static const char *take_line(struct talk *talk, struct text *text, size_t *at)
{
	const char *line = text->bytes + *at;
	const char *end;

	if (text->length == *at)
		return NULL;
	end = memchr(line, '\n', text->length - *at);
	if (end == NULL)
		return NULL;
	*at += (size_t)(end - line) + 1;
	return arena_strndup(talk->arena, line, (size_t)(end - line));
}

static int send_words(struct talk *talk, const char *const *words)
{
	struct text text;

	text_init(&text, talk->arena);
	for (; *words != NULL; words++)
		text_add_bytes(&text, *words, strlen(*words) + 1);
	text_add_bytes(&text, "", 1);
	return talk->to < 0 ? -EPIPE
			    : io_write_all(talk->to, text.bytes, text.length);
}

int talk_ask(struct talk *talk, const char *const *words, const char **answer)
{
	long until = inspect_now_ms() + PATIENCE_MS;
	const char *line = NULL;
	int err = send_words(talk, words);

	while (err == 0) {
		line = take_line(talk, &talk->said, &talk->heard);
		if (line != NULL)
			break;
		err = talk->from < 0 ? -EPIPE : listen_once(talk, until);
	}
	if (err == 0)
		*answer = line;
	return err;
}

struct json_object *talk_event(struct talk *talk)
{
	long until = inspect_now_ms() + PATIENCE_MS;
	const char *line;

	while ((line = take_line(talk, &talk->told, &talk->seen)) == NULL) {
		if (talk->events < 0 || listen_once(talk, until) != 0)
			return NULL;
	}
	return json_tokener_parse(line);
}

/* What does not end by itself is killed; the sandbox ends with its launcher. */
static int await(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int talk_end(struct talk *talk)
{
	long until = inspect_now_ms() + PATIENCE_MS;
	int err = 0;

	fd_close(&talk->to);
	while (err == 0)
		err = listen_once(talk, until);
	fd_close(&talk->from);
	fd_close(&talk->errors);
	fd_close(&talk->events);
	if (talk->pid <= 0)
		return -ESRCH;
	if (err != -EPIPE)
		(void)kill(talk->pid, SIGKILL);
	return await(talk->pid);
}
