#!/usr/bin/env bats
# The status stream (P10), cordon-status(5): what comes, in which order, and
# what never comes.

# shellcheck disable=SC2016,SC2030,SC2031
bats_require_minimum_version 1.5.0
load common
load status

setup() {
	require jq
	scratch_make
	cd "$SCRATCH" || return
}

# The stream goes to ./status.
box() {
	"$CORDON" run --write "$SCRATCH" --cwd "$SCRATCH" --status-fd 4 "$@" \
		4>status
}

# The events but for notes, which depend on the machine.
order_is() {
	holds "[.[].event | select(. != \"note\")] == $1"
}

@test "P10: ready, exec, exit, each a line of JSON" {
	run box --id word -- sh -c 'exit 7'
	assert_status 7
	order_is '["ready", "exec", "exit"]'
	holds 'all(.[]; .v == 1 and .id == "word" and (.t | type) == "number")'
	holds '[.[].t] | . == sort'
	[ "$(jq -s length status)" -eq "$(wc -l <status)" ]
}

@test "P10: without --id there is none" {
	box -- true
	holds 'all(.[]; has("id") | not)'
}

@test "P10: ready has the rules, and the pid of init" {
	box -- sh -c 'readlink /proc/self/ns/pid >inside'
	holds '.[] | select(.event == "ready") |
		(.rules.write >= 1) and (.pid > 1) and (.walls | index("pid")) and
		(.skipped | type) == "array" and (.limits | type) == "array" and
		(.dropped_env | type) == "array" and has("net") and has("seccomp")'
}

@test "N-61 P10: ready is complete before the command's first act" {
	box -- cp status first
	jq -es '.[-1].event == "ready" or .[-1].event == "exec"' first
	[ "$(tail -c 1 first | wc -l)" -eq 1 ]
	# control: at the end there is more
	run cmp status first
	assert_status 1
}

@test "R-23 P10: exec says which file" {
	box -- sh -c 'echo $$ >inside'
	holds '.[] | select(.event == "exec") | .path | test("/sh$|^sh$|dash$")'
	holds "(.[] | select(.event == \"exec\") | .pid) == $(cat inside)"
}

@test "N-64 P10: exit by itself" {
	run box -- sh -c 'exit 44'
	assert_status 44
	holds '.[-1] | .event == "exit" and .code == 44 and .signal == null and
		.core == false and .cause == "command" and .limit == null and
		.left_over == 0 and .peak_kib > 0 and
		.wall_ms >= 0 and .user_ms >= 0 and .system_ms >= 0'
}

@test "P10: exit by a signal from inside" {
	run box -- sh -c 'kill -TERM $$'
	assert_status 143
	holds '.[-1] | .code == 143 and .signal == 15 and .cause == "command"'
}

@test "P10: exit by a signal to the launcher" {
	local got=0
	"$CORDON" run --write "$SCRATCH" --cwd "$SCRATCH" --status-fd 4 -- \
		sh -c ': >started; exec sleep 1000' 3>&- 4>status &
	while [ ! -e started ]; do sleep 0.02; done
	kill -TERM $!
	wait $! || got=$?
	[ "$got" -eq 143 ]
	holds '.[-1] | .signal == 15 and .cause == "stopped"'
}

@test "P10: exit by timeout" {
	run box --timeout 200ms -- sleep 1000
	assert_status 124
	holds '.[-1] | .code == 124 and .cause == "timeout" and .wall_ms >= 200 and
		.wall_ms < 3000'
}

@test "P10: exit by a limit" {
	run box --limit cpu-time=1 -- sh -c 'while :; do :; done'
	holds '.[-1] | .cause == "limit" and .limit == "cpu-time"'
	# control: killed without having used up the limit
	run box --limit cpu-time=10 -- sh -c 'kill -KILL $$'
	holds '.[-1] | .cause == "command" and .limit == null'
}

@test "P10: a command that answers 124 is no timeout" {
	run box --timeout 10s -- sh -c 'exit 124'
	assert_status 124
	holds '.[-1] | .code == 124 and .cause == "command"'
}

@test "P10: processes left over are counted" {
	box -- sh -c 'sleep 1000 & sleep 1000 & sleep 1000 & exit 0'
	holds '.[-1].left_over == 3'
}

@test "P10: exec-failed" {
	cat >data </dev/null
	chmod 755 data
	printf '#!/nowhere/to/be/found\n' >data
	run box -- ./data
	[ "$status" -ge 125 ]
	holds 'any(.[]; .event == "exec") | not'
	holds '.[-1].event | . == "exec-failed" or . == "refused"'
}

# Runs where only $1 more user namespaces may be made.
with_namespaces() {
	run unshare --user --map-root-user sh -c '
		echo "$1" >/proc/sys/user/max_user_namespaces &&
		exec "$0" run --cwd / --status-fd 4 -- true' "$CORDON" "$1" 4>status
}

@test "P10: failed, when the sandbox cannot be built" {
	with_namespaces 0
	assert_status 125
	order_is '["failed"]'
	holds '.[-1] | .errno == "ENOSPC" and (.stage | length) > 0 and
		(.call | length) > 0 and (.text | length) > 0'
	# control
	with_namespaces 100
	assert_status 0
}

@test "P10: no arguments, no values of the environment" {
	run env CANARY=canary-value "$CORDON" run --status-fd 4 \
		--write "$SCRATCH" --cwd "$SCRATCH" -- \
		sh -c 'echo $CANARY $0' canary-argument 4>status
	assert_output_is "canary-value canary-argument"
	[ "$(grep -c canary status)" -eq 0 ]
}

@test "P10: the command cannot write to the stream" {
	box -- sh -c 'echo "{\"forged\":1}" >&4; ls /proc/self/fd | grep -x 4; true'
	holds 'any(.[]; has("forged")) | not'
}

@test "P10: a reader that is gone does no harm" {
	run bash -c '"$0" run --cwd / --status-fd 4 -- sh -c "sleep 0.2; exit 5" 4> >(exec true)' \
		"$CORDON"
	assert_status 5
}

@test "P10: a reader that does not read delays the run by a second" {
	cat >full.py <<-'EOF'
		import fcntl, os, subprocess, sys, time
		ours, theirs = os.pipe()
		fcntl.fcntl(theirs, fcntl.F_SETFL, os.O_NONBLOCK)
		try:
		    while True:
		        os.write(theirs, b'x' * 4096)
		except BlockingIOError:
		    pass
		fcntl.fcntl(theirs, fcntl.F_SETFL, 0)
		begin = time.monotonic()
		code = subprocess.run([sys.argv[1], 'run', '--cwd', '/', '--status-fd', str(theirs),
		                       '--', 'sh', '-c', 'exit 6'],
		                      pass_fds=[theirs]).returncode
		print(code, time.monotonic() - begin < 3)
	EOF
	require /usr/bin/python3
	run timeout 10 /usr/bin/python3 full.py "$CORDON"
	assert_output_is "6 True"
}

@test "the launcher says nothing unless it is asked" {
	run "$CORDON" run --cwd / -- true
	assert_status 0
	assert_output_is ""
	run "$CORDON" run --cwd / --verbose -- true
	assert_status 0
	assert_output_has "cordon: ready: "
	assert_output_has "cordon: done: exit 0 (command)"
}
