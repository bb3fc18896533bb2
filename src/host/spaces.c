/*
 * What bubblewrap's -try forms ask before they try, and whose rights we have.
 */
#include <fcntl.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"
#include "host/facts.h"
#include "host/spaces.h"

static bool says(struct arena *arena, const char *file, const char *word)
{
	char *text;
	size_t length;

	return io_read_file(arena, file, 64, &text, &length) == 0 &&
	       strncmp(text, word, strlen(word)) == 0 &&
	       (text[strlen(word)] == '\n' || text[strlen(word)] == '\0');
}

bool spaces_have_user(struct arena *arena)
{
	return access("/proc/self/ns/user", F_OK) == 0 &&
	       !says(arena, "/sys/module/user_namespace/parameters/enable",
		     "N") &&
	       !says(arena, "/proc/sys/user/max_user_namespaces", "0");
}

/* The limit is 0 inside `cordon --nested': bubblewrap, which does not look, fails
 * there. */
bool spaces_have_cgroup(struct arena *arena)
{
	return access("/proc/self/ns/cgroup", F_OK) == 0 &&
	       !says(arena, "/proc/sys/user/max_cgroup_namespaces", "0");
}

bool spaces_have_labels(void)
{
	return access("/sys/fs/selinux/enforce", F_OK) == 0;
}

uint64_t spaces_caps(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (syscall(SYS_capget, &header, sets) != 0)
		return 0;
	return (uint64_t)sets[1].effective << 32 | sets[0].effective;
}
