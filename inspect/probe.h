/*
 * The probe: cordon-inspect itself, inside the sandbox and, for the controls,
 * outside. It knows no plan; it makes one attempt after the other as it is told
 * and says what came of it, in one word.
 */
#ifndef CORDON_INSPECT_PROBE_H
#define CORDON_INSPECT_PROBE_H

#include <stdint.h>

/* An attempt with its arguments, of which missing ones are empty. Returns a word
 * that lives until the next attempt. */
typedef const char *probe_attempt(const char *const *arguments);

enum { PROBE_ARGUMENTS = 6 };

/* The answer of an attempt that could not be made. */
#define PROBE_NOT_TRIED "not-tried"

/* What an attempt that gives 0 or an errno comes to. In a child, so that a filter
 * that ends who makes it ends no more ("killed"); here where none can be had. */
const char *probe_try(int (*attempt)(const char *const *arguments),
		      const char *const *arguments);

/* Type and mode of an object, and of a file size and time; lives until the next. */
const char *probe_look_of(const char *path);

/* How many filters a process has, from /proc/self/status; "" where the kernel
 * does not say (before 5.9). */
const char *probe_count_filters(void);

/* "0" for 0, else the name of the errno; err is negative or positive. */
const char *probe_answer(int err);

/* A number of at most `most`, or `most` for what is none. */
unsigned long probe_number(const char *word, unsigned long most);

/* probe_net.c */
probe_attempt probe_tcp, probe_udp, probe_ping, probe_far_tcp, probe_far_udp;
probe_attempt probe_far_ping, probe_lookup, probe_own_tcp, probe_abstract;
probe_attempt probe_unix;

/* probe_kernel.c */
probe_attempt probe_signal, probe_pidns, probe_fd, probe_fds, probe_space;
probe_attempt probe_tiocsti, probe_key_listed, probe_key_found, probe_unshare;
probe_attempt probe_clone, probe_call, probe_call_apart, probe_seccomp;
probe_attempt probe_filters, probe_nnp, probe_caps;

#endif
