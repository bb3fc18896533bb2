/*
 * From words to a plan.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/path.h"
#include "base/report.h"
#include "base/text.h"
#include "host/become.h"
#include "host/collect.h"
#include "host/helper.h"
#include "plan/make.h"
#include "policy/options.h"
#include "verbs/prepare.h"
#include "watch/status.h"

static const char *find_home(struct arena *arena)
{
	const char *home = getenv("HOME");

	if (home == NULL || *home != '/' || path_has_dotdot(home) ||
	    path_has_control(home))
		return NULL;
	return path_absolute(arena, NULL, home);
}

/* A name for passwd's line, when the caller's is plain. */
static const char *find_user(void)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "0123456789_-";
	const char *user = getenv("USER");

	if (user == NULL || *user < 'a' || *user > 'z' || strlen(user) > 32 ||
	    user[strspn(user, letters)] != '\0')
		return NULL;
	return user;
}

static void read_words(struct prepared *prepared, char **words, unsigned use)
{
	struct policy_context *context = &prepared->context;
	struct arena *arena = &prepared->arena;

	*context = (struct policy_context){
		.home = find_home(arena),
		.cwd = collect_cwd(arena),
		.environ = environ,
		.words = words,
		.load_profile = load_profile,
		.load_fd = load_fd,
		.load = &prepared->load,
	};
	prepared->load = (struct load){ .arena = arena, .home = context->home };
	policy_init(&prepared->policy, arena, context);
	prepared->policy.use = use;
	policy_read_cli(&prepared->policy, words);
}

/* Root with --uid or --gid becomes that user before anything is looked at:
 * what is visible is what that user may see. */
static void change_user(struct prepared *prepared)
{
	struct policy *policy = &prepared->policy;
	uint32_t uid, gid;
	int err;

	if (geteuid() != 0 || (!policy->uid.set && !policy->gid.set))
		return;
	uid = policy->uid.set ? (uint32_t)policy->uid.value : 0;
	gid = uid == 0 ? 0 : become_primary_group(&prepared->arena, uid);
	if (policy->gid.set)
		gid = (uint32_t)policy->gid.value;
	if (uid == 0 && gid == 0)
		return;
	err = become_user(uid, gid);
	if (err == 0)
		return;
	refuse(&policy->refusals, REASON_BAD_USER,
	       policy->uid.set ? &policy->uid.origin : &policy->gid.origin,
	       arena_join(&prepared->arena, "this root cannot become it: ",
			  fault_errno_name(-err),
			  "; is the id mapped in this user namespace?", NULL),
	       NULL);
}

/* The command must not write to the status stream, by another number either. */
static int find_status_twin(const struct policy *policy)
{
	int status = (int)policy->status_fd.value;

	if (!policy->status_fd.set)
		return -1;
	for (int fd = 0; fd < 3; fd++) {
		if (collect_same_fd(status, fd))
			return fd;
	}
	for (size_t i = 0; i < policy->keep_count; i++) {
		if (collect_same_fd(status, policy->keep[i].fd))
			return policy->keep[i].fd;
	}
	return -1;
}

static size_t count_rules(const struct policy *policy)
{
	size_t count = policy->rule_count;

	for (size_t i = 0; i < policy->outer_count; i++)
		count += count_rules(policy->outers[i].policy);
	return count;
}

/* Facts that only some policies ask for. */
static void collect_asked(struct prepared *prepared)
{
	const struct policy *policy = &prepared->policy;
	struct facts *facts = &prepared->facts;
	const struct limit_rule *limits = policy->limits;
	enum fd_state *keep = arena_alloc(
		&prepared->arena, (policy->keep_count + 1) * sizeof(*keep));

	for (size_t i = 0; i < policy->keep_count; i++)
		keep[i] = (enum fd_state)collect_fd(policy->keep[i].fd);
	facts->keep = keep;
	if (policy->status_fd.set)
		facts->status =
			(enum fd_state)collect_fd((int)policy->status_fd.value);
	facts->status_twin = find_status_twin(policy);
	if (policy->net == NET_HOST || policy->subjects != NULL)
		collect_kernel(facts);
	if (limits[LIMIT_MEMORY].set || limits[LIMIT_CPUS].set ||
	    (limits[LIMIT_PROCS].set && facts->root))
		collect_cgroup(facts, &prepared->arena);
	if (policy->seccomp.word != NULL &&
	    strchr(policy->seccomp.word, '/') != NULL)
		helper_compile_filter(&prepared->arena, policy->seccomp.word,
				      &facts->filter);
	become_roomy(facts, count_rules(policy));
}

