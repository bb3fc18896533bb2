/*
 * Answers what `cordon explain` is asked, from the entries and operations of
 * the finished plan: the rule that decides, and what each attempt would give.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/path.h"
#include "base/text.h"
#include "plan/build.h"
#include "plan/explain.h"

static const char *kind_name(enum entry_kind kind)
{
	switch (kind) {
	case ENTRY_MASK:
		return "masked";
	case ENTRY_TMPFS:
		return "private, empty";
	case ENTRY_READ:
		return "read root";
	case ENTRY_PROTECT:
		return "protected, read-only";
	case ENTRY_OVERLAY:
		return "overlay";
	case ENTRY_WRITE:
		return "write root";
	case ENTRY_DEVICE:
		return "device";
	case ENTRY_PROC:
		return "the sandbox's own /proc";
	case ENTRY_DEV:
		return "the sandbox's own /dev";
	case ENTRY_CGROUPS:
		return "the limit's own cgroup, read-only";
	case ENTRY_PIN:
		return "pinned";
	}
	return NULL;
}

static int try_read(const struct node *node)
{
	if (node->error != 0)
		return node->error;
	if (node->opaque)
		return TRY_DEPENDS;
	if ((node->access & R_OK) == 0)
		return EACCES;
	return S_ISSOCK(node->mode) ? ENXIO : TRY_OK;
}

/* Permission bits come before the mount's flag, for what is there. */
static int try_write(const struct node *node)
{
	if (node->error != 0)
		return node->error;
	if (node->opaque)
		return TRY_DEPENDS;
	if (S_ISDIR(node->mode))
		return EISDIR;
	if ((node->access & W_OK) == 0)
		return EACCES;
	if (S_ISSOCK(node->mode))
		return ENXIO;
	return node->read_only && S_ISREG(node->mode) ? EROFS : TRY_OK;
}

/* The errno that keeps a directory's names as they are, or TRY_OK. */
static int try_names(const struct node *dir)
{
	if (dir->error != 0)
		return dir->error;
	if (dir->opaque)
		return TRY_DEPENDS;
	if (!S_ISDIR(dir->mode))
		return ENOTDIR;
	if ((dir->access & X_OK) == 0)
		return EACCES;
	return dir->read_only ? EROFS : TRY_OK;
}

static int try_create(const struct node *dir)
{
	int error = try_names(dir);

	if (error == TRY_OK && (dir->access & W_OK) == 0)
		return EACCES;
	return error;
}

static int try_rename(const struct found *found)
{
	const struct node *dir = &found->dir, *name = &found->name;
	int error = try_names(dir);

	if (strcmp(name->place, "/") == 0)
		return EBUSY;
	if (error != TRY_OK)
		return error;
	if (name->error != 0)
		return name->error;
	if ((dir->access & W_OK) == 0)
		return EACCES;
	if ((dir->mode & S_ISVTX) && !dir->mine && !name->mine)
		return EPERM;
	if (name->mount_point)
		return EBUSY;
	/* without redirect_dir a directory of the lower layer stays */
	return name->overlay && S_ISDIR(name->mode) ? EXDEV : TRY_OK;
}

static int try_connect(const struct node *node)
{
	if (node->error != 0)
		return node->error;
	if (node->opaque)
		return TRY_DEPENDS;
	if ((node->access & W_OK) == 0)
		return EACCES;
	return S_ISSOCK(node->mode) && !node->overlay ? TRY_OK : ECONNREFUSED;
}

static void add_loser(struct build *build, struct answer *answer,
		      const struct origin *origin, const char *why)
{
	struct loser *loser = arena_alloc(build->arena, sizeof(*loser));

	*loser = (struct loser){ *origin, why, NULL };
	loser->next = answer->losers;
	answer->losers = loser;
}

static void add_losers(struct build *build, struct answer *answer,
		       const struct entry *entry)
{
	for (const struct loser *at = entry->losers; at != NULL; at = at->next)
		add_loser(build, answer, &at->origin, at->why);
	for (entry = entry->parent; entry != NULL; entry = entry->parent) {
		if (entry->kind == ENTRY_PIN)
			continue;
		add_loser(build, answer, &entry->origin, "less specific");
		for (const struct loser *at = entry->losers; at != NULL;
		     at = at->next)
			add_loser(build, answer, &at->origin, at->why);
	}
}

/* The rule behind the place, as the plan's entries say. */
static void find_rule(struct build *build, struct answer *answer,
		      const struct node *node)
{
	const struct entry *entry = build_covering(build, node->place);

	while (entry != NULL && entry->kind == ENTRY_PIN)
		entry = entry->parent;
	answer->kind = node->error == 0 ? "a directory of the sandbox's own"
					: "absent: no rule shows it";
	if (entry == NULL)
		return;
	answer->kind = kind_name(entry->kind);
	answer->origin = entry->origin;
	answer->ruled = true;
	add_losers(build, answer, entry);
}

