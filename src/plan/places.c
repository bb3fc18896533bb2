/*
 * What every root has of its own: /proc, /dev, temp, home, /run, and a few
 * files served over /etc.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/path.h"
#include "base/text.h"
#include "plan/build.h"

static struct entry *own_place(struct build *build, enum entry_kind kind,
			       const char *dest)
{
	struct entry *entry = build_entry(build, kind, dest);

	entry->own = true;
	entry->origin = (struct origin){ .place = PLACE_DEFAULT, .word = dest };
	return entry;
}

static void own_private(struct build *build, const char *dest, uint32_t mode)
{
	own_place(build, ENTRY_TMPFS, dest)->mode = mode;
}

/* A directory of the host that serves at another place. */
static void serve_dir(struct build *build, const struct setting *setting,
		      const char *dest, const struct path_fact *fact)
{
	struct entry *entry = build_entry(build, ENTRY_WRITE, dest);

	entry->source = fact->real;
	entry->fact = fact;
	entry->origin = setting->origin;
	entry->typed = true;
}

/* NULL when the facts are still wanted or the directory cannot serve. */
static const struct path_fact *servable(struct build *build,
					const struct setting *setting,
					enum reason reason)
{
	const struct path_fact *fact = build_fact(build, setting->word,
						  WANT_FD | WANT_WRITABLE);
	const char *text = NULL, *mend = NULL;

	if (fact == NULL)
		return NULL;
	if (fact->error != 0) {
		text = "does not exist or cannot be looked at";
		mend = text_quote_after(build->arena, "mkdir -m 700 -p ",
					setting->word);
	} else if (!S_ISDIR(fact->mode)) {
		text = "not a directory";
	} else if (fact->read_only_mount) {
		text = "lies on a read-only mount";
	} else if (fact->uid != build->facts->uid) {
		text = "belongs to somebody else";
	} else if (fact->mode & S_IWOTH) {
		text = "everybody may write to it";
		mend = text_quote_after(build->arena, "chmod o-w ", fact->real);
	}
	if (text == NULL)
		return fact;
	refuse(build->refusals, reason, &setting->origin, text, mend);
	return NULL;
}

static void place_tmp(struct build *build)
{
	const struct setting *tmp = &build->policy->tmp;
	const struct path_fact *fact;

	if (tmp->word == NULL) {
		own_private(build, "/tmp", 01777);
		return;
	}
	fact = servable(build, tmp, REASON_BAD_TMP);
	if (fact != NULL)
		serve_dir(build, tmp, "/tmp", fact);
}

static void serve_home(struct build *build, const char *home)
{
	const struct setting *setting = &build->policy->home;
	const struct path_fact *fact = servable(build, setting,
						REASON_BAD_HOME);
	const struct path_fact *real = build_fact(build, home, 0);

	if (fact == NULL || real == NULL)
		return;
	if (real->error == 0 && strcmp(real->real, fact->real) == 0)
		refuse(build->refusals, REASON_BAD_HOME, &setting->origin,
		       "this is the real home",
		       text_quote_after(build->arena, "--write ", fact->real));
	else
		serve_dir(build, setting, build->home, fact);
}

static void refuse_home(struct build *build, const char *text)
{
	const struct setting *setting = &build->policy->home;

	if (setting->word != NULL)
		refuse(build->refusals, REASON_BAD_HOME, &setting->origin, text,
		       "export HOME=/home/user");
}

/* The home lies at the canonical place of $HOME. */
static void place_home(struct build *build)
{
	const char *home = build->policy->context->home;
	const struct path_fact *fact;

	fact = home == NULL ? NULL : build_fact(build, home, WANT_HOME);
	if (home != NULL && fact == NULL)
		return;
	if (fact != NULL && fact->real != NULL)
		home = fact->real;
	if (home == NULL || strcmp(home, "/") == 0) {
		refuse_home(build, "HOME names no place that it could have");
		return;
	}
	build->home = home;
	if (path_is_under(build->home, "/proc") ||
	    path_is_under(build->home, "/dev") ||
	    strcmp(build->home, "/tmp") == 0 ||
	    strcmp(build->home, "/run") == 0)
		refuse_home(build, "HOME is a place of the sandbox's own");
	else if (build->policy->home.word != NULL)
		serve_home(build, home);
	else if (!path_is_under(build->home, "/tmp"))
		own_private(build, build->home, 0700);
}

