/*
 * Own id maps. One id each: that much the kernel lets every process do for
 * itself, without a round trip to the parent. Must come before init becomes
 * non-dumpable, which gives /proc/self to root.
 */
#include <fcntl.h>
#include <string.h>

#include "base/io.h"
#include "base/number.h"
#include "engine/inside.h"

int engine_write_map(struct engine *engine, int proc, const char *file,
		     const struct op_ids *ids)
{
	char line[64], *at;
	int err;

	at = number_write(line, ids->inside, 10);
	*at++ = ' ';
	at = number_write(at, ids->outside, 10);
	memcpy(at, " 1\n", 4);
	err = io_write_file(proc, file, line);
	return err == 0 ? 0 : engine_fail(engine, "write", file, err);
}

static int write_own(struct engine *engine, const struct op *op,
		     const char *file)
{
	const struct op_ids ids = { op->a, op->b };

	return engine_write_map(engine, AT_FDCWD, file, &ids);
}

int engine_map_uid(struct engine *engine, const struct op *op)
{
	return write_own(engine, op, "/proc/self/uid_map");
}

/* Without setgroups=deny an ordinary user may not map a group (CVE-2014-8989:
 * dropping a group could gain access). */
int engine_map_gid(struct engine *engine, const struct op *op)
{
	static const char setgroups[] = "/proc/self/setgroups";
	int err = io_write_file(AT_FDCWD, setgroups, "deny");

	if (err != 0)
		return engine_fail(engine, "write", setgroups, err);
	return write_own(engine, op, "/proc/self/gid_map");
}
