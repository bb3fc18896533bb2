#!/usr/bin/env bats
# Many at once, and many rules.

load box

@test "case 60: sixty starts, eight at a time, none fails" {
	seq 60 >"$SCRATCH/numbers"
	run sh -c "xargs -P 8 -I{} '$CORDON' --write '$W' --cwd '$W' -- \
		sh -c 'echo {} >n{}' <'$SCRATCH/numbers'"
	assert_status 0
	assert_output_is ""
	run sh -c 'ls n* | wc -l'
	assert_output_is 60
}

@test "N-122: runs that share a root end without disturbing each other" {
	works box -- sh -c 'echo shared >f'
	run sh -c "for i in 1 2 3 4 5 6; do
		'$CORDON' --read '$W' -- sh -c \"sleep 0.0\$i; cat f\" &
	done; wait"
	assert_status 0
	assert_output_is "shared
shared
shared
shared
shared
shared"
}

@test "case 8: two overlapping runs with the same masks and protections" {
	mkdir keep
	echo key >secret
	run sh -c "
		'$CORDON' --write '$W' --mask secret --protect keep -- sleep 0.3 &
		'$CORDON' --write '$W' --mask secret --protect keep -- true
		'$CORDON' --write '$W' --mask secret --protect keep -- cat secret
		wait"
	assert_output_has "Permission denied"
	assert_content secret key
	run ls -A
	assert_output_is "keep
secret"
}

@test "N09: temp and System V objects are separate" {
	works box -- sh -c 'touch /tmp/one; sleep 0.2; ls /tmp | grep -c one'
	works sh -c "'$CORDON' --cwd / -- sh -c 'touch /tmp/one; sleep 0.3' &
		'$CORDON' --cwd / -- sh -c 'sleep 0.1; ls /tmp | grep one; :'; wait"
	assert_output_is ""
}

@test "cases 42 45 46: five hundred masks and five hundred roots" {
	mkdir many
	local i
	# shellcheck disable=SC2046 # five hundred names
	(cd many && mkdir $(seq 0 499))
	for ((i = 0; i < 500; i++)); do
		printf '%s\0' --mask "$W/many/$i"
	done >"$SCRATCH/masks"
	run box --args 4 -- sh -c 'ls many | wc -l; ls many/* 2>&1 | grep -c denied' \
		4<"$SCRATCH/masks"
	assert_output_is "500
500"
	for ((i = 0; i < 500; i++)); do
		printf '%s\0' --write "$W/many/$i"
	done >"$SCRATCH/roots"
	works "$CORDON" --args 4 --cwd / -- \
		sh -c "cd $W/many && ls | sed s,\$,/x, | xargs touch" \
		4<"$SCRATCH/roots"
	run sh -c 'ls many/*/x | wc -l'
	assert_output_is 500
}

@test "case 44: ten thousand words from a descriptor" {
	local i
	for ((i = 0; i < 10000; i++)); do
		printf '%s\0' --read-try "/none/$i"
	done >"$SCRATCH/words"
	works box --args 4 -- echo started 4<"$SCRATCH/words"
	assert_output_is started
}

@test "cordon: no process, mount or file is left by a hundred runs" {
	local mounts before
	mounts=$(wc -l </proc/self/mountinfo)
	seq 100 >"$SCRATCH/numbers"
	before=$(ls -A "$SCRATCH")
	run sh -c "xargs -P 4 -I{} '$CORDON' --cwd / -- true <'$SCRATCH/numbers'"
	assert_status 0
	[ "$(wc -l </proc/self/mountinfo)" = "$mounts" ]
	[ "$(ls -A "$SCRATCH")" = "$before" ]
	run pgrep -u "$(id -u)" -P $$ cordon
	assert_output_is ""
}