static void place_root(struct build *build)
{
	const struct setting *root = &build->policy->root;
	const struct path_fact *fact;
	struct entry *entry;

	if (root->word == NULL)
		return;
	fact = build_fact(build, root->word, WANT_FD);
	if (fact == NULL)
		return;
	if (fact->error != 0 || !S_ISDIR(fact->mode)) {
		refuse(build->refusals, REASON_BAD_ROOT, &root->origin,
		       fact->error != 0
			       ? "does not exist or cannot be looked at"
			       : "not a directory",
		       NULL);
		return;
	}
	entry = build_entry(build, ENTRY_READ, "/");
	entry->source = fact->real;
	entry->fact = fact;
	entry->origin = root->origin;
	entry->typed = true;
}

void build_places(struct build *build)
{
	place_root(build);
	/* never the outer one, which a root would show */
	if (build->policy->proc == PROC_NEW)
		own_place(build, ENTRY_PROC, "/proc");
	else
		own_private(build, "/proc", 0555);
	own_place(build, ENTRY_DEV, "/dev");
	own_private(build, "/run", 0755);
	place_tmp(build);
	place_home(build);
}

/* A file of ours at a path: over the host's where that is visible, at the end
 * of a link that leads into what is ours, or in a directory of ours. */
static void serve_file(struct build *build, const char *path,
		       const struct text *content)
{
	const char *outside = build_outside(build, path);
	const struct path_fact *fact = NULL;
	struct op *op;

	if (build_is_hidden(build, path))
		return;
	if (outside != NULL) {
		fact = build_fact(build, outside, WANT_MISSING);
		if (fact == NULL)
			return;
		if (fact->real != NULL && strcmp(fact->real, outside) != 0)
			path = fact->real; /* a link, perhaps into /run */
		else if (fact->error != 0)
			return; /* nothing to cover, nothing is made */
		outside = build_outside(build, path);
	}
	if (outside == NULL && !build_is_ours(build, path))
		return; /* masked */
	if (outside == NULL) {
		build_made_dir(build, path_parent(build->arena, path));
		map_put(&build->made, path, build);
	} else if (fact->error != 0) {
		return;
	}
	op = build_op(build, outside != NULL ? OP_COVER : OP_FILE);
	op->path = path;
	op->mode = 0644;
	op->data = content->bytes;
	op->size = content->length;
}

static void add_host_table(struct build *build, struct text *text)
{
	const struct path_fact *fact = build_fact(build, "/etc/hosts",
						  WANT_TEXT);

	if (fact == NULL || fact->head == NULL)
		return;
	text_add_bytes(text, fact->head, fact->head_length);
	if (text->length > 0 && text->bytes[text->length - 1] != '\n')
		text_add_char(text, '\n');
}

/* Programs ask for the address of their own host name (Java's getLocalHost). */
static void serve_hosts(struct build *build)
{
	const char *name = build_hostname(build);
	struct text text;

	text_init(&text, build->arena);
	text_add(&text, "127.0.0.1\tlocalhost\n"
			"::1\tlocalhost ip6-localhost ip6-loopback\n"
			"127.0.1.1\t");
	text_add(&text, name);
	text_add_char(&text, '\n');
	if (build->policy->net == NET_HOST)
		add_host_table(build, &text);
	serve_file(build, "/etc/hosts", &text);
}

/* With --net host: a copy, because the host's file is often a link into /run,
 * whose directory also holds a socket. Without network every look-up fails at
 * once, whomever it asks; where it is watched it is to ask the supervisor, who
 * hears the name. */
static void serve_resolver(struct build *build)
{
	bool is_host = build->policy->net == NET_HOST;
	const struct path_fact *fact;
	struct text text;

	if (!is_host && !build_is_net_watched(build))
		return;
	text_init(&text, build->arena);
	if (is_host) {
		fact = build_fact(build, "/etc/resolv.conf", WANT_TEXT);
		if (fact == NULL || fact->head == NULL)
			return;
		text_add_bytes(&text, fact->head, fact->head_length);
	} else {
		text_add(&text, "nameserver 127.0.0.1\n");
	}
	serve_file(build, "/etc/resolv.conf", &text);
}

/*
 * ssh refuses an included file that belongs neither to root nor to the user,
 * and the host's root is nobody inside (unless the caller is root): the drop-in
 * directory is served as copies.
 */
static void serve_ssh(struct build *build)
{
	static const char dir[] = "/etc/ssh/ssh_config.d";
	const struct path_fact *fact;
	struct op *op;

	if (build->facts->root || build_outside(build, dir) == NULL)
		return;
	fact = build_fact(build, dir, WANT_TEXTS);
	if (fact == NULL || fact->error != 0 || fact->text_count == 0 ||
	    strcmp(fact->real, dir) != 0)
		return;
	op = build_op(build, OP_PRIVATE);
	op->path = dir;
	op->mode = 0755;
	for (size_t i = 0; i < fact->text_count; i++) {
		op = build_op(build, OP_FILE);
		op->path = path_join(build->arena, dir, fact->texts[i].name);
		op->mode = 0644;
		op->data = fact->texts[i].text;
		op->size = fact->texts[i].length;
	}
	build_op(build, OP_SEAL)->path = dir;
}

