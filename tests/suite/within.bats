#!/usr/bin/env bats
# --within: rules may only narrow another policy. And profiles by name: what one
# run may write does not decide what the next may do.

load box

outer() {
	cat >"$SCRATCH/outer"
}

within() {
	"$CORDON" --within "$SCRATCH/outer" "$@"
}

# A directory whose parts have their own rules.
tree() {
	mkdir -p d/sub d/ro q
	echo secret >d/key
	echo text >d/ro/file
	echo other >q/file
	outer <<-EOF_
		write $W/d
		read $W/d/ro
		mask $W/d/key
	EOF_
}

@test "L-10: roots may be dropped, smaller and read-only" {
	tree
	works within --write d/sub -- touch "$W/d/sub/new"
	[ -e d/sub/new ]
	works within --read d --cwd / -- ls "$W/d/sub"
	assert_output_is new
	fails within --read d --cwd / -- touch "$W/d/sub/no"
	assert_output_has Read-only
	works within --cwd / -- true
	works within --read d/sub:/elsewhere --cwd / -- ls /elsewhere
	assert_output_is new
}

@test "L-10: each widening is refused with both rules, all at once, and nothing ran" {
	tree
	run within --write q --write d/ro --read d/key --net host --nested \
		--limit core=1G --env SSH_AUTH_SOCK=/s --cwd / -- touch "$W/d/ran"
	assert_refused wider
	[ "$(grep -c '(wider)' <<<"$output")" -eq 7 ]
	assert_output_has "--write q: no rule of --within"
	assert_output_has "--write d/ro: wider than read $W/d/ro ($SCRATCH/outer:2)"
	assert_output_has "mend: --read d/ro"
	assert_output_has "--read d/key: wider than mask $W/d/key ($SCRATCH/outer:3)"
	assert_output_has "--net host: wider than the default of $SCRATCH/outer: --net none"
	assert_absent d/ran
	# control: without --within the same roots start
	works "$CORDON" --write q --write d/ro --read d/key \
		--limit core=1G --env SSH_AUTH_SOCK=/s --cwd / -- touch "$W/q/ran"
	[ -e q/ran ]
}

@test "L-10: what is within a narrowed policy is held against that one" {
	tree
	printf 'within %s\nread %s\n' "$SCRATCH/outer" "$W/d" >"$SCRATCH/inner"
	works "$CORDON" --within "$SCRATCH/inner" --read d/sub --cwd / -- ls "$W/d/sub"
	run "$CORDON" --within "$SCRATCH/inner" --write d/sub --cwd / -- true
	assert_refused wider
	assert_output_has "($SCRATCH/inner:2)"
	# the one in between may not be wider either
	printf 'within %s\nread %s\n' "$SCRATCH/outer" "$W" >"$SCRATCH/inner"
	run "$CORDON" --within "$SCRATCH/inner" --cwd / -- true
	assert_refused wider
	assert_output_has "($SCRATCH/inner:2)"
}

@test "L-10: from --args and from a profile as from the command line" {
	tree
	printf '%s\0' --write q --cwd / -- true >"$SCRATCH/words"
	run within --args 4 4<"$SCRATCH/words"
	assert_refused wider
	printf 'within %s\n' "$SCRATCH/outer" >"$SCRATCH/p"
	run "$CORDON" --write q --profile "$SCRATCH/p" --cwd / -- true
	assert_refused wider
	works "$CORDON" --write d --profile "$SCRATCH/p" --cwd / -- true
}

@test "L-11: a root keeps the right that the policy gives it, and no more" {
	tree
	echo "read $W/d" | outer
	run within --write d -- true
	assert_refused wider
	run within --overlay d -- true
	[ "$status" -eq 0 ] || assert_output_has "(bad_overlay)"
	works within --read d --cwd / -- cat "$W/d/key"
	printf 'write %s\ntmpfs %s/sub\n' "$W/d" "$W/d" | outer
	echo hidden >d/sub/file
	run within --write d --cwd / -- cat "$W/d/sub/file"
	assert_refused wider
	assert_output_has "($SCRATCH/outer:2)"
	works within --write d --mask d/sub --cwd / -- cat "$W/d/key"
	# control
	works "$CORDON" --write d --cwd / -- cat "$W/d/sub/file"
}

