#!/usr/bin/env bats
# Privileges: none are there, none can be had.

load box

@test "N-94 N04: every capability set of every process is empty" {
	works box -- sh -c 'sh -c "grep -h ^Cap /proc/self/status /proc/[0-9]*/status" |
		awk "{print \$2}" | sort -u'
	assert_output_is 0000000000000000
	# control: a namespace without a wall gives them all
	run unshare -Ur grep CapEff /proc/self/status
	assert_output_lacks 0000000000000000
}

@test "N04: with uid 0 inside, and with --nested, still none" {
	works box --uid 0 --gid 0 -- sh -c 'id -u; grep CapEff /proc/self/status'
	assert_output_is "0
CapEff:	0000000000000000"
	works box --uid 0 --nested -- grep CapEff /proc/self/status
	assert_output_is "CapEff:	0000000000000000"
}

@test "N04: none can be raised" {
	run box -- "$HELPERS/probe" ambient 21
	assert_output_is EPERM
	run box -- "$HELPERS/probe" capset 21
	assert_output_is EPERM
	run box --uid 0 --gid 0 -- "$HELPERS/probe" capset 0
	assert_output_is EPERM
}

@test "N-94 N05: no_new_privs in every process" {
	works box -- sh -c 'sh -c "cat /proc/self/status /proc/[0-9]*/status" |
		grep NoNewPrivs | sort -u'
	assert_output_is "NoNewPrivs:	1"
	run grep NoNewPrivs /proc/self/status
	[[ $output == *0 ]] || skip "this shell has no_new_privs itself"
}

@test "F11 F12: a set-user-id program gains nothing" {
	cp "$(command -v id)" s
	chmod 4755 s
	if is_root; then
		# control: it would change the user outside
		chown 1001 s
		chmod 4755 s
		run ./s -u
		assert_output_is 1001
	fi
	run box -- ./s -u
	assert_output_is "$(id -u)"
	[ -u /usr/bin/su ] || return 0
	run box -- sh -c 'exec /usr/bin/mount --bind /tmp /tmp'
	[ "$status" -ne 0 ]
}

@test "F11: programs with file capabilities gain nothing" {
	require_root
	require setcap
	cp "$HELPERS/probe" p
	setcap cap_sys_admin+ep p
	fails box -- ./p hostname x
	fails "$CORDON" --uid 1001 --read "$W" -- ./p hostname x
}

@test "N-100: sudo and su fail fast" {
	local program
	for program in sudo su; do
		command -v $program >/dev/null || continue
		run timeout 5 "$CORDON" --cwd / -- $program -n true
		[ "$status" -ne 0 ] && [ "$status" -ne 124 ]
	done
}

@test "N-94 N01: no user namespace, by whatever call" {
	run box -- "$HELPERS/probe" unshare 0x10000000
	assert_status 1
	fails box -- unshare -U true
	fails box -- unshare -Ur true
	# with no filter the limit still says no
	run box --seccomp none -- "$HELPERS/probe" unshare 0x10000000
	assert_output_is ENOSPC
	works box -- cat /proc/sys/user/max_user_namespaces
	assert_output_is 0
}

@test "N01: --nested opens them" {
	run box --nested -- "$HELPERS/probe" unshare 0x10000000
	assert_output_is ok
	cd /
	works nested -- unshare -Ur id -u
	assert_output_is 0
	works nested -- unshare -Urm sh -c 'mount -t tmpfs none /tmp && echo mounted'
	assert_output_is mounted
}

@test "N01: no other namespace, nor setns" {
	local flag
	for flag in 0x20000 0x2000000 0x4000000 0x8000000 0x20000000 \
		0x40000000 0x80; do
		run box -- "$HELPERS/probe" unshare $flag
		assert_status 1
	done
	fails box -- nsenter --mount=/proc/self/ns/mnt true
	fails box -- nsenter --target 1 --mount true
}

@test "N10: the host name cannot be changed" {
	local before
	before=$(uname -n)
	run box -- "$HELPERS/probe" hostname other
	assert_output_is EPERM
	[ "$(uname -n)" = "$before" ]
	works unshare -Ur --uts "$HELPERS/probe" hostname other
}

@test "N16: groups cannot be dropped to gain access" {
	works box -- cat /proc/self/setgroups
	assert_output_is deny
	command -v setpriv >/dev/null || return 0
	fails box -- setpriv --clear-groups true
}

@test "N02: id maps are one line each and cannot be written" {
	works box -- sh -c 'cat /proc/self/uid_map | tr -s " "'
	assert_output_is " $(id -u) $(id -u) 1"
	fails box -- sh -c 'echo "0 0 1" >/proc/self/uid_map'
	fails box --uid 0 -- sh -c 'echo "0 0 1" >/proc/self/uid_map'
}

@test "N03: an ordinary user cannot ask for another id of the host" {
	require_user
	works box --uid 0 -- id -u
	assert_output_is 0
	works box --uid 0 -- sh -c 'touch f && stat -c %u f'
	[ "$(stat -c %u f)" = "$(id -u)" ]
	run box --uid 4294967295 -- true
	assert_refused bad_user
}

@test "caps: changing the owner of a file fails for root too" {
	: >f
	fails box -- chown 1 f
	fails box -- chown 12345 f
	[ "$(stat -c %u f)" = "$(id -u)" ]
}

@test "caps: a root caller reads no file that is another user's secret" {
	require_root
	echo key >f
	chown 1001 f
	chmod 600 f
	works cat f
	run "$CORDON" --read "$W" -- cat f
	assert_status 1
	assert_output_has "Permission denied"
}

@test "caps: scheduling and priorities cannot be raised" {
	fails box -- nice -n -5 sh -c '[ "$(nice)" -lt 0 ]'
	fails box -- chrt -f 1 true
}