/* One line of passwd or group has the id as its third field. */
static bool has_id(const struct path_fact *fact, uint32_t id)
{
	const char *at = fact->head;
	const char *end;

	if (at == NULL)
		return false;
	end = at + fact->head_length;
	while (at < end) {
		uint64_t number = 0;
		const char *line = at;

		for (int colons = 0; at < end && *at != '\n' && colons < 2;
		     at++)
			colons += *at == ':';
		for (; at < end && *at >= '0' && *at <= '9'; at++)
			number = number * 10 + (uint64_t)(*at - '0');
		if (at > line && at < end && *at == ':' && number == id &&
		    at[-1] != ':')
			return true;
		while (at < end && *at++ != '\n')
			;
	}
	return false;
}

static void serve_names(struct build *build, const char *path, uint32_t id,
			const char *rest)
{
	const char *outside = build_outside(build, path);
	const struct path_fact *fact =
		build_fact(build, outside != NULL ? outside : path, WANT_TEXT);
	struct text text;

	if (fact == NULL || (outside != NULL && has_id(fact, id)))
		return;
	text_init(&text, build->arena);
	if (fact->head != NULL)
		text_add_bytes(&text, fact->head, fact->head_length);
	if (text.length > 0 && text.bytes[text.length - 1] != '\n')
		text_add_char(&text, '\n');
	if (!has_id(fact, id)) {
		text_add(&text, build->facts->user != NULL ? build->facts->user
							   : "user");
		text_add(&text, ":x:");
		text_add_number(&text, id);
		text_add(&text, rest);
	}
	serve_file(build, path, &text);
}

static void serve_identity(struct build *build)
{
	const char *home = build->home != NULL ? build->home : "/";
	struct text rest;

	text_init(&rest, build->arena);
	text_add_char(&rest, ':');
	text_add_number(&rest, build_gid(build));
	text_add(&rest, "::");
	text_add(&rest, home);
	text_add(&rest, ":/bin/sh\n");
	serve_names(build, "/etc/passwd", build_uid(build), rest.bytes);
	serve_names(build, "/etc/group", build_gid(build), ":\n");
}

/* /run's own directories, and /var/tmp, which is /tmp. */
static void serve_run(struct build *build)
{
	static const struct link_fact links[] = { { "/var/run", "/run" },
						  { "/var/tmp", "/tmp" } };
	struct op *op;
	struct text dir;

	if (build_is_ours(build, "/run")) {
		build_made_dir(build, "/run/user");
		text_init(&dir, build->arena);
		text_add(&dir, "/run/user/");
		text_add_number(&dir, build_uid(build));
		map_put(&build->made, dir.bytes, build);
		op = build_op(build, OP_DIR);
		op->path = dir.bytes;
		op->mode = 0700;
	}
	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) {
		if (build_covering(build, links[i].path) != NULL ||
		    map_get(&build->made, links[i].path) != NULL)
			continue;
		build_made_dir(build, "/var");
		map_put(&build->made, links[i].path, build);
		op = build_op(build, OP_LINK);
		op->path = links[i].path;
		op->source = links[i].target;
	}
}

/* Where the host backs /var, its /var/tmp is covered by the private one. */
static void serve_var_tmp(struct build *build)
{
	const char *outside = build_outside(build, "/var/tmp");
	const struct entry *entry = build_covering(build, "/var/tmp");
	const struct path_fact *fact;
	struct op *op;

	if (outside == NULL || strcmp(entry->dest, "/var/tmp") == 0)
		return;
	fact = build_fact(build, outside, 0);
	if (fact == NULL || fact->error != 0 ||
	    strcmp(fact->real, outside) != 0)
		return;
	op = build_op(build, OP_SAME);
	op->path = "/var/tmp";
	op->source = "/tmp";
}

/* A home below one of our places is just a directory there. */
static void make_home(struct build *build)
{
	const struct entry *entry;

	if (build->home == NULL || build_outside(build, build->home) != NULL)
		return;
	entry = build_covering(build, build->home);
	if (entry != NULL && strcmp(entry->dest, build->home) != 0 &&
	    entry->kind == ENTRY_TMPFS)
		build_made_dir(build, build->home);
}

void build_files(struct build *build)
{
	make_home(build);
	serve_run(build);
	serve_var_tmp(build);
	serve_hosts(build);
	serve_resolver(build);
	serve_identity(build);
	serve_ssh(build);
}
