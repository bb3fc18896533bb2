/*
 * Files and descriptors that words of the policy refer to. A profile's name is
 * looked for in the user's and the system's directories, never in the current
 * one: what a run may write must not decide what the next may do.
 */
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/io.h"
#include "base/path.h"
#include "host/helper.h"
#include "host/load.h"

enum { PROFILE_LIMIT = 4 << 20, WORDS_LIMIT = 1 << 30 };

static int read_text(struct load *load, const char *path, const char **text)
{
	char *bytes;
	size_t length;
	int err = io_read_file(load->arena, path, PROFILE_LIMIT, &bytes,
			       &length);

	if (err != 0)
		return err;
	/* a NUL would hide the rest of the profile from its parser */
	if (strlen(bytes) != length)
		return -EILSEQ;
	*text = bytes;
	return 0;
}

int load_profile(void *argument, const char *name, const char **file,
		 const char **text)
{
	struct load *load = argument;
	const char *places[3];
	int err = -ENOENT;

	*file = name;
	if (strchr(name, '/') != NULL)
		return read_text(load, name, text);
	if (*name == '\0' || *name == '.')
		return -ENOENT;
	places[0] = load->home == NULL
			    ? NULL
			    : path_join(load->arena, load->home,
					path_join(load->arena, ".config/cordon",
						  name));
	places[1] = path_join(load->arena, CORDON_SYSCONFDIR, name);
	places[2] = helper_find(load->arena, "profiles", name,
				CORDON_PROFILEDIR);
	for (size_t i = 0; i < 3 && err == -ENOENT; i++) {
		if (places[i] == NULL)
			continue;
		err = read_text(load, places[i], text);
		*file = places[i];
	}
	return err;
}

int load_fd(void *argument, int fd, const char **bytes, size_t *length)
{
	struct load *load = argument;
	char *all;
	int err = io_read_all(load->arena, fd, WORDS_LIMIT, &all, length);

	*bytes = all;
	return err;
}
