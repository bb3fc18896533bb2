#!/usr/bin/env bats
# Other processes, privileges, keys, shared memory, the terminal.

load ../suite/box

@test "R-33 A12: a host process of the same user gets no signal" {
	start sleeper "$HELPERS/probe" sleep
	local pid=${STARTED[0]}
	works probe kill "$pid" 0
	# pids inside are few: the host's number means nothing there
	run box -- sh -c "kill -9 $pid; kill -9 -$pid; pkill -9 probe; :"
	works probe kill "$pid" 0
	run box -- sh -c 'kill -9 -1; echo survived'
	works probe kill "$pid" 0
	works probe kill "$$" 0
}

@test "A12: kill 0 and renice do not reach the caller's group" {
	# in a session of its own: what is tried would end this test
	run setsid -w sh -c "'$CORDON' --cwd / -- \
		sh -c 'renice -n 5 -g 0 >/dev/null; kill -TERM 0; sleep 1'
		echo outlived \$? at \$(nice)"
	assert_output_has "outlived 143 at $(nice)"
	run setsid -w sh -c "sh -c 'kill -TERM 0; sleep 1'; echo outlived"
	assert_output_lacks outlived
}

@test "A11 P10: no process of another sandbox or the host can be traced" {
	start sleeper "$HELPERS/probe" sleep
	local pid=${STARTED[0]}
	works probe peek "$pid"
	works probe ptrace "$pid"
	run box -- "$HELPERS/probe" ptrace "$pid"
	[[ $output == ESRCH || $output == EPERM ]]
	run box -- "$HELPERS/probe" peek "$pid"
	[[ $output == ESRCH || $output == EPERM ]]
	fails box -- cat "/proc/$pid/environ"
	start other "$CORDON" --read "$HELPERS" --cwd / -- "$HELPERS/probe" sleep
	run box -- sh -c 'cat /proc/*/comm | grep -c probe'
	assert_output_is 0
}

@test "A11: what runs beside the command can be traced by it only by filter" {
	run box -- "$HELPERS/probe" ptrace 1
	assert_output_is EPERM
	run box --seccomp none -- "$HELPERS/probe" ptrace 1
	assert_output_is EPERM
	run box --seccomp none -- "$HELPERS/probe" peek 1
	assert_output_is EPERM
}

@test "N12 A32: the caller's session keyring is another" {
	run probe addkey cordon-test-key "$HELPERS/probe" key cordon-test-key
	[ "$status" -eq 0 ] || skip_or_fail "no keyrings here: $output"
	run probe addkey cordon-test-key "$CORDON" --read "$HELPERS" --cwd / \
		--seccomp none -- "$HELPERS/probe" key cordon-test-key
	assert_status 1
	run probe addkey cordon-test-key "$CORDON" --read "$HELPERS" --cwd / -- \
		"$HELPERS/probe" key cordon-test-key
	assert_status 1
}

@test "N09 A32: System V and POSIX objects of the host are not seen" {
	local key=$((0x63000000 + $$))
	works probe shmmake $key
	works probe shmget $key
	run box -- "$HELPERS/probe" shmget $key
	probe shmrm $key
	[[ $output == ENOENT || $output == EPERM || $output == ENOSYS ]]
	works probe mqmake "/cordon-test-$$"
	works probe mq "/cordon-test-$$"
	run box -- "$HELPERS/probe" mq "/cordon-test-$$"
	probe mqrm "/cordon-test-$$"
	[[ $output == ENOENT || $output == EPERM || $output == ENOSYS ]]
	touch "/dev/shm/cordon-test-$$"
	run box -- ls "/dev/shm/cordon-test-$$"
	rm "/dev/shm/cordon-test-$$"
	assert_output_has "No such file"
}

@test "A16 A32: io_uring, bpf, perf, userfaultfd, families of the kernel" {
	[ -x "$HELPERS/trycall" ] || skip_or_fail "trycall is not built"
	local call
	for call in "io_uring_setup 1 @" "bpf 0 @ 128" "perf_event_open @ 0 -1 -1 0" \
		"userfaultfd 0" "keyctl 0 0" "add_key @ @ 0 0 0"; do
		# shellcheck disable=SC2086 # a call and its arguments
		run box -- "$HELPERS/trycall" $call
		[[ $output == EPERM || $output == ENOSYS || $output == EACCES ]]
	done
	local family
	for family in 38 33 15 40 44; do
		run box -- "$HELPERS/probe" socket $family 3 0
		assert_status 1
	done
	run box -- "$HELPERS/probe" socket 1 1 0
	assert_output_is ok
}

@test "N08: fuse and overlay cannot be mounted" {
	local type
	for type in overlay fuse proc sysfs tmpfs ext4 bpf; do
		run box -- "$HELPERS/probe" mount none "$W" $type 0
		assert_status 1
		run box -- "$HELPERS/probe" fsopen $type
		assert_status 1
	done
	works unshare -Urm "$HELPERS/probe" mount none "$W" tmpfs 0
}

@test "T01 T05: nothing is pushed into the caller's terminal" {
	require script
	# with the wall off, in a terminal of its own, the attempt is let through
	# (or the kernel refuses it to everybody: dev.tty.legacy_tiocsti)
	run script -qec "'$HELPERS/probe' tiocsti 0" /dev/null </dev/null
	local outside=${lines[0]%$'\r'}
	echo "outside: $outside"
	run script -qec "'$CORDON' --read '$HELPERS' --cwd / -- '$HELPERS/probe' tiocsti 0" \
		/dev/null </dev/null
	[[ $output == *EPERM* || $output == *EIO* || $output == *ENOTTY* ]]
	run script -qec "'$CORDON' --read '$HELPERS' --cwd / -- sh -c \
		'$HELPERS/probe tiocsti 3 3<>/dev/tty'" /dev/null </dev/null
	[[ $output == *EPERM* || $output == *EIO* || $output == *ENOTTY* || $output == *ENXIO* ]]
	run script -qec "'$CORDON' --read '$HELPERS' --cwd / -- '$HELPERS/probe' tiocsctty 0" \
		/dev/null </dev/null
	[[ $output == *EPERM* || $output == *EIO* ]]
}

@test "R04 A29: the caller's files are limited where asked" {
	run box --limit file-size=1M -- truncate -s 1T f
	[ "$status" -ne 0 ]
	works box -- truncate -s 1G f
}

@test "A30 S02: killing the launcher ends everything, and leaves nothing" {
	local before
	before=$(find . | sort)
	start box "$CORDON" --write "$W" -- sh -c 'echo up; setsid sleep 321.7 & sleep 321.7'
	local pid=${STARTED[0]}
	works pgrep -f 'sleep 321.7'
	kill -KILL "$pid"
	gone() { ! pgrep -u "$(id -u)" -f '^sleep 321.7'; }
	await gone
	[ "$(find . | sort)" = "$before" ]
}

@test "/dev/null is what it was" {
	[ "$(stat -c '%a %t:%T' /dev/null)" = "666 1:3" ]
}
