#!/usr/bin/env bats
# cordon check: the shipped profiles hold, the controls are made, each protection
# that is left out fails its own step, and what cannot be checked is said.
#
# The mutants are run in a pid namespace of their own, so that whatever a broken
# sandbox does to processes ends there.

load box

MUTANT=$HELPERS/cordon-mutant

check() {
	run "$CORDON" check "$@"
}

# apart COMMAND...: in mount and pid namespaces of its own, as the same caller.
apart() {
	local as=(--map-current-user)
	if is_root; then as=(); fi
	unshare "${as[@]}" --pid --fork --kill-child --mount-proc "$@"
}

# Rules that have one of each kind.
rules() {
	mkdir -p "$SCRATCH/read" "$SCRATCH/over" "$W/kept"
	echo secret >"$W/masked"
	RULES=(--write "$W" --read "$SCRATCH/read" --overlay "$SCRATCH/over"
		--mask "$W/masked" --protect "$W/kept" --cwd /)
}

# in_state STATE: names of the steps of a check's JSON in that state.
in_state() {
	jq -r --arg state "$1" \
		'[.steps[] | select(.state == $state) | .name] | join(" ")' \
		<<<"$output"
}

# mutant PARTS STEP...: without these parts just these steps fail.
mutant() {
	local parts=$1
	shift
	require jq unshare "$MUTANT" || return
	[ -n "${RULES+x}" ] || rules
	CORDON_TEST_LEAVE_OUT=$parts run "${APART[@]:-apart}" \
		"$TOP_BUILDDIR/cordon-inspect" "$MUTANT" check --json \
		"${RULES[@]}"
	jq -e '.steps | length == 23' <<<"$output" || { show_run; return 1; }
	if [ "$(in_state no)" != "$*" ] || [ -n "$(in_state unproven)" ]; then
		echo "without $parts expected to fail: $*"
		echo "failed: $(in_state no); unproven: $(in_state unproven)"
		jq -c '.steps[].attempts[] | select(.holds | not)' <<<"$output" ||
			show_run
		return 1
	fi
	[ $# -eq 0 ] || [ "$status" -eq 1 ] || { show_run; return 1; }
	nothing_left
}

# Nothing of check's is left where it made something.
nothing_left() {
	local found
	found=$(find "$SCRATCH" -path "$SCRATCH/helpers" -prune -o -type f \
		-not -name masked -not -name out -print 2>/dev/null) || true
	[ -z "$found" ] && return
	echo "left behind: $found"
	return 1
}

holds() {
	assert_status 0 || return
	[[ ${lines[-1]} == 'the wall holds: '*' 0 do not, 0 unproven, '* ]] && return
	show_run
	return 1
}

# -- the shipped profiles ------------------------------------------------

@test "check: the wall holds with the profile agent" {
	echo TOKEN=1 >"$W/.env"
	mkdir "$HOME/.cache"
	check --profile agent
	holds
	assert_output_has "ok  masks are closed: EACCES"
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

@test "check: a rule of each kind, and every step is made" {
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

@test "check: a control that fails proves nothing" {
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

# -- what cannot be checked ----------------------------------------------

@test "check: exit 2 and one line where its program cannot run" {
	cd /
	check --no-system
	assert_status 2
	[ "${#lines[@]}" -eq 1 ]
	assert_output_has "cordon: check: "
	assert_output_has "add --read /usr"
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
}

@test "check: a signal ends it, and nothing is left" {
	local i
	rules
	for i in 1 2 3 4 5; do
		"$CORDON" check "${RULES[@]}" >"$SCRATCH/out" 2>&1 &
		sleep "0.0$((2 * i))"
		kill -TERM $! 2>/dev/null || true
		wait $! || true
	done
	nothing_left
	run find /tmp -maxdepth 2 -path '/tmp/cordon-check.*/secret' \
		-user "$(id -u)" -newer "$W/masked"
	assert_output_lacks /secret
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
		.what and .expect and .got and .holds and .proven)' <<<"$output"
	check "${RULES[@]}" --json
	jq -e '.holds' <<<"$output"
}

# -- mutants -------------------------------------------------------------

@test "check: the mutant launcher with everything holds" {
	mutant ""
}

@test "check: nothing of the mutants is in cordon" {
	require nm
	[ "$(grep -c CORDON_TEST "$MUTANT")" -gt 0 ]
	[ "$(grep -c CORDON_TEST "$CORDON")" -eq 0 ]
	[ "$(nm "$MUTANT" | grep -c mutant_)" -gt 0 ]
	[ "$(nm "$CORDON" | grep -c mutant_)" -eq 0 ]
	rules
	CORDON_TEST_LEAVE_OUT="filter drop seal" check "${RULES[@]}"
	holds
}

@test "check: the namespaces that the engine counts on cannot be left out" {
	local part
	for part in pid user mount spaces pivot map-uid 'filter pid'; do
		CORDON_TEST_LEAVE_OUT=$part run apart "$MUTANT" --cwd / -- \
			echo has-run
		[ "$status" -ge 128 ] || { show_run; return 1; }
		assert_output_lacks has-run
	done
	run apart "$MUTANT" --cwd / -- echo has-run
	assert_output_has has-run
}

@test "check: without the filter" {
	mutant filter tiocsti filter
}

@test "check: without the drop of capabilities" {
	# a root caller keeps them across exec, and reads what they open
	if is_root; then
		mutant drop masks settings no-new-privs capabilities
	else
		mutant drop no-new-privs capabilities
	fi
}

@test "check: without the limit of user namespaces" {
	mutant no-nesting nesting
}

@test "check: without a keyring of its own" {
	mutant keyring keyring
}

@test "check: without the closing of descriptors" {
	mutant fds descriptors
}

@test "check: without masks" {
	mutant "mask verify" masks mounts
}

@test "check: without protections" {
	mutant "protect verify" read-roots mounts
}

@test "check: without the seal of what is made" {
	mutant seal outside mounts
}

@test "check: read roots that are writable" {
	mutant read-only read-roots mounts
}

@test "check: write roots that are read-only" {
	mutant writable write-roots mounts
}

@test "check: overlays that write through" {
	mutant upper overlays mounts
}

@test "check: without a private temp a secret in it is in sight" {
	HOME=$(getent passwd "$(id -u)" | cut -d: -f6)
	RULES=(--read / --cwd /)
	mutant temp outside secret sockets mounts
}

@test "check: without the covers of the kernel's settings" {
	require_root
	mutant proc-cover settings mounts
}

@test "check: the host's /proc" {
	mutant own-proc processes mounts
}

@test "check: the host's network" {
	# of 53 and of the loopback device nobody is master there
	mutant "net-space loopback names" namespaces tcp udp icmp dns abstract
}

@test "check: loopback that is down" {
	mutant loopback tcp udp icmp
}

@test "check: without the other namespaces" {
	mutant ipc-space namespaces
	mutant "uts-space hostname" namespaces
	mutant cgroup-space namespaces
}

@test "check: without Landlock's scope abstract sockets are in reach" {
	rules
	RULES+=(--net host)
	run "$CORDON" show "${RULES[@]}"
	[ "$status" -eq 0 ] || skip "no Landlock scopes in this kernel"
	mutant scope abstract
}

@test "check: binds without nosuid, and without nodev" {
	mutant nosuid mounts
	mutant nodev mounts
}

@test "check: what is mounted below a read root" {
	rules
	mkdir "$SCRATCH/read/sub"
	# for an ordinary user as the root of a user namespace, who may mount
	below() {
		local as=(-r)
		if is_root; then as=(); fi
		unshare "${as[@]}" --pid --fork --kill-child --mount-proc \
			--propagation shared sh -c \
			'mount -t tmpfs x "$0" && exec "$@"' \
			"$SCRATCH/read/sub" "$@"
	}
	APART=(below)
	mutant ""
	jq -e 'any(.steps[].attempts[]; .what | contains("mounted below"))' \
		<<<"$output"
	mutant deep read-roots mounts
	mutant private-mounts mounts
}
