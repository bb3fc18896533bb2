#!/usr/bin/env bats
# cordon check: each attempt has a control that was possible outside, and what is
# planted for it is nobody's way to anything else.

load box
load check

# with_stopped COMMAND...: a check for uid 1001 stands still with its directory
# given away, COMMAND DIR runs as that user, and it goes on to its end.
with_stopped() {
	local pid try dir=
	for ((try = 0; try < 20; try++)); do
		"$CORDON" check --uid 1001 >"$SCRATCH/out" 2>&1 &
		pid=$!
		STARTED+=("$pid")
		until dir=$(planted_by "$pid") && [ -n "$dir" ] &&
			[ "$(stat -c %u "$dir")" = 1001 ]; do
			kill -0 "$pid" 2>/dev/null || break
		done
		kill -STOP "$pid" 2>/dev/null || continue
		[ -n "$dir" ] && [ -d "$dir" ] && break
		kill -CONT "$pid"
	done
	[ -n "$dir" ] && [ -d "$dir" ] || return
	"$@" "$dir"
	kill -CONT "$pid"
	timeout 15 tail --pid="$pid" -f /dev/null
	grep ' steps hold, ' "$SCRATCH/out"
}

swap_dir() {
	setpriv --reuid 1001 --regid 1001 --clear-groups \
		sh -c 'mv "$1" "$1.moved" && ln -s "$2" "$1"' - "$1" "$SCRATCH/other"
	MOVED=$1
}

fifo_secret() {
	setpriv --reuid 1001 --regid 1001 --clear-groups \
		sh -c 'mv "$1/secret" "$1/away" && mkfifo "$1/secret"' - "$1"
	MOVED=$1
}

# -- controls ------------------------------------------------------------

@test "check: what is denied inside was possible outside" {
	require jq
	rules
	check --json "${RULES[@]}"
	assert_status 0
	run jq -r '.steps[] | .name as $name | .attempts[] |
		select(.control) | "\($name) \(.control)"' <<<"$output"
	local control
	for control in "outside 0" "secret 0" "write-roots 0" "processes 0" \
		"descriptors 0" "namespaces same" "tcp 0" "udp 0" "abstract 0" \
		"sockets 0" "masks 0"; do
		grep -qx "$control" <<<"$output" || { echo "no control: $control"
			show_run
			return 1; }
	done
}

@test "N-71 check: a control that fails proves nothing" {
	require jq
	# fcntl(F_GETFD) says EBADF of whatever is open, outside too
	cat >"$SCRATCH/filter.json" <<-END
		{ "defaultAction": "SCMP_ACT_ALLOW", "syscalls": [
		{ "names": ["fcntl"], "action": "SCMP_ACT_ERRNO", "errnoRet": 9,
		"args": [ { "index": 1, "value": 1, "op": "SCMP_CMP_EQ" } ] } ] }
	END
	"$TOP_BUILDDIR/cordon-seccomp" -o "$SCRATCH/filter" \
		"$SCRATCH/filter.json"
	cd /
	run "$HELPERS/withfilter" "$SCRATCH/filter" -- "$CORDON" check --json
	assert_status 2
	[ "$(in_state unproven)" = descriptors ]
	[ -z "$(in_state no)" ]
	run "$HELPERS/withfilter" "$SCRATCH/filter" -- "$CORDON" check
	assert_status 2
	assert_output_has "??  no descriptor is inherited: "
	assert_output_has "which proves nothing"
	[[ ${lines[-1]} == 'not all could be proven: '* ]]
}

@test "check: what is closed outside too is unproven" {
	require jq
	mkdir -m 0 "$W/closed"
	mkdir -m 555 "$W/kept"
	check --read "$W/closed" --cwd /
	assert_status 2
	assert_output_has "??  read roots are readable, not writable: read $W/closed: EACCES, which proves nothing"
	check --write "$W/kept" --cwd /
	assert_status 2
	assert_output_has "??  write roots are writable: leave $W/kept: EACCES, which proves nothing"
	check --overlay "$W/closed" --cwd / --json
	if is_root; then return; fi # whose own it is, and who is asked for nothing
	assert_status 2
	[ "$(in_state unproven)" = overlays ]
	[ -z "$(in_state no)" ]
}

@test "check: a mask over what nobody could open is another object" {
	require jq
	echo secret >"$W/masked"
	chmod 0 "$W/masked"
	check --json --read "$W" --mask "$W/masked" --cwd /
	assert_status 0
	jq -e '[.steps[] | select(.name == "masks") | .attempts[] |
		select(.what | endswith("w/masked"))] |
		map(.got) == ["EACCES", "other"] and
		map(.control) == ["EACCES", "same"]' <<<"$output"
}

@test "check: a write root that is a pipe or a socket is not opened" {
	mkfifo "$W/pipe"
	check --write "$W/pipe" --cwd /
	holds
	assert_output_has "-   write roots are writable: not tried: a fifo"
	check --read "$W" --mask "$W/pipe" --cwd /
	holds
}