@test "L-12 network: the host's within the host's only, none always" {
	echo 'net host' | outer
	works within --net none --cwd / -- true
	works "$CORDON" show --within "$SCRATCH/outer" --cwd / -- true
	assert_output_has "none: loopback only"
	printf 'net host\nallow-abstract\n' | outer
	works "$CORDON" show --within "$SCRATCH/outer" --net host \
		--allow-abstract --cwd / -- true
	assert_output_has "the host's"
	echo 'net none' | outer
	run within --net host --allow-abstract --cwd / -- true
	assert_refused wider
	assert_output_has "net none ($SCRATCH/outer:1)"
}

@test "L-13: masks and protections of the policy hold, under every name" {
	tree
	echo "protect $W/d/sub" >>"$SCRATCH/outer"
	fails within --write d --read d:/x --cwd / -- cat "$W/d/key"
	fails within --write d --read d:/x --cwd / -- cat /x/key
	fails within --write d --cwd / -- touch "$W/d/sub/no"
	fails within --write d --cwd / -- touch "$W/d/ro/no"
	fails within --write d:/x --cwd / -- touch /x/ro/no
	fails within --write d --cwd / -- mv "$W/d/sub" "$W/d/away"
	works within --write d --cwd / -- touch "$W/d/yes"
	# control: the same rules without it
	works "$CORDON" --write d --read d:/x --cwd / -- cat "$W/d/key" /x/key
	works "$CORDON" --write d --cwd / -- \
		touch "$W/d/sub/no" "$W/d/ro/no"
}

@test "L-13: --unmask and --unprotect do not take them away" {
	mkdir -p "$HOME/.ssh" d
	echo key >"$HOME/.ssh/id"
	echo text >d/file
	printf 'write %s\nprotect %s\nwrite %s\n' "$W" "$W/d" "$HOME" | outer
	run within --write "$HOME" --unmask @secrets --cwd / -- cat "$HOME/.ssh/id"
	assert_refused wider
	assert_output_has "of @secrets"
	fails within --write "$HOME" --cwd / -- cat "$HOME/.ssh/id"
	printf 'protect %s\n' "$W/d" >"$SCRATCH/p"
	run within --write . --profile "$SCRATCH/p" --unprotect d -- touch d/no
	assert_refused wider
	# control
	works "$CORDON" --write "$HOME" --unmask @secrets --cwd / -- cat "$HOME/.ssh/id"
	works "$CORDON" --write . --profile "$SCRATCH/p" --unprotect d -- touch d/yes
}

@test "L-14: a link is what it leads to" {
	tree
	ln -s ../q d/out
	ln -s sub d/in
	run within --write d/out --cwd / -- touch "$W/q/no"
	assert_refused wider
	assert_output_has "$W/q"
	assert_absent q/no
	works within --write d/in --cwd / -- touch "$W/d/sub/yes"
	# control: the link works as a root
	works "$CORDON" --write d/out --cwd / -- touch "$W/q/yes"
	# the policy's own link is what it leads to as well
	echo "write $W/d/out" | outer
	works within --write q --cwd / -- touch "$W/q/again"
	run within --write d --cwd / -- true
	assert_refused wider
}

@test "L-14: /var/tmp, which no run shows, by another name neither" {
	echo 'read /' | outer
	run within --read /var:/v --cwd / -- ls /v/tmp
	assert_refused wider
	assert_output_has /var/tmp
	works within --read /var:/v --mask /var/tmp --cwd / -- ls /v
}

@test "within: limits, the time limit and the environment are taken over" {
	printf 'limit files=77\ntimeout 1s\nunset-env TOKEN\nenv MODE=strict\n' |
		outer
	export TOKEN=t MODE=loose
	works within --cwd / -- sh -c 'ulimit -n; echo "$MODE ${TOKEN-none}"'
	assert_output_is "77
strict none"
	works within --cwd / --limit files=33 -- sh -c 'ulimit -n'
	assert_output_is 33
	run within --cwd / -- sleep 30
	assert_status 124
	run within --cwd / --limit files=78 --timeout 2s --env TOKEN -- true
	assert_refused wider
	[ "$(grep -c '(wider)' <<<"$output")" -eq 3 ]
	assert_output_has "mend: --limit files=77"
	# control
	works "$CORDON" --cwd / --limit files=78 -- sh -c 'ulimit -n; echo "$MODE $TOKEN"'
	assert_output_is "78
loose t"
}

