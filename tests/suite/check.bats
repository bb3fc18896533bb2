#!/usr/bin/env bats
# cordon check: the shipped profiles hold, what the rules open is said, and so is
# what cannot be checked.

load box
load check

# -- the shipped profiles ------------------------------------------------

@test "check: the wall holds with the profile agent" {
	echo TOKEN=1 >"$W/.env"
	mkdir "$HOME/.cache"
	check --profile agent
	holds
	assert_output_has "ok  masks are closed: EACCES"
	assert_output_has "ok  write roots are writable: 0, there"
	assert_output_has "ok  overlays are writable, and gone afterwards: 0, gone"
	rm "$W/.env"
	nothing_left
}

@test "check: the wall holds with the profile build" {
	check --profile build
	holds
	nothing_left
}

@test "check: the wall holds with the profile offline" {
	check --profile offline
	holds
	assert_output_has "ok  overlays are writable, and gone afterwards: 0, gone"
	nothing_left
}

@test "N-70 R-16 check: a rule of each kind, and every step is made in the real sandbox" {
	rules
	check "${RULES[@]}"
	holds
	[ "$(grep -c '^ok  ' <<<"$output")" -eq 23 ]
	nothing_left
}

@test "check: one line a step and a sum, without rules too" {
	cd /
	check
	holds
	[ "${#lines[@]}" -eq 24 ]
	[ "$(grep -cE '^(ok  |-   )' <<<"$output")" -eq 23 ]
}

@test "check: what the kernel treats apart below a read root" {
	local as=(-r)
	if is_root; then as=(); fi
	mkdir -p "$SCRATCH/read/closed"
	touch "$SCRATCH/read/net" "$SCRATCH/read/mnt"
	apart_below() {
		unshare "${as[@]}" --mount --propagation private sh -c '
			mount --bind "$0" "$0" && mount --make-private "$0" &&
			mount --bind /proc/self/ns/net "$0/net" &&
			{ unshare --mount="$0/mnt" true 2>/dev/null || :; } &&
			mount -t tmpfs closed "$0/closed" &&
			mount --make-unbindable "$0/closed" && exec "$@"' \
			"$SCRATCH/read" "$@"
	}
	cd /
	run apart_below "$CORDON" check --read "$SCRATCH/read"
	holds
	# not every kernel lets a new mount namespace be bound here; newer ones forget
	# in a copy that a mount is not to be bound
	run apart_below unshare --mount "$CORDON" check --read "$SCRATCH/read"
	holds
}

@test "check: for root as another user" {
	require_root
	cd /
	check --uid 1001
	holds
}

# -- what the rules open -------------------------------------------------

@test "check: what the rules themselves open is expected, and said" {
	cd /
	check --nested
	holds
	assert_output_has "is refused: 0 (3 tried) (allowed by --nested)"
	check --seccomp none
	holds
	assert_output_has "-   the filter answers as its table says: --seccomp none"
	check --seccomp devel
	holds
	check --seccomp "$TOP_SRCDIR/seccomp/default.json"
	holds
	assert_output_has "(your own: its answers are not known)"
	check --proc none
	holds
	assert_output_has "(--proc none)"
	check --net host --allow-abstract
	holds
	assert_output_has "(--net host; nothing beyond loopback is tried)"
	assert_output_has "abstract sockets as promised: 0 (--allow-abstract)"
}

@test "check: a kept descriptor is expected, and no other" {
	cd /
	run "$CORDON" check --keep-fd 7 7</etc/hostname
	holds
	assert_output_has "(--keep-fd)"
}

@test "check: a secret is planted where the rules show nothing" {
	cd /
	check --read /tmp --write "$W"
	holds
	assert_output_has "ok  a planted secret is unreadable"
	nothing_left
}

# -- its words and its probe ---------------------------------------------

@test "N-47 check: 0 when it holds, 1 when it does not, 2 when it could not run" {
	cd /
	check
	assert_status 0
	CORDON_TEST_LEAVE_OUT=keyring run apart "$TOP_BUILDDIR/cordon-inspect" \
		"$MUTANT" check
	assert_status 1
	[[ ${lines[-1]} == 'the wall does not hold: '*' 1 do not, 0 unproven, '* ]]
	check --no-system
	assert_status 2
}

@test "N-72 check: rules are words, and no shell reads them" {
	local name="$W/a'; touch ran; \"b"
	mkdir "$name"
	check --write "$name" --cwd /
	holds
	[ ! -e ran ]
	[ ! -e /ran ]
	nothing_left
}

@test "N-73 check: what a masked file holds is not said, even where it is open" {
	RULES=(--write "$W" --mask "$W/masked" --cwd /)
	echo 'a secret word' >"$W/masked"
	mutant "mask verify" masks mounts
	assert_output_lacks "secret word"
	check --json "${RULES[@]}"
	assert_status 0
	assert_output_lacks "secret word"
}

@test "N-74 check: the probe by hand does what it is told, with the caller's rights" {
	touch "$W/file"
	run "$TOP_BUILDDIR/cordon-inspect" - probe </dev/null
	assert_status 0
	[ -z "$output" ]
	probe_words() {
		printf '%s\0' "$@" '' |
			"$TOP_BUILDDIR/cordon-inspect" - probe
	}
	run probe_words read "$W/file"
	[ "$output" = 0 ]
	run probe_words alter "$W/none"
	[ "$output" = ENOENT ]
	run probe_words no-such-word
	[ "$output" = unknown ]
}

