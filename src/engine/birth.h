/*
 * The command's own process, inside the engine room.
 */
#ifndef CORDON_ENGINE_BIRTH_H
#define CORDON_ENGINE_BIRTH_H

struct engine_start;
struct fault;
struct op;
struct plan;

struct birth {
	const struct plan *plan;
	struct engine_start *start;
	struct fault *fault;
};

/* fault_set for that process. */
int birth_fail(const struct birth *birth, const char *call, const char *object,
	       int error);

/* search.c: what only bubblewrap's commands need. 0, or -errno with the fault
 * filled. */
int birth_find_cwd(const struct birth *birth, const struct op *op);
int birth_label(const struct birth *birth, const struct op *op);
int birth_own_filter(const struct birth *birth, const struct op *op);
int birth_search(const struct birth *birth, const struct op *op);

/* Without a reaper the command does not share what that one holds. */
int birth_leave_reaper(const struct birth *birth);

#endif
