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

int handshake_receive(int fd, bool from_init, struct hello_message *message)
{
	ssize_t n;

	do {
		/* MSG_TRUNC: the length that was sent, also when longer */
		n = recv(fd, message, sizeof(*message), MSG_TRUNC);
	} while (n < 0 && errno == EINTR);
	if (n <= 0)
		/* a peer that died with words of ours unread is gone too */
		return n == 0 || errno == ECONNRESET ? 0 : -errno;
	if ((size_t)n != sizeof(*message) || !is_permitted(from_init, message))
		return -EPROTO;
	return 1;
}

bool handshake_is_unread(int fd)
{
	int queued = 0;

	return ioctl(fd, SIOCOUTQ, &queued) == 0 && queued > 0;
}
