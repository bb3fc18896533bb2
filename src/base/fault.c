/*
 * Failures as data.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fault.h"

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

void fault_add_words(struct fault *fault, int fsfd)
{
	/* each read gives one message "e text"; keep the first error */
	char line[sizeof(fault->words)];
	ssize_t n = read(fsfd, line, sizeof(line) - 1);

	if (n <= 2)
		return;
	line[n] = '\0';
	line[strcspn(line, "\n")] = '\0';
	fault_copy(fault->words, sizeof(fault->words), line + 2);
}

#define NAME(e) \
	{       \
		e, #e \
	}
static const struct {
	int error;
	const char *name;
} names[] = {
	NAME(EPERM),	  NAME(ENOENT),	      NAME(ESRCH),
	NAME(EINTR),	  NAME(EIO),	      NAME(ENXIO),
	NAME(E2BIG),	  NAME(ENOEXEC),      NAME(EBADF),
	NAME(ECHILD),	  NAME(EAGAIN),	      NAME(ENOMEM),
	NAME(EACCES),	  NAME(EFAULT),	      NAME(EBUSY),
	NAME(EEXIST),	  NAME(EXDEV),	      NAME(ENODEV),
	NAME(ENOTDIR),	  NAME(EISDIR),	      NAME(EINVAL),
	NAME(ENFILE),	  NAME(EMFILE),	      NAME(ENOTTY),
	NAME(ETXTBSY),	  NAME(EFBIG),	      NAME(ENOSPC),
	NAME(EROFS),	  NAME(EMLINK),	      NAME(EPIPE),
	NAME(ERANGE),	  NAME(ENAMETOOLONG), NAME(ENOSYS),
	NAME(ENOTEMPTY),  NAME(ELOOP),	      NAME(EOVERFLOW),
	NAME(EOPNOTSUPP), NAME(EUSERS),	      NAME(ESTALE),
	NAME(EDQUOT),	  NAME(ETIMEDOUT),    NAME(ENOTCONN),
	NAME(EKEYREJECTED),
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
