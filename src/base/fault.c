/*
 * Failures as data.
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/fault.h"

static_assert(sizeof(FAULT_REPLACED) <= sizeof(((struct fault *)0)->call) &&
		      sizeof(FAULT_LOST) <= sizeof(((struct fault *)0)->call),
	      "said whole, and found by its hint");

void fault_copy(char *to, unsigned long room, const char *from)
{
	if (memccpy(to, from, '\0', room) == NULL)
		to[room - 1] = '\0';
}

int fault_set(struct fault *fault, const char *call, const char *object,
	      int error)
{
	fault->error = error < 0 ? -error : error;
	fault_copy(fault->call, sizeof(fault->call), call);
	fault_copy(fault->object, sizeof(fault->object), object);
	return -fault->error;
}

#define NAME(e)       \
	{             \
		e, #e \
	}
static const struct {
	int error;
	const char *name;
} names[] = {
	NAME(EPERM),	       NAME(ENOENT),	   NAME(ESRCH),
	NAME(EINTR),	       NAME(EIO),	   NAME(ENXIO),
	NAME(E2BIG),	       NAME(ENOEXEC),	   NAME(EBADF),
	NAME(ECHILD),	       NAME(EAGAIN),	   NAME(ENOMEM),
	NAME(EACCES),	       NAME(EFAULT),	   NAME(EBUSY),
	NAME(EEXIST),	       NAME(EXDEV),	   NAME(ENODEV),
	NAME(ENOTDIR),	       NAME(EISDIR),	   NAME(EINVAL),
	NAME(ENFILE),	       NAME(EMFILE),	   NAME(ENOTTY),
	NAME(ETXTBSY),	       NAME(EFBIG),	   NAME(ENOSPC),
	NAME(EROFS),	       NAME(EMLINK),	   NAME(EPIPE),
	NAME(ERANGE),	       NAME(ENAMETOOLONG), NAME(ENOSYS),
	NAME(ENOTEMPTY),       NAME(ELOOP),	   NAME(EOVERFLOW),
	NAME(EOPNOTSUPP),      NAME(EUSERS),	   NAME(ESTALE),
	NAME(EDQUOT),	       NAME(ETIMEDOUT),	   NAME(ENOTCONN),
	NAME(EKEYREJECTED),    NAME(EILSEQ),	   NAME(ECANCELED),
	NAME(EAFNOSUPPORT),    NAME(ENETUNREACH),  NAME(EHOSTUNREACH),
	NAME(EADDRNOTAVAIL),   NAME(ECONNREFUSED), NAME(EPROTONOSUPPORT),
	NAME(ESOCKTNOSUPPORT), NAME(ENODATA),	   NAME(ENOKEY),
};

const char *fault_errno_name(int error)
{
	static char digits[12];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (names[i].error == error)
			return names[i].name;
	}
	(void)snprintf(digits, sizeof(digits), "%d", error);
	return digits;
}
