/*
 * Planning, inside the plan room. plan_build is called again and again: as long
 * as it wants facts that are not there its plan is thrown away.
 */
#ifndef CORDON_PLAN_BUILD_H
#define CORDON_PLAN_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "host/facts.h"
#include "plan/explain.h"
#include "plan/plan.h"
#include "policy/policy.h"

/* What a place in the new root is. The order is the order of rights: where two
 * rules meet at one path, the smaller is the tighter. */
enum entry_kind {
	ENTRY_MASK,
	ENTRY_TMPFS,
	ENTRY_READ,
	ENTRY_PROTECT,
	ENTRY_OVERLAY,
	ENTRY_WRITE,
	/* places of our own, never met by a rule at the same path */
	ENTRY_DEVICE,
	ENTRY_PROC,
	ENTRY_DEV,
	ENTRY_CGROUPS,
	ENTRY_PIN,
};

struct entry {
	enum entry_kind kind;
	const char *dest;   /* canonical, inside */
	const char *source; /* canonical, outside; NULL: our own tmpfs */
	const struct path_fact *fact;
	struct origin origin;
	uint64_t size;		    /* ENTRY_TMPFS */
	uint32_t mode;		    /* ENTRY_TMPFS */
	bool typed;		    /* not out of a set or a default */
	bool own;		    /* a private place that every run has */
	bool forced;		    /* a mask that no root may open */
	bool carried;		    /* a mask or protection of --within */
	const struct loser *losers; /* other words for the same place */
	struct entry *parent;	    /* nearest kept entry above, or NULL */
	bool children;		    /* an entry lies below */
	int slot;
	size_t said; /* order of speech, keeps sorting stable */
};

struct build {
	struct arena *arena;
	const struct policy *policy;
	const struct facts *facts;
	struct wants *wants;
	struct refusals *refusals;
	struct plan *plan;

	struct rule *found; /* masks of @env-files */
	size_t found_count;
	struct entry *entries;
	size_t entry_count;
	struct build **outers; /* trees of --within, as in the policy */
	bool is_outer;	       /* this is one of them */
	bool is_trial;	       /* never carried out: see mend.c */
	struct map made;       /* directories and links that the plan makes */
	struct map asked;      /* wants already noted */
	const char *home;      /* inside */
	const char *cwd;       /* inside, canonical */

	struct passed *passed; /* for explain only */
	size_t passed_count;

	const char **skipped, **notes, **dropped, **limits;
	size_t skipped_count, note_count, dropped_count, limit_count;
};

/* The fact about a path, or NULL when it first has to be asked for. */
const struct path_fact *build_fact(struct build *build, const char *path,
				   unsigned flags);

/* Landlock's scopes for abstract sockets: Linux 6.12. */
enum { SCOPES_ABI = 6 };

/* All that is asked about the home, in one look. */
enum { WANT_HOME = WANT_MISSING | WANT_NAMES };

struct op *build_op(struct build *build, enum op_kind kind);
void build_note(struct build *build, const char *text);

/* env_files.c: what @env-files stands for, as rules. */
void build_env_files(struct build *build);

/* All entries of the policy, in order. */
void build_tree(struct build *build);

/* The tree and the operations that make it: all that decides about a path. */
void build_walls(struct build *build);

/* rules.c: rules become entries. */
void build_rules(struct build *build);

/* Does the error say that there is nothing to hide? Any other, from a network
 * file system for one, says nothing, and a mask must not be left out for it. */
bool build_is_gone(int error);
struct entry *build_entry(struct build *build, enum entry_kind kind,
			  const char *dest);

/* exceptions.c: --unmask and --unprotect. Does one name the rule; does one take
 * it away, where what was typed in one place with it is refused; and is one an
 * exception to nothing, which is refused too. */
bool build_is_typed(const struct origin *origin);
bool build_is_taken_away(struct build *build, const struct rule *rule);
bool build_is_excepted(struct build *build, const struct rule *rule);
void build_check_exception(struct build *build, const struct rule *exception);

/* groups.c: the cgroup file system. */
void build_groups(struct build *build);

/* order.c: one entry a place, parents known, what changes nothing dropped. */
void build_order(struct build *build);

/* The entry that decides what is at a path inside, or NULL: our own root. */
struct entry *build_covering(const struct build *build, const char *path);

/* What of the host lies at a path inside; NULL when nothing does. */
const char *build_outside(struct build *build, const char *path);

/* Is a place inside ours, so that something may be made there? Not where the
 * host shows through, nor where a mask hides it. */
bool build_is_ours(const struct build *build, const char *path);

/* places.c: /proc, /dev, temp, home, /run and the files over /etc. */
void build_places(struct build *build);
void build_files(struct build *build);

/* mounts.c: entries become operations. */
/* Operation for an object of the host's, by its canonical name. */
struct op *build_source(struct build *build, const char *source,
			const struct path_fact *fact);
void build_sources(struct build *build);
void build_mounts(struct build *build);
void build_links(struct build *build);
void build_seals(struct build *build);
void build_made_dir(struct build *build, const char *path);

/* who.c: ids, names, host name. */
void build_identity(struct build *build);
const char *build_hostname(const struct build *build);
uint32_t build_uid(const struct build *build);
uint32_t build_gid(const struct build *build);

/* within.c: against the policies of --within, before the order is made and
 * behind; and against the profiles that were found by name. */
void build_outers(struct build *build);
void build_holes(struct build *build);
void build_named(struct build *build);

/* Does one of them mask what lies at this place inside? A copy of ours must not
 * show it either. */
bool build_is_hidden(const struct build *build, const char *path);

/* environment.c, limits.c, command.c */
void build_environment(struct build *build);
void build_limits(struct build *build);
void build_cgroup(struct build *build);
bool build_needs_cgroup(const struct build *build);
void build_cwd(struct build *build);
void build_command(struct build *build);
void build_fds(struct build *build);
bool build_is_net_watched(const struct build *build);
void build_watch(struct build *build);
void build_filter(struct build *build);

/* explain.c: answers what was asked, from the finished plan; and, where anything
 * was, keeps a word that makes no entry. */
void build_explain(struct build *build);
void build_pass(struct build *build, const struct passed *passed);

/* process.c: what a root caller must not show. */
void build_root_masks(struct build *build);

#endif
