/*
 * Calls that the filter denies. All that is told comes out of registers as the
 * kernel has copied them: the number, and those arguments that the filter has
 * looked at, because it decides by them.
 */
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "base/bpf.h"
#include "base/text.h"
#include "engine/engine.h"
#include "plan/plan.h"
#include "seccomp/callnames.h"
#include "watch/calls.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

enum { ARGUMENTS = 6 };

/* What the shipped filters are there for, by the names people know. */
static const struct {
	int call, argument;
	uint64_t value;
	const char *name;
} values[] = {
	{ SYS_ioctl, 1, TIOCSTI, "TIOCSTI" },
	{ SYS_ioctl, 1, TIOCLINUX, "TIOCLINUX" },
	{ SYS_ioctl, 1, TIOCCONS, "TIOCCONS" },
	{ SYS_ioctl, 1, TIOCSETD, "TIOCSETD" },
	{ SYS_prctl, 0, PR_SET_MM, "PR_SET_MM" },
	{ SYS_socket, 0, AF_UNIX, "AF_UNIX" },
	{ SYS_socket, 0, AF_INET, "AF_INET" },
	{ SYS_socket, 0, AF_INET6, "AF_INET6" },
	{ SYS_socket, 0, AF_NETLINK, "AF_NETLINK" },
	{ SYS_socket, 0, AF_PACKET, "AF_PACKET" },
	{ SYS_socket, 0, AF_ALG, "AF_ALG" },
	{ SYS_socket, 0, AF_VSOCK, "AF_VSOCK" },
};

static const char *name_of_call(int number)
{
	for (size_t i = 0; i < COUNT(call_names); i++) {
		if (call_names[i].number == number)
			return call_names[i].name;
	}
	return NULL;
}

static void add_value(struct text *text, const struct seccomp_data *data,
		      int argument)
{
	uint64_t value = data->args[argument];

	for (size_t i = 0; i < COUNT(values); i++) {
		if (values[i].call == data->nr &&
		    values[i].argument == argument &&
		    values[i].value == value) {
			text_add(text, values[i].name);
			return;
		}
	}
	text_printf(text, "%#llx", (unsigned long long)value);
}

/* "ioctl(_, TIOCSTI)": as far as the last one that was looked at. */
static void add_arguments(struct text *text, const struct seccomp_data *data,
			  unsigned words)
{
	unsigned looked = words / BPF_ARGUMENT;

	for (int i = 0; i < ARGUMENTS && looked >> i != 0; i++) {
		text_add(text, i == 0 ? "(" : ", ");
		if (looked >> i & 1)
			add_value(text, data, i);
		else
			text_add_char(text, '_');
	}
	if (looked != 0)
		text_add_char(text, ')');
}

static const char *object_of(struct arena *arena,
			     const struct seccomp_data *data, unsigned words)
{
	const char *name = name_of_call(data->nr);
	struct text text;

	text_init(&text, arena);
	if (data->arch != call_names_arch)
		text_printf(&text, "%u of architecture %#x", (unsigned)data->nr,
			    data->arch);
	else if (name == NULL)
		text_add_number(&text, (unsigned)data->nr);
	else
		text_add(&text, name);
	add_arguments(&text, data, words);
	return text.bytes;
}

/* From the least to the most; the first that helps is said. In place of a
 * filter of the user's own any shipped one may do. */
static const struct {
	const char *from, *to, *words;
} wider[] = {
	{ "default", "devel", "--seccomp devel" },
	{ "default", "default+nested", "--nested" },
	{ "default+nested", "devel+nested", "--seccomp devel" },
	{ "devel", "devel+nested", "--nested" },
	{ NULL, "default", "--seccomp default" },
	{ NULL, "devel", "--seccomp devel" },
};

static const char *allow_of(const char *filter, const struct seccomp_data *data)
{
	bool is_own = strchr(filter, '/') != NULL;

	for (size_t i = 0; i < COUNT(wider); i++) {
		bool is_from = wider[i].from == NULL
				       ? is_own
				       : strcmp(wider[i].from, filter) == 0;

		if (is_from && engine_allows_call(wider[i].to, data))
			return wider[i].words;
	}
	return NULL;
}

void calls_describe(const struct plan *plan, struct arena *arena,
		    const struct seccomp_data *data, unsigned words,
		    struct denial *denial)
{
	const char *filter = plan->filter;
	size_t length = strchr(filter, '/') != NULL ? strlen(filter)
						    : strcspn(filter, "+");

	denial->object = object_of(arena, data, words);
	denial->rule = text_quote_after(arena, "--seccomp ",
					arena_strndup(arena, filter, length));
	denial->allow = allow_of(filter, data);
}