@test "check: with no place to plant in the steps are unproven" {
	local as=(-r)
	if is_root; then as=(); fi
	require unshare
	closed() {
		unshare "${as[@]}" --mount sh -c 'for dir in /tmp /var/tmp /dev/shm; do
			mount --rbind "$dir" "$dir" &&
				mount -o remount,ro,bind "$dir" || exit 99
			done
			exec "$@"' - env -u HOME "$@"
	}
	cd /
	run closed "$CORDON" check
	assert_status 2
	assert_output_has "??  writing outside is denied: a file: not tried (no directory outside where one can be made)"
	assert_output_has "??  a planted secret is unreadable: a secret: not tried"
	assert_output_has "??  pathname sockets as promised: a socket: not tried"
}

@test "check: under another sandbox's filter nothing is taken for its own" {
	require jq
	filter_of '{ "names": ["add_key"],
		"action": "SCMP_ACT_ERRNO", "errnoRet": 1 }'
	"$TOP_BUILDDIR/cordon-seccomp" -o "$SCRATCH/filter" "$SCRATCH/filter.json"
	cd /
	run "$HELPERS/withfilter" "$SCRATCH/filter" -- "$CORDON" check --json
	assert_status 2
	[ "$(in_state unproven)" = keyring ]
	"$TOP_BUILDDIR/cordon-seccomp" -o "$SCRATCH/filter" \
		"$TOP_SRCDIR/seccomp/default.json" \
		"$TOP_SRCDIR/seccomp/nested.json"
	run "$HELPERS/withfilter" "$SCRATCH/filter" -- "$CORDON" check --json
	assert_status 2
	[[ "$(in_state unproven)" == "tiocsti keyring"* ]]
	[ -z "$(in_state no)" ]
}

@test "check: under the same filter no answer shows the sandbox's own" {
	local who=()
	if is_root; then who=(--uid 1001); fi
	"$TOP_BUILDDIR/cordon-seccomp" -o "$SCRATCH/filter" \
		"$TOP_SRCDIR/seccomp/default.json" \
		"$TOP_SRCDIR/seccomp/nested.json"
	cd /
	run "$HELPERS/withfilter" "$SCRATCH/filter" -- "$CORDON" check --nested \
		"${who[@]}"
	assert_status 2
	assert_output_has "??  the filter answers as its table says: outside each answer is the same, which proves nothing"
}

@test "check: how many filters the command has is counted" {
	require jq
	cd /
	check --json
	# the rules' own, and the one that watches for the status stream
	[ "$(filters_of)" = 2 ]
	check --json --report
	[ "$(filters_of)" = 1 ]
	assert_status 0
}

@test "check: inside a sandbox that listens the filter that cannot is not missed" {
	cd /
	run nested --read "$TOP_BUILDDIR" --status-fd 7 -- "$CORDON" check 7>/dev/null
	assert_status 2
	assert_output_has "ok  the filter answers as its table says"
	[[ ${lines[-1]} == *' 0 do not, 2 unproven, '* ]]
}

# -- what is planted -----------------------------------------------------

@test "check: what root gives away it gives away last, and names no more" {
	require strace
	cd /
	local rules=()
	if is_root; then rules=(--uid 1001); fi
	run strace -o "$SCRATCH/calls" -e trace=file,bind,fchown,fchownat \
		"$TOP_BUILDDIR/cordon-inspect" "$CORDON" check "${rules[@]}"
	holds
	local dir
	dir=$(sed -n 's/^mkdir("\(.*cordon-check[^"]*\)", 0700) = 0$/\1/p' \
		"$SCRATCH/calls")
	[ -n "$dir" ]
	grep -q "^bind(.*\"$dir/socket\"" "$SCRATCH/calls"
	grep -q '^fchownat([0-9]*, "", .*AT_EMPTY_PATH) = 0' "$SCRATCH/calls"
	run sed '1,/^fchownat(.*AT_EMPTY_PATH/d' "$SCRATCH/calls"
	assert_output_has 'unlinkat('
	[ "$(grep -cF "$dir" <<<"$output")" -eq 1 ]
	assert_output_has "rmdir(\"$dir\")"
}

@test "check: somebody else who renames in the planted directory gains nothing" {
	require_root
	mkdir "$SCRATCH/other"
	echo kept >"$SCRATCH/other/secret"
	echo kept >"$SCRATCH/other/socket"
	cd /
	with_stopped swap_dir
	[ -f "$SCRATCH/other/secret" ]
	[ -f "$SCRATCH/other/socket" ]
	rm "$MOVED"
	rmdir "$MOVED.moved" # what root made in it is gone
	with_stopped fifo_secret
	rm -r "$MOVED"
}

@test "check: with a umask that takes everything" {
	cd /
	umask 777
	check
	umask 022
	holds
}