/* Plans, asks what the plan wants to know, and plans again: twice as a rule,
 * a few times more where places inside other roots come up. */
static void make_plan(struct prepared *prepared)
{
	struct refusals *refusals = &prepared->policy.refusals;
	size_t spoken = refusals->count;
	struct wants wants;

	do {
		arena_rewind(&prepared->planning);
		wants = (struct wants){ .arena = &prepared->planning };
		refusals->count = spoken;
		plan_make(&prepared->policy, &prepared->facts, &wants, refusals,
			  &prepared->plan);
		collect_paths(&prepared->facts, &prepared->arena, &wants);
	} while (wants.count != 0);
}

static void check_command(struct prepared *prepared, unsigned use)
{
	struct policy *policy = &prepared->policy;
	struct origin origin = { .place = PLACE_CLI, .word = "--" };

	if (policy->command == NULL && use == USE_RUN)
		refuse(&policy->refusals, REASON_NO_COMMAND, &origin,
		       "there is no command", "cordon -- sh");
	if (policy->subjects == NULL && use == USE_EXPLAIN)
		refuse(&policy->refusals, REASON_NO_COMMAND, &origin,
		       "there is no path and no address to explain",
		       "cordon explain /etc/passwd");
}

void prepare(struct prepared *prepared, char **words, unsigned use)
{
	*prepared = (struct prepared){ 0 };
	collect_identity(&prepared->facts, &prepared->arena);
	become_stdio(&prepared->facts);
	read_words(prepared, words, use);
	change_user(prepared);
	prepared->context.own_home = become_home(&prepared->arena, geteuid());
	policy_finish(&prepared->policy);
	prepared->facts.uid = geteuid();
	prepared->facts.gid = getegid();
	prepared->facts.root = prepared->facts.uid == 0;
	prepared->facts.user = find_user();
	if (prepared->policy.sets)
		return; /* the same wherever it is asked */
	check_command(prepared, use);
	collect_asked(prepared);
	make_plan(prepared);
}

static void say_refusal(struct prepared *prepared, struct status *status,
			const struct refusal *refusal)
{
	struct arena *arena = &prepared->arena;
	const char *words = origin_words(arena, &refusal->origin);
	const struct origin *origin = &refusal->origin;
	struct json *json;

	report_refused(arena_join(arena, words, ": ", refusal->text, NULL),
		       reason_name(refusal->reason), refusal->mend);
	json = status_begin(status, "refused");
	if (json == NULL)
		return;
	json_string(json, "reason", reason_name(refusal->reason));
	if (origin->option != NULL)
		json_string(json, "option", origin->option);
	if (origin->word != NULL)
		json_string(json, "words", origin->word);
	json_string(json, "said", origin_said(arena, origin));
	json_string(json, "text", refusal->text);
	if (refusal->mend != NULL)
		json_string(json, "mend", refusal->mend);
	status_end(status);
}

int prepare_refusals(struct prepared *prepared)
{
	const struct policy *policy = &prepared->policy;
	const struct refusals *refusals = &policy->refusals;
	struct status status;
	int fd = -1;

	if (refusals->count == 0)
		return 0;
	if (policy->status_fd.set && prepared->facts.status == FD_FINE)
		fd = (int)policy->status_fd.value;
	status_init(&status, fd, policy->id.word);
	for (size_t i = 0; i < refusals->count; i++)
		say_refusal(prepared, &status, &refusals->items[i]);
	status_done(&status);
	return refusals_exitcode(refusals);
}

const char *prepare_cause(struct prepared *prepared, int status)
{
	/* each goes one name deeper, on all paths: enough for what people have,
	 * and an end for what a command may have made */
	enum { PASSES = 48 };
	struct wants wants = { .count = 1 };
	const char *text = NULL;

	for (int pass = 0; pass < PASSES && wants.count != 0; pass++) {
		arena_rewind(&prepared->afterwards);
		wants = (struct wants){ .arena = &prepared->afterwards };
		text = plan_cause(&prepared->policy, &prepared->facts, &wants,
				  status);
		collect_paths(&prepared->facts, &prepared->arena, &wants);
	}
	return text;
}
