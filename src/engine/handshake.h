/*
 * What supervisor and init say to each other over one SEQPACKET pair: fixed
 * structs, exact sizes, each kind only from the side that may send it. Anything
 * else ends the conversation.
 */
#ifndef CORDON_ENGINE_HANDSHAKE_H
#define CORDON_ENGINE_HANDSHAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fault.h"

enum hello {
	/* init to supervisor */
	HELLO_FAULT, /* fault: the wall is not whole; init ends */
	HELLO_READY, /* the wall stands; waits for HELLO_GO */
	HELLO_EXEC,  /* the command runs; value: its pid inside */
	HELLO_WATCH, /* with HELLO_FDS descriptors to watch with; or value:
			      errno, why there are none */
	HELLO_EXEC_FAILED, /* fault of stage "exec"; init ends */
	HELLO_STOPPED,	   /* value: the signal that did it; usage.is_typed */
	HELLO_TIMEOUT,	   /* the time limit has passed; the end follows */
	HELLO_ENDED,	   /* value: raw wait status; usage; init ends */
	/* supervisor to init */
	HELLO_GO,	  /* start the command */
	HELLO_SIGNAL,	  /* value: signal for the command's process */
	HELLO_SIGNAL_JOB, /* value: signal for the command's process group */
	HELLO_FOREGROUND, /* take the terminal and continue */
	HELLO_KINDS,
};

struct hello_usage {
	uint64_t user_us, system_us;
	uint64_t peak_kib;  /* of the largest process */
	uint64_t left_over; /* processes killed after the command ended */
	uint64_t is_typed;  /* the terminal sent what ended or stopped it */
};

struct hello_message {
	uint32_t kind;
	int32_t value;
	union {
		struct fault fault;
		struct hello_usage usage;
	} body;
};

/* Descriptors that come with a HELLO_WATCH of value 0, in this order: all, or
 * the listener alone. */
enum { HELLO_LISTENER, HELLO_NAMES, HELLO_PROBE, HELLO_FDS };

/* Sends one message. Never blocks and never raises SIGPIPE: -EAGAIN when the
 * peer leaves too many unread, -EPIPE when it is gone. */
int handshake_send(int fd, const struct hello_message *message);

/* The same for the kinds without a body. */
int handshake_tell(int fd, enum hello kind, int value);

/* Waits for one message. Returns 1 for a message, 0 when the peer is gone,
 * -EPROTO for a wrong size, for a kind that the peer may not send (`from_init`
 * says who the peer is) or a value out of range, -errno otherwise. */
int handshake_receive(int fd, bool from_init, struct hello_message *message);

/* HELLO_WATCH with copies of the descriptors; the last two may be -1. */
int handshake_send_watch(int fd, const int fds[HELLO_FDS]);

/* handshake_receive from init that takes descriptors along: with a HELLO_WATCH
 * of value 0 they are in fds, owned by the caller, -1 for those that did not
 * come. */
int handshake_receive_watch(int fd, struct hello_message *message,
			    int fds[HELLO_FDS]);

/* Whether the peer has left something unread. */
bool handshake_is_unread(int fd);

#endif
