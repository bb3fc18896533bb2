#!/usr/bin/env bats
# What a protection keeps as it is, and that its place cannot be moved away.

load box

git_like() {
	mkdir -p .git/hooks .git/objects
	echo '[core]' >.git/config
	: >.git/HEAD
}

@test "R-8 N-28 protect: a file and a directory are read-only, beside them works" {
	git_like
	works box -- sh -c 'echo y >>.git/config && touch .git/hooks/control'
	fails box --protect .git/config --protect .git/hooks -- \
		sh -c 'echo x >>.git/config'
	assert_output_has "Read-only"
	fails box --protect .git/config --protect .git/hooks -- touch .git/hooks/x
	works box --protect .git/config --protect .git/hooks -- \
		sh -c 'cat .git/config; touch .git/objects/o && mv .git/objects/o .git/o'
	[ -e .git/o ]
	assert_absent .git/hooks/x
}

@test "protect: its name cannot be removed, renamed over or linked over" {
	git_like
	local try
	for try in 'rm -f .git/config' 'mv .git/config x' \
		'mv -f other .git/config' 'ln -sf other .git/config' \
		'rm -rf .git/hooks' 'mv .git/hooks x' 'rmdir .git/hooks' \
		'chmod 777 .git/config' 'truncate -s 0 .git/config'; do
		: >other
		fails box --protect .git/config --protect .git/hooks -- sh -c "$try"
		assert_content .git/config '[core]'
		[ -d .git/hooks ] && [ ! -L .git/config ]
	done
	works box -- sh -c 'mv .git/hooks y && mv y .git/hooks && mv -f other .git/config'
}

@test "A2: an ancestor cannot be renamed away (EBUSY), writes elsewhere work" {
	git_like
	fails box --protect .git/hooks -- \
		sh -c 'mv .git x && mkdir -p .git/hooks && touch .git/hooks/pre-commit'
	assert_output_has "busy"
	assert_absent x .git/hooks/pre-commit
	works box --protect .git/hooks -- sh -c 'echo x >.git/index && mv .git/index .git/i && touch new'
	works box -- sh -c 'mv .git x && mv x .git'
}

@test "A2: every ancestor up to the root is pinned" {
	mkdir -p a/b/c/keep
	local dir
	for dir in a a/b a/b/c a/b/c/keep; do
		fails box --protect a/b/c/keep -- mv -T "$dir" moved
		assert_output_has mv:
		[ -d a/b/c/keep ]
		fails box --protect a/b/c/keep -- sh -c \
			"mkdir n && $HELPERS/swap $dir n"
		assert_output_has swap:
		[ -d a/b/c/keep ]
		rmdir n
	done
	works box -- sh -c 'mv a b && mv b a'
	works box --protect a/b/c/keep -- touch a/x a/b/x a/b/c/x
}

@test "A04: a protected directory cannot be swapped for a link" {
	git_like
	fails box --protect .git -- sh -c 'mv .git .g2; ln -s .g2 .git && [ -L .git ]'
	[ ! -L .git ]
	works box -- sh -c 'mv .git .g2; ln -s .g2 .git && [ -L .git ]'
}

@test "case 12: a protected link to a directory covers what it leads to" {
	mkdir -p .git shared
	ln -s ../shared .git/hooks
	works box -- touch .git/hooks/control
	fails box --protect .git/hooks -- touch .git/hooks/x
	fails box --protect .git/hooks -- touch shared/x
	assert_absent shared/x
}

@test "case 13: a protected link that leads out of every root starts" {
	mkdir "$SCRATCH/elsewhere"
	ln -s "$SCRATCH/elsewhere" .git
	works box --protect .git -- true
	fails box --protect .git -- touch .git/x
	assert_absent "$SCRATCH/elsewhere/x"
}

@test "case 14 15: a protected link into the same root, or to a read-only file" {
	mkdir cfg
	ln -s cfg .tool
	works box --protect .tool -- sh -c '[ -d .tool ]'
	fails box --protect .tool -- touch cfg/x
	ln -s /etc/passwd settings
	works box --protect settings -- true
}

@test "L-22 protect: holds at another place that shows the object" {
	git_like
	works "$CORDON" --write "$W:/srv/w" --cwd / -- touch /srv/w/.git/hooks/c
	fails "$CORDON" --write "$W:/srv/w" --protect "$W/.git/hooks" --cwd / -- \
		touch /srv/w/.git/hooks/x
	fails "$CORDON" --write "$W:/srv/w" --protect "$W/.git/hooks" --cwd / -- \
		mv /srv/w/.git /srv/w/moved
	assert_output_has busy
}

@test "case 32: two nested write roots, both with protected names" {
	mkdir -p in/.cfg .cfg
	run box --write in --protect .cfg --protect in/.cfg -- \
		sh -c 'touch .cfg/x; touch in/.cfg/x; touch in/ok ok'
	assert_output_has "'.cfg/x'"
	assert_output_has "'in/.cfg/x'"
	[ -e in/ok ] && [ -e ok ]
	assert_absent .cfg/x in/.cfg/x
}

@test "protect: a write root below a protection stays writable" {
	mkdir -p keep/open
	works box --protect keep --write keep/open -- touch keep/open/x
	fails box --protect keep --write keep/open -- touch keep/x
	fails box --protect keep --write keep/open -- mv keep gone
	[ -e keep/open/x ]
}

@test "protect: in a read root it changes nothing, and starts" {
	git_like
	works "$CORDON" --read "$W" --protect "$W/.git" -- cat .git/config
	cd /
	works "$CORDON" --protect "$W/.git" --cwd / -- true
}

@test "case 25: a directory that the caller may not write to" {
	mkdir -p d/.git
	chmod 555 d
	works "$CORDON" --write "$W/d" --protect "$W/d/.git" --cwd / -- true
	chmod 755 d
}

@test "protect: a hard link is refused like for masks" {
	echo x >f
	ln f g
	run box --protect f -- sh -c 'echo y >g'
	assert_refused hard_links
	works box -- sh -c 'echo y >g'
}

@test "protect: the same path masked too is a conflict" {
	mkdir d
	run box --protect d --mask d -- true
	assert_refused conflict
	run box --protect d --write d -- true
	assert_refused conflict
}

@test "unprotect: of one's own word contradicts, of nothing is refused" {
	mkdir d
	run box --protect d --unprotect d -- true
	assert_refused conflict
	run box --unprotect d -- true
	assert_refused bad_unmask
}

@test "unprotect: takes a profile's protection away" {
	mkdir d
	echo "protect $W/d" >"$SCRATCH/profile"
	fails box --profile "$SCRATCH/profile" -- touch d/x
	works box --profile "$SCRATCH/profile" --unprotect d -- touch d/x
}

@test "P5 case 7: nothing is made beside what is protected" {
	git_like
	local before
	before=$(find . | sort)
	works box --protect .git/hooks --protect .git/config --mask .git/HEAD -- true
	[ "$(find . | sort)" = "$before" ]
	run box --protect .none/deep -- true
	assert_refused not_yet
	[ "$(find . | sort)" = "$before" ]
}

@test "case 63: git commits while hooks and config are protected" {
	require git
	git init -q .
	works box --protect .git/hooks --protect .git/config -- git \
		-c user.name=a -c user.email=a@localhost commit -q --allow-empty -m x
	works git log --oneline
	assert_output_has x
	fails box --protect .git/hooks --protect .git/config -- \
		git config core.hooksPath /tmp
	works git config core.x y
}
