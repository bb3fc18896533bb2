/*
 * The command: where it is looked up, where it works, and that everything it
 * needs to start is visible. A program that is not is named, never replaced by
 * another of the same name.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/path.h"
#include "base/program.h"
#include "base/text.h"
#include "plan/build.h"

static const char default_path[] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:"
				   "/usr/bin:/sbin:/bin";

/* Is there, inside, something at this canonical path? */
static bool is_visible(struct build *build, const char *path)
{
	const struct entry *entry;

	if (strcmp(path, "/") == 0 || build_outside(build, path) != NULL ||
	    map_get(&build->made, path) != NULL)
		return true;
	entry = build_covering(build, path);
	return entry != NULL && strcmp(entry->dest, path) == 0 &&
	       entry->kind == ENTRY_TMPFS;
}

/* The typed line again with one more rule in front. */
static const char *line_with(struct build *build, const char *option,
			     const char *path)
{
	char *const *words = build->policy->context->words;
	struct text line;

	text_init(&line, build->arena);
	text_add(&line, build->policy->subjects != NULL ? "cordon explain "
							: "cordon ");
	text_add(&line, option);
	text_add_char(&line, ' ');
	text_add_quoted(&line, path);
	for (; words != NULL && *words != NULL && line.length < 4096; words++) {
		text_add_char(&line, ' ');
		text_add_quoted(&line, *words);
	}
	return line.bytes;
}

/* A typed root that would have shown it was refused: one problem, said once. */
static bool was_meant(const struct build *build, const char *path)
{
	const struct policy *policy = build->policy;

	if (policy->tmp.word != NULL && path_is_under(path, "/tmp"))
		return true;
	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct rule *rule = &policy->rules[i];

		if (rule->kind <= RULE_OVERLAY && rule->dest == NULL &&
		    rule->origin.set == NULL && path_is_under(path, rule->path))
			return true;
	}
	return false;
}

/* The fact of a path as the command would meet it inside. */
static const struct path_fact *meet(struct build *build, const char *path,
				    unsigned flags)
{
	const struct setting *root = &build->policy->root;
	const struct entry *entry = build_covering(build, path);
	const char *outside;

	while (entry != NULL && entry->kind == ENTRY_PIN)
		entry = entry->parent;
	if (root->word != NULL && entry != NULL &&
	    strcmp(entry->dest, "/") == 0 && strcmp(entry->source, "/") != 0)
		return build_fact(build,
				  arena_join(build->arena, entry->source, "//",
					     path[1] != '\0' ? path + 1 : ".",
					     NULL),
				  WANT_HEAD | flags);
	outside = build_outside(build, path);
	return build_fact(build, outside != NULL ? outside : path,
			  WANT_HEAD | flags);
}

static void refuse_cwd(struct build *build, const struct origin *origin,
		       const char *path, const char *text, const char *mend)
{
	refuse(build->refusals, REASON_BAD_CWD, origin,
	       arena_join(build->arena, "the working directory ", path, text,
			  NULL),
	       mend);
}

/* Visible is not yet there: a root shows what it has. */
static bool check_cwd(struct build *build, const struct origin *origin,
		      const char *path)
{
	const struct path_fact *fact;

	if (build_outside(build, path) == NULL)
		return true;
	fact = meet(build, path, 0);
	if (fact == NULL)
		return false;
	if (fact->error == 0 && S_ISDIR(fact->mode))
		return true;
	refuse_cwd(build, origin, path,
		   fact->error != 0 ? " does not exist inside"
				    : " is not a directory",
		   NULL);
	return false;
}

void build_cwd(struct build *build)
{
	const struct setting *setting = &build->policy->cwd;
	struct origin origin = setting->origin;
	const char *path = setting->word;
	const struct path_fact *fact;

	if (path == NULL) {
		path = build->policy->context->cwd;
		origin = (struct origin){ .place = PLACE_CLI, .option = "cwd" };
	}
	if (path == NULL) {
		refuse(build->refusals, REASON_BAD_CWD, &origin,
		       "the current directory is gone", "--cwd /tmp");
		return;
	}
	fact = build_fact(build, path, 0);
	if (fact != NULL && fact->error != 0)
		fact = build_fact(build, path, WANT_MISSING);
	if (fact == NULL)
		return;
	if (fact->real != NULL && is_visible(build, fact->real))
		path = fact->real;
	else if (!is_visible(build, path)) {
		/* nothing will start in it; from anywhere one may ask */
		if (setting->word == NULL && build->policy->subjects != NULL)
			return;
		if (build->refusals->count == 0 || !was_meant(build, path))
			refuse_cwd(build, &origin, path,
				   " is not visible inside",
				   line_with(build, "--read", path));
		return;
	}
	if (check_cwd(build, &origin, path))
		build->cwd = path;
}

static bool is_program(const struct path_fact *fact)
{
	return fact->error == 0 && S_ISREG(fact->mode) && fact->executable;
}

static void refuse_read(struct build *build, const char *command,
			const char *path, const char *role)
{
	struct origin origin = { .place = PLACE_CLI, .word = command };

	refuse(build->refusals, REASON_NEEDS_READ, &origin,
	       arena_join(build->arena, role, path, " is not visible inside",
			  NULL),
	       line_with(build, "--read", path));
}

