/*
 * Ids and names inside.
 */
#include "plan/build.h"

uint32_t build_uid(const struct build *build)
{
	const struct number_setting *uid = &build->policy->uid;

	return uid->set ? (uint32_t)uid->value : build->facts->uid;
}

uint32_t build_gid(const struct build *build)
{
	const struct number_setting *gid = &build->policy->gid;

	return gid->set ? (uint32_t)gid->value : build->facts->gid;
}

const char *build_hostname(const struct build *build)
{
	const char *name = build->policy->hostname.word;

	return name != NULL ? name : "cordon";
}

/* One id each: the kernel lets an ordinary user map no more by itself. */
void build_identity(struct build *build)
{
	struct op *op = build_op(build, OP_MAP_UID);

	op->a = build_uid(build);
	op->b = build->facts->uid;
	op = build_op(build, OP_MAP_GID);
	op->a = build_gid(build);
	op->b = build->facts->gid;
}
