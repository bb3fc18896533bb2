/*
 * The status stream. Its reader may be slow, gone, or the one that waits for
 * us: it can delay the run by a second once, and lose the rest of the stream,
 * and nothing more. The descriptor's file is the caller's, so it is not made
 * non-blocking: that would show on every duplicate of it.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/sys.h"
#include "watch/status.h"

enum { PATIENCE_MS = 1000 };

static uint64_t now_ms(void)
{
	struct timespec now;

	sys_clock(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void status_init(struct status *status, int fd, const char *id)
{
	*status = (struct status){ .fd = fd, .id = id, .start_ms = now_ms() };
}

void status_done(struct status *status)
{
	arena_done(&status->arena);
}

uint64_t status_elapsed(const struct status *status)
{
	return now_ms() - status->start_ms;
}

struct json *status_begin(struct status *status, const char *event)
{
	struct json *json = &status->json;

	if (status->fd < 0)
		return NULL;
	if (status->line.arena == NULL)
		text_init(&status->line, &status->arena);
	status->line.length = 0;
	json_init(json, &status->line);
	json_open(json, NULL, '{');
	json_number(json, "v", 1);
	json_string(json, "event", event);
	json_number(json, "t", status_elapsed(status));
	if (status->id != NULL)
		json_string(json, "id", status->id);
	return json;
}

/* A pipe that polls writable takes PIPE_BUF bytes without blocking (pipe(7)),
 * so a longer line goes out in pieces. */
static int write_line(int fd, const char *bytes, size_t length)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };

	while (length != 0) {
		size_t piece = length < PIPE_BUF ? length : PIPE_BUF;
		ssize_t n;

		if (poll(&room, 1, PATIENCE_MS) <= 0)
			return -EAGAIN;
		n = write(fd, bytes, piece);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n < 0)
			return -errno;
		bytes += n;
		length -= (size_t)n;
	}
	return 0;
}

/* A reader that is gone must not kill us, and the command shall inherit the
 * caller's disposition of SIGPIPE: the signal is blocked, and taken away. */
void status_end(struct status *status)
{
	static const struct timespec at_once;
	sigset_t pipe, before;
	int error;

	json_close(&status->json, '}');
	text_add_char(&status->line, '\n');
	(void)sigemptyset(&pipe);
	(void)sigaddset(&pipe, SIGPIPE);
	(void)sigprocmask(SIG_BLOCK, &pipe, &before);
	error = write_line(status->fd, status->line.bytes, status->line.length);
	/* half a line, or a missing one, must be the last */
	if (error != 0)
		status->fd = -1;
	if (error == -EPIPE)
		(void)sigtimedwait(&pipe, NULL, &at_once);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
}

void status_write(struct status *status, const char *event, const char *members)
{
	if (status_begin(status, event) == NULL)
		return;
	if (*members != '\0')
		text_add_char(&status->line, ',');
	text_add(&status->line, members);
	status_end(status);
}