/* A path inside and every link on its way; false after a refusal. */
static bool check_shown(struct build *build, const char *command,
			const char *path, const struct path_fact *fact,
			const char *role)
{
	const char *outside = build_outside(build, path);

	/* inside another root, or at another place: met where it is */
	if (strstr(fact->asked, "//") != NULL ||
	    (outside != NULL && strcmp(outside, path) != 0))
		return true;
	for (size_t i = 0; i < fact->link_count; i++) {
		if (is_visible(build, fact->links[i].path))
			continue;
		refuse_read(build, command, fact->asked, role);
		return false;
	}
	if (is_visible(build, fact->real))
		return true;
	refuse_read(build, command, fact->real, role);
	return false;
}

/* No words would show what is not there outside either. */
static void refuse_interpreter(struct build *build, const char *command,
			       const char *path)
{
	struct origin origin = { .place = PLACE_CLI, .word = command };

	refuse(build->refusals, REASON_NEEDS_READ, &origin,
	       arena_join(build->arena, "its interpreter or loader ", path,
			  " does not exist", NULL),
	       NULL);
}

/* Scripts and loaders: at most as deep as the kernel goes. */
static void check_needs(struct build *build, const char *command,
			const struct path_fact *fact)
{
	for (int depth = 0; depth < 5 && fact->head != NULL; depth++) {
		const char *next = program_interpreter(build->arena, fact->head,
						       fact->head_length);

		if (next == NULL || *next != '/')
			return;
		next = path_absolute(build->arena, "/", next);
		fact = meet(build, next, 0);
		if (fact == NULL)
			return;
		if (build_is_gone(fact->error)) {
			refuse_interpreter(build, command, next);
			return;
		}
		if (fact->error != 0) {
			refuse_read(build, command, next,
				    "its interpreter or loader ");
			return;
		}
		if (!check_shown(build, command, next, fact,
				 "its interpreter or loader "))
			return;
	}
}

struct lookup {
	const char *path; /* the first that can be executed */
	const struct path_fact *fact;
	const char *unusable; /* the first that is there but cannot */
	bool file;	      /* that is a file all the same */
	bool waiting;	      /* facts are missing */
};

static void try_path(struct build *build, struct lookup *lookup,
		     const char *path)
{
	const struct path_fact *fact;

	if (lookup->path != NULL)
		return;
	fact = meet(build, path, WANT_SEARCH);
	if (fact == NULL) {
		lookup->waiting = true;
	} else if (is_program(fact)) {
		lookup->path = path;
		lookup->fact = fact;
	} else if (lookup->unusable == NULL && fact->error == 0) {
		lookup->unusable = path;
		lookup->file = S_ISREG(fact->mode);
	}
}

static void search(struct build *build, struct lookup *lookup, const char *name)
{
	const char *path = policy_getenv(build->policy, "PATH");
	const char *cwd = build->cwd != NULL ? build->cwd : "/";

	if (path == NULL)
		path = default_path;
	for (;;) {
		size_t length = strcspn(path, ":");
		const char *dir = arena_strndup(build->arena, path, length);

		dir = path_absolute(build->arena, cwd, dir);
		try_path(build, lookup, path_join(build->arena, dir, name));
		path += length;
		if (*path++ == '\0')
			break;
	}
}

static void refuse_lookup(struct build *build, const char *name,
			  const struct lookup *lookup)
{
	struct origin origin = { .place = PLACE_CLI, .word = name };

	if (lookup->unusable != NULL)
		refuse(build->refusals, REASON_NOT_EXECUTABLE, &origin,
		       arena_join(build->arena, lookup->unusable,
				  " is not a program that may be executed",
				  NULL),
		       lookup->file
			       ? text_quote_after(build->arena, "chmod +x ",
						  lookup->unusable)
			       : NULL);
	else
		refuse(build->refusals, REASON_NOT_FOUND, &origin,
		       strchr(name, '/') != NULL ? "no such file"
						 : "not found in PATH",
		       NULL);
}

void build_command(struct build *build)
{
	char **argv = build->policy->command;
	struct lookup lookup = { 0 };
	struct op *op;

	if (argv == NULL)
		return;
	if (build->policy->root.word != NULL &&
	    build_covering(build, "/") == NULL)
		return; /* the root was refused: one problem, said once */
	build->plan->argv = argv;
	if (strchr(argv[0], '/') != NULL)
		try_path(build, &lookup,
			 path_absolute(build->arena,
				       build->cwd != NULL ? build->cwd : "/",
				       argv[0]));
	else if (*argv[0] != '\0')
		search(build, &lookup, argv[0]);
	if (lookup.waiting)
		return;
	if (lookup.path == NULL) {
		refuse_lookup(build, argv[0], &lookup);
		return;
	}
	if (check_shown(build, argv[0], lookup.path, lookup.fact, ""))
		check_needs(build, argv[0], lookup.fact);
	op = build_op(build, OP_EXEC);
	/* as typed: a script's $0 is the path that was executed */
	op->path = strchr(argv[0], '/') != NULL ? argv[0] : lookup.path;
}
