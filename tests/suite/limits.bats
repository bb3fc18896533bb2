#!/usr/bin/env bats
# Limits are in force, or refused.

load box

@test "N-76 L-27: --limit procs: bounds this sandbox alone" {
	require_user
	run box --limit procs=20 -- sh -c \
		'i=0; while [ $i -lt 40 ]; do sleep 2 & i=$((i+1)); done; wait'
	assert_output_has "fork"
	# another one at the same time is not counted
	works box --limit procs=20 -- sh -c \
		'i=0; while [ $i -lt 10 ]; do sleep 0.1 & i=$((i+1)); done; wait; echo fine'
	assert_output_is fine
	works box -- sh -c \
		'i=0; while [ $i -lt 40 ]; do sleep 0.1 & i=$((i+1)); done; wait; echo fine'
	assert_output_is fine
}

@test "--limit procs: for root by cgroup, or refused with a mend that works" {
	require_root
	run box --limit procs=20 -- sh -c \
		'i=0; while [ $i -lt 40 ]; do sleep 1 & i=$((i+1)); done; wait'
	if [ "$status" -eq 125 ]; then
		assert_output_has "(bad_limit)"
		assert_output_has "--uid"
	else
		assert_output_has fork
	fi
	cd /
	works "$CORDON" --uid 1001 --limit procs=20 -- true
}

@test "L-27 L-63: --limit memory, cpus: by cgroup, or refused" {
	local limit
	for limit in memory=256M cpus=0.5; do
		run box --limit $limit -- true
		[ "$status" -eq 0 ] || assert_refused bad_limit
	done
}

@test "--limit files" {
	works box --limit files=16 -- sh -c 'ulimit -n'
	assert_output_is 16
	fails box --limit files=16 -- bash -c \
		'for i in {3..30}; do eval "exec $i</dev/null" || exit 1; done'
}

@test "L-63: --limit file-size" {
	fails box --limit file-size=64K -- dd if=/dev/zero of=f bs=64k count=4
	[ "$(stat -c %s f)" -le 65536 ]
	works box -- dd if=/dev/zero of=f bs=64k count=4
}

@test "L-63: --limit cpu-time: ends a loop that ignores SIGXCPU" {
	run timeout 20 "$CORDON" --limit cpu-time=1 --cwd / -- \
		sh -c 'trap "" XCPU; while :; do :; done'
	[ "$status" -ge 128 ] && [ "$status" -ne 137 ] || [ "$status" -eq 137 ]
	[ "$status" -ne 124 ]
}

@test "--limit data and address-space" {
	require python3
	fails box --limit data=64M -- /usr/bin/python3 -c 'x = bytearray(200 << 20)'
	assert_output_has MemoryError
	fails box --limit address-space=200M -- \
		/usr/bin/python3 -c 'x = bytearray(400 << 20)'
	works box -- /usr/bin/python3 -c 'x = bytearray(200 << 20)'
}

@test "--limit stack and core" {
	works box --limit stack=1M --limit core=0 -- sh -c 'ulimit -s; ulimit -c'
	assert_output_is "1024
0"
}

@test "A29: no core file by default" {
	ulimit -c unlimited 2>/dev/null || true
	run box -- sh -c 'kill -SEGV $$'
	assert_status 139
	run find . -name 'core*'
	assert_output_is ""
}

@test "limits: cannot be raised inside" {
	fails box --limit files=16 -- sh -c 'ulimit -n 64'
	fails box --limit file-size=64K -- bash -c 'ulimit -f unlimited'
}

@test "limits: the caller's own are inherited and can be lowered" {
	run sh -c "ulimit -n 333; '$CORDON' --cwd / -- sh -c 'ulimit -n; ulimit -n 100; ulimit -n'"
	assert_output_is "333
100"
}

@test "limits: those in force are said in ready" {
	works box --limit files=16 --status-fd 4 -- true 4>"$SCRATCH/s"
	run grep '"event":"ready"' "$SCRATCH/s"
	assert_output_has "files=16"
}

@test "limits: what is none is refused" {
	local word
	for word in '' files files= files=x files=-1 =1 none=1 memory=lots; do
		run box --limit "$word" -- true
		assert_refused bad_limit
	done
}

@test "R02: temp is bounded by memory, not by nothing" {
	works box -- sh -c 'stat -f -c "%b %c" /tmp'
	[[ $output =~ ^[1-9][0-9]*\ [1-9][0-9]*$ ]]
}

@test "N-48 N-54 --timeout: exit 124, and not when there is time" {
	run box --timeout 0.3s -- sleep 20
	assert_status 124
	works box --timeout 20s -- true
	run box --timeout x -- true
	assert_refused bad_timeout
}