@test "within: defaults are what remains of them" {
	printf 'no-system\nread /usr\nread /bin\nread-try /lib\nread-try /lib64\n' |
		outer
	works within --cwd / -- ls /usr
	fails within --cwd / -- test -e /etc/shells
	run within --read /etc --cwd / -- true
	assert_refused wider
	# control
	works "$CORDON" --cwd / -- test -d /etc/alternatives
}

@test "within: its own faults have its name and line; a loop ends" {
	printf 'read /none\nno-such\n' | outer
	run within --cwd / -- true
	assert_status 125
	assert_output_has "$SCRATCH/outer:1"
	assert_output_has "$SCRATCH/outer:2"
	run within --within ./none --cwd / -- true
	assert_refused bad_profile
	echo "within $SCRATCH/outer" | outer
	run timeout 10 "$CORDON" --within "$SCRATCH/outer" --cwd / -- true
	assert_refused bad_profile
}

@test "within: the shipped profiles serve as policies, each within itself" {
	local name
	mkdir -p "$HOME/.config/cordon" "$HOME/.cache" sub
	cp "$TOP_SRCDIR"/profiles/{agent,build,offline} "$HOME/.config/cordon"
	for name in agent build offline; do
		works "$CORDON" show --within $name --profile $name -- true
		assert_output_has "$W"
		works "$CORDON" --within $name --write sub --cwd / -- \
			touch "$W/sub/$name"
		run "$CORDON" --within $name --write "$SCRATCH" --cwd / -- true
		assert_refused wider
		run "$CORDON" --within $name --write "$HOME/.cache" --cwd / -- true
		assert_refused wider
		run "$CORDON" --within $name --net host --cwd / -- true
		assert_refused wider
	done
	[ -e sub/agent ] && [ -e sub/build ] && [ -e sub/offline ]
	# what is not narrower: all files, or more of the environment
	run "$CORDON" --within agent --profile offline -- true
	assert_refused wider
	assert_output_has "offline:4)"
	run "$CORDON" --within build --env OTHER=x --cwd / -- true
	assert_refused wider
	assert_output_has "clear-env"
}

# A cordon that shows its own program, for another one inside.
inner() {
	nested --read "$CORDON" "$@"
}

@test "L-10: a run inside a run cannot see or do more than the outer" {
	tree
	# the checkout may be closed to root's other identity
	cp "$CORDON" "$SCRATCH/cordon"
	CORDON=$SCRATCH/cordon
	local out=(--write "$W/d" --mask "$W/d/key" --read "$W/d/ro")
	works inner "${out[@]}" --cwd "$W/d" -- "$CORDON" --write "$W/d" -- touch made
	[ -e d/made ]
	# outside of the outer's roots
	run inner "${out[@]}" --cwd "$W/d" -- "$CORDON" --read "$W/q" --cwd / -- \
		cat "$W/q/file"
	assert_refused bad_read
	# what it masks, and what it shows read-only
	fails inner "${out[@]}" --cwd "$W/d" -- "$CORDON" --write "$W/d" -- cat key
	assert_output_lacks secret
	fails inner "${out[@]}" --cwd "$W/d" -- "$CORDON" --write "$W/d/ro" \
		--cwd / -- touch "$W/d/ro/no"
	assert_absent d/ro/no
	# its network
	works inner "${out[@]}" --cwd "$W/d" -- "$CORDON" --net host \
		--allow-abstract --cwd / -- cat /proc/net/dev
	assert_output_has lo:
	[ "$(grep -c : <<<"$output")" -eq 1 ]
	# controls: the same inner runs alone
	works "$CORDON" --read "$W/q" --cwd / -- cat "$W/q/file"
	works "$CORDON" --uid "$(stat -c %u d)" --write "$W/d" --cwd "$W/d" -- cat key
	works "$CORDON" --uid "$(stat -c %u d)" --write "$W/d/ro" --cwd / -- \
		touch "$W/d/ro/no"
}

@test "profile: found by name in the user's directory before the shipped ones" {
	local dir=$HOME/.config/cordon
	works "$CORDON" show --profile offline -- true
	mkdir -p "$dir"
	echo 'hostname mine' >"$dir/offline"
	echo 'hostname ci' >"$dir/ci"
	works "$CORDON" --profile offline --cwd / -- uname -n
	assert_output_is mine
	works "$CORDON" --profile ci --cwd / -- uname -n
	assert_output_is ci
	# never in the current directory, nor above
	echo 'hostname here' >here
	run "$CORDON" --profile here --cwd / -- true
	assert_refused bad_profile
	assert_output_has "mend: --profile ./here"
	works "$CORDON" --profile ./here --cwd / -- uname -n
	assert_output_is here
	run "$CORDON" --profile ../cordon/ci --cwd / -- true
	assert_refused bad_profile
}

