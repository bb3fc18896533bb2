/*
 * The lookout. What a call points to may be changed by another thread between
 * this reading and the kernel's: then the report is wrong, and the wall is
 * where it was, because only the filter's own answer, to the numbers that the
 * kernel has copied, lets a call go on.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/bpf.h"
#include "base/io.h"
#include "engine/engine.h"
#include "plan/plan.h"
#include "watch/asker.h"
#include "watch/calls.h"
#include "watch/files.h"
#include "watch/lookout.h"
#include "watch/tell.h"

/* Linux 6.6: the answer wakes the caller on this processor, at once. */
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#	define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#endif
#ifndef SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP
#	define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

/* The kernel's; glibc has another name for it. */
#ifndef MSG_PROBE
#	define MSG_PROBE 0x10
#endif

enum { MESSAGES = 64, DNS_PORT = 53, OBJECT_ROOM = 80, ERRNO_MAX = 4095 };

/* A destination as the call gave it. */
struct target {
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
		struct sockaddr_storage room;
	} address;
	socklen_t length;
	bool is_send;
};

/* The request is an int for musl, an unsigned long for glibc and 32 bits for
 * the kernel. */
static int control(const struct lookout *lookout, unsigned request,
		   void *argument)
{
	return ioctl(lookout->listener, (int)request, argument);
}

void lookout_init(struct lookout *lookout, struct status *status,
		  const struct plan *plan)
{
	*lookout = (struct lookout){
		.plan = plan,
		.listener = -1,
		.probe = -1,
		.names.fd = -1,
		.denied.status = status,
	};
}

void lookout_take(struct lookout *lookout, const int take_fds[HELLO_FDS],
		  pid_t init)
{
	lookout_done(lookout);
	lookout->listener = take_fds[HELLO_LISTENER];
	lookout->probe = take_fds[HELLO_PROBE];
	lookout->names.fd = take_fds[HELLO_NAMES];
	lookout->names.init = init;
	(void)control(lookout, SECCOMP_IOCTL_NOTIF_SET_FLAGS,
		      (void *)SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
	lookout->is_deaf = plan_find(lookout->plan, OP_WATCH)->flags &
				   WATCH_CALLS &&
			   !engine_hears_denials(lookout->plan);
	if (lookout->is_deaf)
		tell_note(lookout->denied.status, lookout->plan, "unwatched",
			  "calls that the filter denies are not told: it is "
			  "too long, or decides about what starts the command");
}

/* What the network inside says to this destination, and then the socket
 * forgets it and its port. Nothing is sent: connecting a datagram socket only
 * looks for a route, and MSG_PROBE with no bytes does no more. Linux tells the
 * two apart for multicast, which a send may leave to any interface. */
static int ask_network(int probe, const struct target *target)
{
	const struct sockaddr nothing = { .sa_family = AF_UNSPEC };
	const struct sockaddr *address = &target->address.any;
	int error = 0;

	if (target->is_send) {
		if (sendto(probe, "", 0, MSG_CONFIRM | MSG_PROBE | MSG_DONTWAIT,
			   address, target->length) < 0)
			error = errno;
	} else if (connect(probe, address, target->length) != 0) {
		error = errno;
	}
	(void)connect(probe, &nothing, sizeof(nothing));
	return error;
}

/* Other errors are mistakes of the caller's, which it would meet outside too. */
static bool is_wall(int error)
{
	return error == ENETUNREACH || error == EHOSTUNREACH ||
	       error == EADDRNOTAVAIL || error == ENODEV;
}

static bool is_internet(const struct target *target)
{
	size_t least = 0;

	if (target->length < sizeof(sa_family_t))
		return false;
	if (target->address.any.sa_family == AF_INET)
		least = sizeof(struct sockaddr_in);
	else if (target->address.any.sa_family == AF_INET6)
		least = offsetof(struct sockaddr_in6, sin6_scope_id);
	return least != 0 && target->length >= least;
}

/* A destination of IPv4 has one spelling, from a socket of either family. */
static in_port_t spell(const struct target *target, char object[OBJECT_ROOM])
{
	const struct sockaddr_in6 *v6 = &target->address.v6;
	in_port_t port = ntohs(target->address.v4.sin_port);
	char name[INET6_ADDRSTRLEN];
	const void *v4 = &target->address.v4.sin_addr;

	if (v6->sin6_family == AF_INET6) {
		port = ntohs(v6->sin6_port);
		v4 = &v6->sin6_addr.s6_addr[12];
	}
	if (v6->sin6_family != AF_INET6 ||
	    IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr)) {
		(void)inet_ntop(AF_INET, v4, name, sizeof(name));
		(void)snprintf(object, OBJECT_ROOM, "%s:%u", name, port);
		return port;
	}
	(void)inet_ntop(AF_INET6, &v6->sin6_addr, name, sizeof(name));
	if (v6->sin6_scope_id != 0)
		(void)snprintf(object, OBJECT_ROOM, "[%s%%%u]:%u", name,
			       v6->sin6_scope_id, port);
	else
		(void)snprintf(object, OBJECT_ROOM, "[%s]:%u", name, port);
	return port;
}