# -- what cannot be checked ----------------------------------------------

@test "check: exit 2 and the reason where its program cannot run" {
	cd /
	check --no-system
	assert_status 2
	assert_output_has "(needs_read)"
	assert_output_has "cordon: check: its program cannot be run behind these rules"
	mkdir -p "$SCRATCH/root/"{dev,proc,run,tmp,etc,var} "$SCRATCH/root$HOME"
	touch "$SCRATCH/root/etc/"{hosts,passwd,group,resolv.conf}
	check --root "$SCRATCH/root"
	assert_status 2
	assert_output_has "cordon: check: "
}

@test "check: exit 2 and the refusals where the rules are refused" {
	cd /
	check --read /nonexistent
	assert_status 2
	assert_output_has "(bad_read)"
	assert_output_has "cordon: check: the rules are refused"
	check --write
	assert_status 2
	assert_output_has "(bad_value)"
	assert_output_lacks "status-fd"
}

@test "check: exit 2 for a command, and for words that are not for it" {
	cd /
	check true
	assert_status 2
	assert_output_has "no command"
	check -- true
	assert_status 2
	check --args 3
	assert_status 2
	assert_output_has "--args: not for check"
	check --timeout=3s
	assert_status 2
	check --
	assert_status 2
	assert_output_has "no command"
}

@test "check: a value that looks like an option is one of the rules" {
	require jq
	cd /
	check --env --id
	assert_status 2
	assert_output_has "(bad_env)"
	assert_output_lacks "not for check"
	check --env A=1 --json --env-no-such
	assert_status 2
	assert_output_has "(bad_option)"
	check --env A=--id --json
	assert_status 0
	jq -e .holds <<<"$output"
}

@test "check: exit 2 and the reason where limits or --within stop its program" {
	cd /
	check --limit files=3
	assert_status 2
	assert_output_has "error while loading shared libraries"
	assert_output_has "their limits leave it too little"
	check --limit stack=16K
	assert_status 2
	assert_output_has "(exit status 139)"
	echo 'read /usr' >"$SCRATCH/narrow"
	check --within "$SCRATCH/narrow"
	assert_status 2
	assert_output_has "(wider)"
	assert_output_has "cordon: check: its program cannot be run behind these rules"
}

@test "check: an own filter that ends the probe leaves the rest unproven" {
	filter_of '{ "names": ["kill"], "action": "SCMP_ACT_KILL_PROCESS" }'
	cd /
	check --seccomp "$SCRATCH/filter.json"
	assert_status 2
	assert_output_has "cordon: check: the probe inside ended at: signal "
	assert_output_has "ok  a planted secret is unreadable"
	assert_output_has "??  no host process is visible or killable: signal "
	assert_output_has "??  capability sets are empty: caps: not tried"
	assert_output_has "ok  the mount table is the plan's"
	[[ ${lines[-1]} == 'not all could be proven: '*' 0 do not, '* ]]
}

@test "check: an own filter that denies what the probe uses is no failure" {
	filter_of '{ "names": ["removexattr", "keyctl", "unshare"],
		"action": "SCMP_ACT_ERRNO", "errnoRet": 1 }'
	cd /
	check --seccomp "$SCRATCH/filter.json"
	holds
	filter_of '{ "names": ["removexattr", "keyctl", "unshare"],
		"action": "SCMP_ACT_KILL_PROCESS" }'
	check --seccomp "$SCRATCH/filter.json"
	holds
}

@test "check: limits of the rules are not walls" {
	cd /
	echo below >"$W/file"
	check --limit file-size=0 --overlay "$W"
	holds
	assert_output_has "ok  overlays are writable, and gone afterwards: 0, same, gone (4 tried)"
	if is_root; then return; fi
	check --limit procs=2
	assert_status 2
	assert_output_has "??  TIOCSTI is refused: tiocsti: not tried"
	assert_output_has "??  a nested user namespace is refused: unshare: not tried"
	[[ ${lines[-1]} == *' 0 do not, 2 unproven, '* ]]
}

@test "check: a signal ends it, and nothing is left" {
	local i dir seen=0
	rules
	for i in 1 2 3 4 5 6 7 8; do
		"$CORDON" check "${RULES[@]}" >"$SCRATCH/out" 2>&1 &
		sleep "0.0$((2 * i))"
		dir=$(planted_by $!)
		kill -TERM $! 2>/dev/null || true
		wait $! || true
		[ -z "$dir" ] || { seen=1; [ ! -e "$dir" ]; }
	done
	[ "$seen" -eq 1 ]
	nothing_left
}

# -- JSON ----------------------------------------------------------------

@test "check: --json is one object, before and behind the rules" {
	require jq
	rules
	check --json "${RULES[@]}"
	assert_status 0
	[ "${#lines[@]}" -eq 1 ]
	jq -e '.holds == true and (.steps | length) == 23' <<<"$output"
	jq -e 'all(.steps[]; .name and .what and .state == "ok")' <<<"$output"
	jq -e 'all(.steps[].attempts[];
		.what and .expect and .got and .holds)' <<<"$output"
	# a call that the kernel itself denies shows no filter
	jq -e 'all(.steps[] | select(.name != "filter") | .attempts[];
		.proven)' <<<"$output"
	jq -e '[.steps[] | select(.name == "filter") | .attempts[] |
		select(.proven)] | length > 40' <<<"$output"
	check "${RULES[@]}" --json
	jq -e '.holds' <<<"$output"
}