static const char *unmask(struct build *build, const struct answer *answer,
			  const char *option, const char *place)
{
	if (answer->origin.place == PLACE_CLI && answer->origin.set == NULL)
		return arena_join(build->arena, "leave out ",
				  origin_words(build->arena, &answer->origin),
				  NULL);
	return text_quote_after(build->arena, option, place);
}

/* The words that would open it for what is refused now. */
static const char *find_mend(struct build *build, const struct answer *answer)
{
	const struct entry *entry = build_covering(build, answer->place);

	while (entry != NULL && entry->kind == ENTRY_PIN)
		entry = entry->parent;
	if (entry == NULL || entry->kind == ENTRY_TMPFS)
		return answer->read == TRY_OK || answer->read == EACCES
			       ? NULL
			       : text_quote_after(build->arena, "--read ",
						  answer->place);
	if (entry->kind == ENTRY_MASK)
		return unmask(build, answer, "--unmask ", entry->dest);
	if (entry->kind == ENTRY_PROTECT && answer->origin.option != NULL &&
	    strcmp(answer->origin.option, "protect") == 0)
		return unmask(build, answer, "--unprotect ", entry->dest);
	if ((entry->kind == ENTRY_READ || entry->kind == ENTRY_PROTECT) &&
	    (answer->write == EROFS || answer->create == EROFS))
		return text_quote_after(build->arena, "--write ",
					answer->place);
	return NULL;
}

static const char *base_of(struct build *build)
{
	if (build->policy->cwd.word != NULL && build->cwd != NULL)
		return build->cwd;
	return build->policy->context->cwd;
}

/* A slash at the end says that it is a directory. */
static void hold_to_slash(const char *asked, struct node *node)
{
	size_t length = strlen(asked);

	if (length > 0 && asked[length - 1] == '/' && node->error == 0 &&
	    !node->opaque && !S_ISDIR(node->mode))
		node->error = ENOTDIR;
}

static void explain_path(struct build *build, struct answer *answer)
{
	const char *base = base_of(build);
	struct found found = { 0 };

	if (*answer->asked != '/' && base == NULL) {
		answer->note = "the current directory has no name";
		return;
	}
	if (!find_path(build, path_absolute(build->arena, base, answer->asked),
		       &found))
		return;
	hold_to_slash(answer->asked, &found.object);
	hold_to_slash(answer->asked, &found.name);
	answer->place = found.object.place;
	answer->object = found.object.error == 0 ? found.object.host : NULL;
	answer->read = try_read(&found.object);
	answer->write = try_write(&found.object);
	answer->create = try_create(&found.dir);
	answer->rename = try_rename(&found);
	answer->connect = try_connect(&found.object);
	find_rule(build, answer, &found.object);
	answer->mend = find_mend(build, answer);
}

/* Does it end like an address: a colon and digits? A path that does is asked
 * for by ./ or in full. */
static bool is_address(const char *word)
{
	const char *port = strrchr(word, ':');

	return *word != '/' && *word != '.' && port != NULL && port != word &&
	       port[1] != '\0' &&
	       port[1 + strspn(port + 1, "0123456789")] == '\0';
}

static bool is_loopback(const char *word)
{
	return strncmp(word, "127.", 4) == 0 ||
	       strncmp(word, "[::1]:", 6) == 0 ||
	       strncmp(word, "::1:", 4) == 0 ||
	       strncmp(word, "localhost:", 10) == 0;
}

static bool is_numeric(const char *word)
{
	return *word == '[' || word[strspn(word, "0123456789.:")] == '\0';
}

static void explain_address(struct build *build, struct answer *answer)
{
	bool host = build->policy->net == NET_HOST;

	answer->address = true;
	answer->origin = build->policy->net_origin;
	answer->ruled = answer->origin.option != NULL;
	answer->kind = host ? "the host's network" : "no network";
	answer->connect = host ? TRY_DEPENDS : ENETUNREACH;
	answer->mend = host ? NULL : "--net host";
	if (host) {
		answer->note = "as outside";
	} else if (is_loopback(answer->asked)) {
		answer->kind = "the sandbox's own loopback";
		answer->connect = TRY_DEPENDS;
		answer->note = "works when a program inside listens, else "
			       "ECONNREFUSED; never the host's";
	} else if (!is_numeric(answer->asked)) {
		answer->note = "the name is not found, as nobody can be asked";
	}
}

void build_explain(struct build *build)
{
	char **words = build->policy->subjects;
	struct answer *answers;
	size_t count = 0;

	if (words == NULL || build->wants->count != 0)
		return;
	while (words[count] != NULL)
		count++;
	answers = arena_alloc(build->arena, (count + 1) * sizeof(*answers));
	for (size_t i = 0; i < count; i++) {
		answers[i] = (struct answer){ .asked = words[i],
					      .read = TRY_NONE,
					      .write = TRY_NONE,
					      .create = TRY_NONE,
					      .rename = TRY_NONE,
					      .connect = TRY_NONE };
		if (is_address(words[i]))
			explain_address(build, &answers[i]);
		else
			explain_path(build, &answers[i]);
	}
	build->plan->answers = answers;
	build->plan->answer_count = count;
}