@test "profile: then in the system's, then the shipped ones" {
	local prefix sysconfdir
	prefix=$(sed -n 's/^prefix = //p' "$TOP_BUILDDIR/Makefile")
	sysconfdir=$(sed -n 's/^sysconfdir = //p' "$TOP_BUILDDIR/Makefile")
	sysconfdir=${sysconfdir/'${prefix}'/$prefix}
	[ -d "$sysconfdir" ] || skip_or_fail "no $sysconfdir"
	mkdir -p etc/cordon "$HOME/.config/cordon"
	echo 'hostname system' >etc/cordon/offline
	# shellcheck disable=SC2016 # for the inner shell
	local in=(unshare -Urm sh -c 'mount --bind etc "$1" && shift && exec "$@"'
		sh "$sysconfdir")
	works "${in[@]}" "$CORDON" show --profile offline --cwd / -- true
	assert_output_has "host name system"
	echo 'hostname user' >"$HOME/.config/cordon/offline"
	works "${in[@]}" "$CORDON" show --profile offline --cwd / -- true
	assert_output_has "host name user"
	rm -r etc/cordon "$HOME/.config/cordon"
	works "${in[@]}" "$CORDON" show --profile offline -- true
	assert_output_has "host name cordon"
}

@test "A08: a profile by name that a run may rewrite is refused, by path it is read" {
	local dir=$HOME/.config/cordon
	mkdir -p "$dir"
	echo 'hostname ci' >"$dir/ci"
	run "$CORDON" --profile ci --write "$HOME" --cwd / -- uname -n
	assert_refused bad_profile
	assert_output_has "$dir/ci, which --write $HOME lets"
	assert_output_has "mend: --profile $dir/ci"
	works "$CORDON" --profile "$dir/ci" --write "$HOME" --cwd / -- uname -n
	assert_output_is ci
	run "$CORDON" --within ci --write "$HOME" --cwd / -- uname -n
	assert_refused bad_profile
	# a root that the profile itself names counts like any other
	echo "write $HOME" >>"$dir/ci"
	run "$CORDON" --profile ci --cwd / -- true
	assert_refused bad_profile
	# controls: nothing can write there
	works "$CORDON" --profile "$dir/ci" --cwd / -- \
		sh -c "echo 'net host' >>$dir/ci"
	sed -i '/write/d; /net/d' "$dir/ci"
	works "$CORDON" --profile ci --write "$W" --cwd / -- uname -n
	works "$CORDON" --profile ci --read "$HOME" --cwd / -- uname -n
	works "$CORDON" --profile ci --write "$HOME" --protect "$dir" --cwd / -- \
		uname -n
	assert_output_is ci
}

@test "A08: so is one that a link in a write root leads to" {
	mkdir -p "$HOME/.config" w "$SCRATCH/kept"
	echo 'hostname ci' >"$SCRATCH/kept/ci"
	ln -s "$W/w" "$HOME/.config/cordon"
	ln -s "$SCRATCH/kept/ci" w/ci
	run "$CORDON" --profile ci --write "$W/w" --cwd / -- true
	assert_refused bad_profile
	# control: the same link, not writable
	works "$CORDON" --profile ci --read "$W/w" --cwd / -- uname -n
	assert_output_is ci
}

@test "profile: includes others, eight deep and no deeper" {
	local i
	for i in 1 2 3 4 5 6 7 8; do
		printf 'env E%d=x\nprofile %s/%d\n' $i "$SCRATCH" $((i + 1)) \
			>"$SCRATCH/$i"
	done
	sed -i '/profile/d' "$SCRATCH/8"
	works "$CORDON" --profile "$SCRATCH/1" --cwd / -- sh -c 'echo $E1$E4$E8'
	assert_output_is xxx
	echo "profile $SCRATCH/1" >"$SCRATCH/0"
	run "$CORDON" --profile "$SCRATCH/0" --cwd / -- true
	assert_refused bad_profile
	assert_output_has "$SCRATCH/7:2"
}
