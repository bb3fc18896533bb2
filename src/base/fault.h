/*
 * One failure while the wall was built: where, what, errno and, where the
 * mount API gave them, the kernel's own words. Fixed size, so that it crosses
 * the handshake in one message; says nothing by itself.
 */
#ifndef CORDON_BASE_FAULT_H
#define CORDON_BASE_FAULT_H

#include <stdint.h>

struct fault {
	int32_t error;	  /* errno, positive; 0 means no fault */
	char stage[24];	  /* engine stage or operation: "bind", "clone" */
	char call[40];	  /* what failed: a system call, or a few words */
	char object[256]; /* path or name it was about, cut if longer */
	char words[256];  /* the kernel's words, or empty */
};

/* Where a call is not at fault but what it found. */
#define FAULT_REPLACED "another object took the place of"
#define FAULT_LOST     "the mount is not found again at"

/* Fills the fault and returns -error, so that a failing function ends with
 * `return fault_set(...)`. `error` may be negative or positive. */
int fault_set(struct fault *fault, const char *call, const char *object,
	      int error);

/* Copies with an end; the text may be cut. */
void fault_copy(char *to, unsigned long room, const char *from);

/* "EPERM" for 1; the number in digits when it has no name here. */
const char *fault_errno_name(int error);

#endif
