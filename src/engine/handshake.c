/*
 * The conversation of supervisor and init. Both run the same program, but init
 * lives with what it confines: the supervisor believes nothing that the table
 * of kinds does not allow.
 */
#include <assert.h>
#include <errno.h>
#include <linux/sockios.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/io.h"
#include "engine/handshake.h"

enum side { FROM_INIT, FROM_SUPERVISOR };
enum body { BODY_NONE, BODY_FAULT, BODY_USAGE };
enum value { VALUE_NONE, VALUE_ANY, VALUE_SIGNAL };

static const struct rule {
	enum side side;
	enum body body;
	enum value value;
} rules[] = {
	[HELLO_FAULT] = { FROM_INIT, BODY_FAULT, VALUE_NONE },
	[HELLO_READY] = { FROM_INIT, BODY_NONE, VALUE_NONE },
	[HELLO_EXEC] = { FROM_INIT, BODY_NONE, VALUE_ANY },
	[HELLO_WATCH] = { FROM_INIT, BODY_NONE, VALUE_ANY },
	[HELLO_EXEC_FAILED] = { FROM_INIT, BODY_FAULT, VALUE_NONE },
	[HELLO_STOPPED] = { FROM_INIT, BODY_USAGE, VALUE_SIGNAL },
	[HELLO_TIMEOUT] = { FROM_INIT, BODY_NONE, VALUE_NONE },
	[HELLO_ENDED] = { FROM_INIT, BODY_USAGE, VALUE_ANY },
	[HELLO_GO] = { FROM_SUPERVISOR, BODY_NONE, VALUE_NONE },
	[HELLO_SIGNAL] = { FROM_SUPERVISOR, BODY_NONE, VALUE_SIGNAL },
	[HELLO_SIGNAL_JOB] = { FROM_SUPERVISOR, BODY_NONE, VALUE_SIGNAL },
	[HELLO_FOREGROUND] = { FROM_SUPERVISOR, BODY_NONE, VALUE_NONE },
};
static_assert(sizeof(rules) / sizeof(*rules) == HELLO_KINDS,
	      "every kind of message has its rule");

int handshake_send(int fd, const struct hello_message *message)
{
	ssize_t n = send(fd, message, sizeof(*message),
			 MSG_DONTWAIT | MSG_NOSIGNAL);

	return n < 0 ? -errno : 0;
}

int handshake_tell(int fd, enum hello kind, int value)
{
	struct hello_message message = { .kind = kind, .value = value };

	return handshake_send(fd, &message);
}

static void end_strings(struct fault *fault)
{
	fault->stage[sizeof(fault->stage) - 1] = '\0';
	fault->call[sizeof(fault->call) - 1] = '\0';
	fault->object[sizeof(fault->object) - 1] = '\0';
	fault->words[sizeof(fault->words) - 1] = '\0';
}

static bool is_permitted(bool from_init, struct hello_message *message)
{
	const struct rule *rule;

	if (message->kind >= HELLO_KINDS)
		return false;
	rule = &rules[message->kind];
	if (rule->side != (from_init ? FROM_INIT : FROM_SUPERVISOR))
		return false;
	if (rule->value == VALUE_NONE && message->value != 0)
		return false;
	if (rule->value == VALUE_SIGNAL &&
	    (message->value < 1 || message->value >= _NSIG))
		return false;
	if (rule->body == BODY_FAULT)
		end_strings(&message->body.fault);
	return true;
}

/* What a receive with MSG_TRUNC, which gives the length that was sent also when
 * that was longer, has brought. */
static int judge(ssize_t n, bool from_init, struct hello_message *message)
{
	if (n <= 0)
		/* a peer that died with words of ours unread is gone too */
		return n == 0 || errno == ECONNRESET ? 0 : -errno;
	if ((size_t)n != sizeof(*message) || !is_permitted(from_init, message))
		return -EPROTO;
	return 1;
}

int handshake_receive(int fd, bool from_init, struct hello_message *message)
{
	ssize_t n;

	do {
		n = recv(fd, message, sizeof(*message), MSG_TRUNC);
	} while (n < 0 && errno == EINTR);
	return judge(n, from_init, message);
}

union control {
	struct cmsghdr head;
	char room[CMSG_SPACE(HELLO_FDS * sizeof(int))];
};

int handshake_send_watch(int fd, const int fds[HELLO_FDS])
{
	struct hello_message message = { .kind = HELLO_WATCH };
	struct iovec body = { &message, sizeof(message) };
	size_t size = (fds[HELLO_NAMES] >= 0 ? HELLO_FDS : 1) * sizeof(int);
	union control control = { .head = {
					  .cmsg_level = SOL_SOCKET,
					  .cmsg_type = SCM_RIGHTS,
					  .cmsg_len = (unsigned)CMSG_LEN(size),
				  } };
	struct msghdr header = { .msg_iov = &body,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = (unsigned)CMSG_SPACE(size) };

	memcpy(CMSG_DATA(&control.head), fds, size);
	return sendmsg(fd, &header, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -errno
								     : 0;
}

static void close_fds(int fds[HELLO_FDS])
{
	for (size_t i = 0; i < HELLO_FDS; i++)
		fd_close(&fds[i]);
}

/* Another number of them is closed; more are cut off by the kernel. */
static bool take_fds(struct msghdr *header, int fds[HELLO_FDS])
{
	const struct cmsghdr *found = CMSG_FIRSTHDR(header);
	size_t count;

	for (size_t i = 0; i < HELLO_FDS; i++)
		fds[i] = -1;

	if (found == NULL || found->cmsg_level != SOL_SOCKET ||
	    found->cmsg_type != SCM_RIGHTS)
		return false;
	count = (found->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	memcpy(fds, CMSG_DATA(found), count * sizeof(int));
	if (count == HELLO_FDS || count == 1)
		return true;
	close_fds(fds);
	return false;
}

int handshake_receive_watch(int fd, struct hello_message *message,
			    int fds[HELLO_FDS])
{
	struct iovec body = { message, sizeof(*message) };
	union control control;
	struct msghdr header = { .msg_iov = &body,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control) };
	bool has_fds, is_meant;
	ssize_t n;
	int answer;

	do {
		n = recvmsg(fd, &header, MSG_TRUNC | MSG_CMSG_CLOEXEC);
	} while (n < 0 && errno == EINTR);
	answer = judge(n, true, message);
	has_fds = n > 0 && take_fds(&header, fds);
	is_meant = answer > 0 && message->kind == HELLO_WATCH &&
		   message->value == 0;
	if (has_fds == is_meant)
		return answer;
	if (has_fds)
		close_fds(fds);
	return answer < 0 ? answer : -EPROTO;
}

bool handshake_is_unread(int fd)
{
	int queued = 0;

	return ioctl(fd, SIOCOUTQ, &queued) == 0 && queued > 0;
}
