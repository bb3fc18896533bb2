/*
 * What was asked, as one plain struct. Command line, profiles and --args all
 * fill it through the one option table; nothing here has looked at the
 * machine yet.
 */
#ifndef CORDON_POLICY_POLICY_H
#define CORDON_POLICY_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/origin.h"
#include "policy/refusal.h"

enum rule_kind {
	RULE_READ,
	RULE_WRITE,
	RULE_OVERLAY,
	RULE_TMPFS,
	RULE_DEVICE,
	RULE_MASK,
	RULE_PROTECT,
	RULE_UNMASK,
	RULE_UNPROTECT,
	RULE_KINDS,
};

/* One path rule. Paths are absolute and clean, symbolic links unresolved. */
struct rule {
	enum rule_kind kind;
	bool optional;	  /* a -try form, or out of a set */
	const char *path; /* outside */
	const char *dest; /* inside; NULL: the same place */
	uint64_t size;	  /* RULE_TMPFS: bytes, 0 for the default */
	struct origin origin;
};

enum env_kind {
	ENV_SET,   /* name and value */
	ENV_PASS,  /* the caller's value, also of a name that never passes */
	ENV_UNSET, /* name or glob */
	ENV_CLEAR,
};

struct env_rule {
	enum env_kind kind;
	const char *name, *value;
	struct origin origin;
};

enum limit_kind {
	LIMIT_PROCS,
	LIMIT_MEMORY,
	LIMIT_CPUS,
	LIMIT_DATA,
	LIMIT_ADDRESS_SPACE,
	LIMIT_FILES,
	LIMIT_FILE_SIZE,
	LIMIT_CPU_TIME,
	LIMIT_STACK,
	LIMIT_CORE,
	LIMIT_KINDS,
};

struct limit_rule {
	bool set;
	uint64_t value; /* count, bytes, seconds; cpus in thousandths */
	struct origin origin;
};

enum net_kind { NET_NONE, NET_HOST };
enum proc_kind { PROC_NEW, PROC_NONE };

/* A single value and where it was said; unset while word is NULL. */
struct setting {
	const char *word;
	struct origin origin;
};

struct flag {
	bool set;
	struct origin origin;
};

struct number_setting {
	bool set;
	uint64_t value;
	struct origin origin;
};

struct keep_fd {
	int fd;
	struct origin origin;
};

/* What words may refer to. The environment is the caller's; files are read by
 * the caller of this room, which opens nothing itself. */
struct policy_context {
	const char *home;     /* $HOME, NULL when unset or not absolute */
	const char *own_home; /* the user database's, for the default masks */
	const char *cwd;
	char *const *environ;
	char *const *words; /* as typed behind the verb, for mends; or NULL */
	/* The text of a profile and the name to call it by; 0 or -errno. */
	int (*load_profile)(void *load, const char *name, const char **file,
			    const char **text);
	/* All bytes of a descriptor; 0 or -errno. */
	int (*load_fd)(void *load, int fd, const char **bytes, size_t *length);
	void *load;
};

/* A policy that this one may only narrow: --within. */
struct outer {
	const char *file; /* as the word names it */
	struct policy *policy;
	struct origin origin;
};

/* A profile that was found by its name. */
struct named_profile {
	const char *file;
	struct origin origin;
};

struct policy {
	struct arena *arena;
	const struct policy_context *context;
	struct refusals refusals;

	struct rule *rules;
	size_t rule_count;
	struct env_rule *env;
	size_t env_count;
	struct limit_rule limits[LIMIT_KINDS];
	struct keep_fd *keep;
	size_t keep_count;

	bool no_system, nested, allow_abstract, allow_hard_links;
	struct origin nested_origin, abstract_origin;
	bool verbose, quiet, report_all;
	enum net_kind net;
	struct origin net_origin;
	enum proc_kind proc;
	struct origin proc_origin;
	struct setting root, tmp, home, cwd, seccomp, hostname, id;
	struct setting env_files; /* --mask @env-files */
	struct number_setting uid, gid, timeout, status_fd;
	struct flag report, fail_on_denied;

	char **command;	 /* NULL-terminated, or NULL */
	char **subjects; /* what explain is asked about, alike */

	struct outer *outers;
	size_t outer_count;
	struct named_profile *named;
	size_t named_count;

	unsigned
		use; /* of the verb that reads the words: USE_RUN and its like */
	bool ops, json, sets;

	unsigned profile_depth, profile_count;
	struct origin current; /* where the word being read was said */
};

void policy_init(struct policy *policy, struct arena *arena,
		 const struct policy_context *context);

/* Adds the defaults that no word took away: @system, @secrets, @agent-env. */
void policy_finish(struct policy *policy);

/* Reads words up to the command: argv without the program and the verb. Then
 * what they leave open is as narrow as what --within names. */
void policy_read_cli(struct policy *policy, char *const *words);

/* Reads the text of a profile. */
void policy_read_profile(struct policy *policy, const char *file,
			 const char *text);

/* The value of a variable of the caller's environment, or NULL. */
const char *policy_getenv(const struct policy *policy, const char *name);

const char *limit_name(enum limit_kind kind);

/* What a policy's words make of a variable of the caller's. */
enum env_fate {
	ENV_HIDDEN, /* dropped, by a rule or by default */
	ENV_GIVEN,  /* set to a value of the policy's own */
	ENV_PASSES, /* the caller's value */
};

/* The rule that decides, or NULL: a default. */
enum env_fate policy_env_fate(const struct policy *policy, const char *name,
			      const struct env_rule **rule);

#endif