static bool is_there(const struct lookout *lookout,
		     const struct seccomp_notif *notice)
{
	__u64 id = notice->id;

	return control(lookout, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

/* The number of a thread that has ended may be another's: all that was read
 * counts only while the call still waits. */
static void add(struct lookout *lookout, const struct seccomp_notif *notice,
		struct denial *denial)
{
	struct asker asker;

	if (asker_find((pid_t)notice->pid, &asker) == 0) {
		denial->pid = asker.inside;
		denial->outside = asker.outside;
		denial->command = asker.command;
	}
	if (is_there(lookout, notice))
		denied_add(&lookout->denied, denial);
}

static void judge(struct lookout *lookout, const struct seccomp_notif *notice,
		  const struct target *target)
{
	char object[OBJECT_ROOM];
	struct denial denial = { .operation = target->is_send ? "send"
							      : "connect",
				 .object = object,
				 .rule = "--net none",
				 .allow = "--net host" };
	struct asker asker;
	in_port_t port;

	if (!is_internet(target))
		return;
	denial.error = ask_network(lookout->probe, target);
	port = spell(target, object);
	if (!is_wall(denial.error) && port != DNS_PORT)
		return;
	if (is_wall(denial.error))
		add(lookout, notice, &denial);
	else if (is_there(lookout, notice) &&
		 asker_find((pid_t)notice->pid, &asker) == 0)
		names_expect(&lookout->names, asker.outside);
}

static bool read_memory(struct lookout *lookout,
			const struct seccomp_notif *notice, uint64_t address,
			void *bytes, size_t length)
{
	ssize_t n = asker_read((pid_t)notice->pid,
			       (const void *)(uintptr_t)address, bytes, length);

	if (n == -EPERM || n == -EACCES)
		lookout->is_blind = true;
	return n == (ssize_t)length;
}

/* The length is an int for the kernel, and what is too long is an error. */
static void look_at(struct lookout *lookout, const struct seccomp_notif *notice,
		    uint64_t address, uint64_t length, bool is_send)
{
	struct target target = { .is_send = is_send,
				 .length = (socklen_t)length };

	if (target.length > sizeof(target.address) ||
	    !read_memory(lookout, notice, address, &target.address,
			 target.length))
		return;
	judge(lookout, notice, &target);
}

static void look_at_message(struct lookout *lookout,
			    const struct seccomp_notif *notice,
			    uint64_t address)
{
	struct msghdr header;

	if (read_memory(lookout, notice, address, &header, sizeof(header)) &&
	    header.msg_name != NULL)
		look_at(lookout, notice, (uintptr_t)header.msg_name,
			header.msg_namelen, true);
}

static void look_at_file(struct lookout *lookout,
			 const struct seccomp_notif *notice)
{
	struct denial denial = { .kind = DENIED_FILE };

	if (files_judge(lookout->plan, &lookout->arena, (pid_t)notice->pid,
			&notice->data, &denial))
		add(lookout, notice, &denial);
	arena_rewind(&lookout->arena);
}

static void look(struct lookout *lookout, const struct seccomp_notif *notice)
{
	const __u64 *args = notice->data.args;

	switch (notice->data.nr) {
	case SYS_connect:
		look_at(lookout, notice, args[1], args[2], false);
		break;
	case SYS_sendto:
		look_at(lookout, notice, args[4], args[5], true);
		break;
	case SYS_sendmsg:
		look_at_message(lookout, notice, args[1]);
		break;
	case SYS_sendmmsg:
		for (uint32_t i = 0; i < (uint32_t)args[2] && i < MESSAGES; i++)
			look_at_message(lookout, notice,
					args[1] + i * sizeof(struct mmsghdr));
		break;
	default:
		look_at_file(lookout, notice);
	}
}

static void look_at_denied(struct lookout *lookout,
			   const struct seccomp_notif *notice, int error,
			   unsigned words)
{
	struct denial denial = { .kind = DENIED_CALL,
				 .operation = "call",
				 .error = error };

	calls_describe(lookout->plan, &lookout->arena, &notice->data, words,
		       &denial);
	add(lookout, notice, &denial);
	arena_rewind(&lookout->arena);
}

/* The filter's errno; whatever else does not let a call go on denies it, too. */
static int errno_of(uint32_t action)
{
	uint32_t number = action & SECCOMP_RET_DATA;

	if ((action & SECCOMP_RET_ACTION_FULL) != SECCOMP_RET_ERRNO)
		return EPERM;
	return number < ERRNO_MAX ? (int)number : ERRNO_MAX;
}

/* The one place that decides whether a call goes on: only where the policy's
 * own filter says so. */
static void heed_one(struct lookout *lookout)
{
	struct seccomp_notif notice = { 0 };
	struct seccomp_notif_resp answer = { 0 };
	uint32_t action;
	unsigned words;

	/* ENOENT: it was killed, or a signal took it away, in between */
	if (control(lookout, SECCOMP_IOCTL_NOTIF_RECV, &notice) != 0)
		return;
	action = engine_judge_call(lookout->plan, &notice.data, &words);
	answer.id = notice.id;
	if (bpf_passes(action)) {
		answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
		look(lookout, &notice);
	} else {
		answer.error = -errno_of(action);
		look_at_denied(lookout, &notice, -answer.error, words);
	}
	(void)control(lookout, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

void lookout_heed(struct lookout *lookout)
{
	struct pollfd news = { .fd = lookout->listener, .events = POLLIN };

	if (poll(&news, 1, 0) <= 0)
		return;
	if (news.revents & POLLIN)
		heed_one(lookout);
	else
		fd_close(&lookout->listener);
}

void lookout_finish(struct lookout *lookout)
{
	if (lookout->names.fd >= 0)
		names_answer(&lookout->names, &lookout->denied);
	if (lookout->is_blind)
		tell_note(lookout->denied.status, lookout->plan, "unwatched",
			  "not everything that was denied is told: the memory "
			  "of some program may not be read");
	denied_finish(&lookout->denied, lookout->plan);
}

void lookout_done(struct lookout *lookout)
{
	fd_close(&lookout->listener);
	fd_close(&lookout->probe);
	fd_close(&lookout->names.fd);
	arena_done(&lookout->arena);
}
