#!/usr/bin/env bats
# Descriptors: 0 to 2 and the named ones, nothing else, and none that opens the
# host.

load box

list='for fd in /proc/self/fd/*; do [ -e "$fd" ] && echo "${fd##*/}"; done'

@test "F01 N-20: an inherited descriptor does not arrive" {
	echo key >"$SCRATCH/secret"
	exec 9<"$SCRATCH/secret"
	works sh -c 'cat <&9'
	assert_output_is key
	exec 9<"$SCRATCH/secret"
	fails box -- sh -c 'cat <&9'
	fails box -- cat /dev/fd/9
	fails box -- cat /proc/self/fd/9
	exec 9<&-
}

@test "F01: a directory descriptor does not arrive (A10)" {
	exec 9</etc
	works "$HELPERS/probe" openat 9 ..
	works "$HELPERS/probe" fchdir 9
	run box -- "$HELPERS/probe" openat 9 ..
	assert_output_is EBADF
	run box -- "$HELPERS/probe" fchdir 9
	assert_output_is EBADF
	exec 9<&-
}

@test "F02: many and high numbers, in the command and in process 1" {
	exec 200</etc 250</dev/null 63<"$HOME"
	run box -- sh -c "ls /proc/self/fd | grep -vxE '[0-3]'; :"
	assert_output_is ""
	run sh -c 'ls /proc/self/fd'
	assert_output_has 200
	exec 200<&- 250<&- 63<&-
}

@test "N-115: the command sees 0, 1, 2 and no more" {
	# ls has the directory open as 3
	run box -- ls /proc/self/fd
	assert_output_is "0
1
2
3"
}

@test "--keep-fd: passes a descriptor, the same number, others not" {
	echo text >f
	exec 7<f 8<f
	works "$CORDON" --keep-fd 7 --cwd / -- sh -c 'cat <&7'
	assert_output_is text
	fails "$CORDON" --keep-fd 7 --cwd / -- sh -c 'cat <&8'
	exec 7<&- 8<&-
}

@test "--keep-fd: pipes work in both directions" {
	run sh -c "echo in | '$CORDON' --keep-fd 5 --cwd / -- sh -c 'cat <&5; echo out' 5<&0 </dev/null"
	assert_output_is "in
out"
}

@test "--keep-fd: what would open the host is refused" {
	exec 7</etc
	run "$CORDON" --keep-fd 7 --cwd / -- true
	assert_refused bad_fd
	assert_output_has "directory"
	exec 7<&-
	run "$CORDON" --keep-fd 7 --cwd / -- true
	assert_refused bad_fd
	assert_output_has "not open"
	run "$CORDON" --keep-fd 99999999 --cwd / -- true
	assert_status 125
	run "$CORDON" --keep-fd x --cwd / -- true
	assert_refused bad_fd
}

@test "--keep-fd: an O_PATH descriptor is refused" {
	require python3
	: >f
	run python3 -c "
import os, sys
fd = os.open('f', os.O_PATH); os.dup2(fd, 7)
os.execv(sys.argv[1], sys.argv[1:])" "$CORDON" --keep-fd 7 --cwd / -- true
	assert_refused bad_fd
	assert_output_has O_PATH
}

@test "--keep-fd: block devices are refused" {
	require_root
	local disk
	disk=$(find /dev -maxdepth 1 -type b | head -1)
	[ -n "$disk" ] || skip_or_fail "no block device"
	exec 7<"$disk" || skip "cannot open $disk"
	run "$CORDON" --keep-fd 7 --cwd / -- true
	assert_refused bad_fd
	exec 7<&-
}

@test "--status-fd: may not be kept for the command as well" {
	run "$CORDON" --status-fd 4 --keep-fd 4 --cwd / -- true 4>"$SCRATCH/s"
	assert_refused bad_fd
	works "$CORDON" --status-fd 4 --cwd / -- sh -c 'echo forged >&4 || echo closed' \
		4>"$SCRATCH/s"
	assert_output_has closed
	run cat "$SCRATCH/s"
	assert_output_lacks forged
}

@test "F03: a directory as stdin, stdout or stderr is refused" {
	run "$CORDON" --cwd / -- true </etc
	assert_refused bad_fd
	assert_output_has "mend: < /dev/null"
	works "$CORDON" --cwd / -- true </dev/null
}

@test "F03: a file as stdin is passed as it is, its offset shared" {
	printf 'one\ntwo\n' >f
	run sh -c "{ '$CORDON' --cwd / -- head -n1; cat; } <f"
	assert_output_has one
}

@test "fds: closed stdin, stdout and stderr stay closed" {
	run sh -c "'$CORDON' --cwd / -- ls /proc/self/fd <&-"
	assert_status 0
	run sh -c "'$CORDON' --cwd / -- sh -c 'if [ -e /proc/self/fd/0 ]; then echo open; else echo shut; fi' <&-"
	assert_output_is shut
	run sh -c "'$CORDON' --write '$W' -- sh -c '[ -e /proc/\$\$/fd/1 ] || echo shut >$W/out' >&-"
	assert_status 0
	assert_content out shut
	run sh -c "'$CORDON' --write '$W' -- sh -c '[ -e /proc/\$\$/fd/2 ] || echo shut >$W/err' 2>&-"
	assert_content err shut
}

@test "fds: a file opened by the command is not mixed up with a closed stdin" {
	echo text >f
	run sh -c "'$CORDON' --write '$W' -- cat f <&- 2>&-"
	assert_output_is text
}
