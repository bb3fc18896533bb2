#!/usr/bin/env bats
# bubblewrap's command line: namespaces, ids and capabilities.

# shellcheck disable=SC2016
load bwrap

# spaces WORD...: "ipc pid", those that differ from the caller's; mnt always does.
spaces() {
	local name
	bw "$@" sh -c 'for n in user ipc pid net uts cgroup; do
		readlink /proc/self/ns/$n; done' >inside || return
	for name in user ipc pid net uts cgroup; do
		readlink "/proc/self/ns/$name"
	done >outside
	paste inside outside | awk -F '[\t:]' '$2 != $4 { print $1 }' | xargs
}

# user namespaces come with everything an ordinary user does
own() {
	is_root || echo user
}

# expect_spaces NAMES WORD...
expect_spaces() {
	local expected=$1
	shift
	run spaces "$@"
	assert_status 0
	assert_output_is "$expected"
}

join() {
	local IFS=' '
	# shellcheck disable=SC2048,SC2086
	set -- $*
	echo "$*"
}

# caps WORD...: the five sets, read inside, without leading zeros.
caps() {
	bw "$@" sh -c 'grep ^Cap /proc/self/status' | sed 's/:\t0*/ /; s/ $/ 0/'
}

# Which of 8 and 9 the command has; bats has others of its own.
held='for fd in 8 9; do [ ! -e /proc/self/fd/$fd ] || echo $fd; done'

all_caps() {
	local last
	last=$(cat /proc/sys/kernel/cap_last_cap)
	printf '%x\n' $(((1 << (last + 1)) - 1))
}

# five EFFECTIVE: as caps prints it when all sets are the same.
five() {
	printf 'CapInh %s\nCapPrm %s\nCapEff %s\nCapBnd %s\nCapAmb %s' \
		"$1" "$1" "$1" "$1" "$1"
}

@test "bwrap spaces: none but the mounts, unless asked for" {
	expect_spaces "$(own)"
	[ "$(bw readlink /proc/self/ns/mnt)" != "$(readlink /proc/self/ns/mnt)" ]
	[ "$(bw --unshare-all readlink /proc/self/ns/time)" = "$(readlink /proc/self/ns/time)" ]
}

@test "bwrap spaces: each by its option, and no other" {
	local name
	for name in ipc pid net uts cgroup; do
		expect_spaces "$(join "$(own)" $name)" "--unshare-$name"
	done
	expect_spaces user --unshare-user
	expect_spaces user --unshare-user-try
	expect_spaces "$(join "$(own)" cgroup)" --unshare-cgroup-try
	expect_spaces "user ipc pid net uts cgroup" --unshare-all
}

@test "bwrap spaces: --share-net is for what was spoken before it" {
	expect_spaces "user ipc pid uts cgroup" --unshare-all --share-net
	expect_spaces "user ipc pid net uts cgroup" --share-net --unshare-all
	expect_spaces "$(own)" --unshare-net --share-net
	expect_spaces "$(join "$(own)" net)" --unshare-net --share-net --unshare-net
}

@test "bwrap spaces: -try is nothing where there can be none" {
	require unshare
	# root of a user namespace without a right to another
	local none='echo 0 >/proc/sys/user/max_user_namespaces && exec "$0" "$@"'
	works unshare -Ur sh -c "$none" "$BWRAP" "${RO[@]}" --unshare-user-try echo ran
	assert_output_is ran
	works unshare -Ur sh -c "$none" "$BWRAP" "${RO[@]}" --unshare-all --share-net echo ran
	assert_output_is ran
	run unshare -Ur sh -c "$none" "$BWRAP" "${RO[@]}" --unshare-user echo ran
	assert_status 1
	assert_output_is "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)"
	# the control
	works unshare -Ur "$BWRAP" "${RO[@]}" --unshare-user echo ran
}

@test "bwrap spaces: ids, and their maps" {
	works bw --unshare-user sh -c 'id -u; id -g; cat /proc/self/uid_map /proc/self/gid_map |
		xargs; cat /proc/self/setgroups'
	assert_output_is "$(id -u)
$(id -g)
$(id -u) $(id -u) 1 $(id -g) $(id -g) 1
deny"
	works bw --unshare-user --uid 0 --gid 77 sh -c 'id -u; id -g; id -G
		cat /proc/self/uid_map /proc/self/gid_map | xargs'
	assert_output_has "0
77
77"
	assert_output_has "0 $(id -u) 1 77 $(id -g) 1"
	# a file of the caller's is the new id's
	: >mine
	works bw --unshare-user --uid 4242 --gid 4243 stat -c '%u %g' mine
	assert_output_is "4242 4243"
}

# parent_of PID: the user namespace above that process's.
parent_of() {
	/usr/bin/python3 -c 'import fcntl, os, sys
fd = os.open("/proc/%s/ns/user" % sys.argv[1], os.O_RDONLY)
print("user:[%d]" % os.fstat(fcntl.ioctl(fd, 0xb702)).st_ino)' "$1"
}

@test "bwrap spaces: one user namespace, also with --dev, so that it can be entered" {
	require nsenter
	echo text >f
	start one bw --die-with-parent --unshare-user --unshare-pid --uid 5 --info-fd 7 \
		sh -c 'echo up; exec sleep 60' 7>info
	child_pid info
	[ "$(parent_of "$CHILD")" = "$(readlink /proc/self/ns/user)" ]
	works nsenter --preserve-credentials -U -m -p -t "$CHILD" sh -c "cat $W/f; id -u"
	assert_output_is "text
5"
	# the control: where there is a second one this sees it
	start two bw --die-with-parent --unshare-user --disable-userns --unshare-pid --info-fd 7 \
		sh -c 'echo up; exec sleep 60' 7>info
	child_pid info
	[ "$(parent_of "$CHILD")" != "$(readlink /proc/self/ns/user)" ]
}

@test "bwrap spaces: --userns, and that it does not reach the command" {
	start space unshare -Ur sh -c 'echo up; exec sleep 60'
	exec 8<"/proc/${STARTED[0]}/ns/user"
	works bw --userns 8 sh -c "readlink /proc/self/ns/user; $held"
	assert_output_is "$(readlink /proc/self/fd/8)"
	works bw --userns 8 --uid 0 --gid 0 sh -c 'id -u; id -g'
	assert_output_is "0
0"
	says "--userns is not compatible with --unshare-user" --userns 8 --unshare-user true
	# the control for the descriptor: one that is not used arrives
	exec 9<&8
	works bw --userns 8 sh -c "$held"
	assert_output_is 9
	exec 8<&- 9<&-
}

@test "bwrap spaces: --userns of something else" {
	local text="Joining the specified user namespace failed, it might not be a descendant of the current user namespace."
	exec 8</proc/self/ns/user
	says "$text" "${RO[@]}" --userns 8 true
	exec 8</proc/self/ns/uts
	says "$text" "${RO[@]}" --userns 8 true
	exec 8<&-
	says "Joining specified user namespace failed: Bad file descriptor" \
		"${RO[@]}" --userns 77 true
}

@test "bwrap spaces: --userns2 once all is set up" {
	start space unshare -Ur sh -c \
		'unshare -U --map-user=0 --map-group=0 sh -c "echo \$\$; exec sleep 60" & wait'
	exec 8<"/proc/${STARTED[0]}/ns/user"
	exec 9<"/proc/$(cat "$SCRATCH/space.out")/ns/user"
	[ "$(readlink /proc/self/fd/8)" != "$(readlink /proc/self/fd/9)" ]
	works bw --userns 8 --userns2 9 sh -c "readlink /proc/self/ns/user; $held"
	assert_output_is "$(readlink /proc/self/fd/9)"
	exec 9<&-
	run "$BWRAP" "${RO[@]}" --userns 8 --userns2 77 true
	assert_status 1
	assert_output_is "bwrap: Setting userns2 failed: Bad file descriptor"
	exec 8<&-
}

@test "bwrap spaces: --pidns, in another sandbox's" {
	start first bw --die-with-parent --unshare-user --unshare-pid --info-fd 7 \
		sh -c 'echo up; exec sleep 4242' 7>info
	child_pid info
	exec 8<"/proc/$CHILD/ns/user" 9<"/proc/$CHILD/ns/pid"
	works bw --userns 8 --pidns 9 sh -c "readlink /proc/self/ns/pid
		tr '\\0' ' ' </proc/2/cmdline; $held"
	assert_output_is "$(readlink /proc/self/fd/9)
sleep 4242 "
	# the process told is the caller's number for it
	start second bw --die-with-parent --userns 8 --pidns 9 --info-fd 7 \
		sh -c 'echo up; exec sleep 60' 7>info
	child_pid info
	[ "$(readlink "/proc/$CHILD/ns/pid")" = "$(readlink /proc/self/fd/9)" ]
	run bw --userns 8 --pidns 9 sh -c 'exit 7'
	assert_status 7
	# one of its own below that one, whose processes see it and it does not see
	start third bw --die-with-parent --userns 8 --pidns 9 --unshare-pid --info-fd 7 \
		sh -c 'ls -d /proc/[0-9]*; exec sleep 61' 7>info
	child_pid info
	[ "$(readlink "/proc/$CHILD/ns/pid")" != "$(readlink /proc/self/fd/9)" ]
	await grep -qx /proc/2 "$SCRATCH/third.out"
	fails grep -q /proc/4 "$SCRATCH/third.out"
	works bw --userns 8 --pidns 9 sh -c 'cat /proc/*/cmdline | tr "\\0" " "'
	assert_output_has 'sleep 61'
	run bw --userns 8 --pidns 9 --unshare-pid sh -c 'exit 7'
	assert_status 7
	exec 8<&- 9<&-
	says "Setting pidns failed: Bad file descriptor" "${RO[@]}" --unshare-user --pidns 77 true
}

@test "bwrap spaces: --disable-userns, really none" {
	works bw --unshare-user --disable-userns --cap-add ALL sh -c 'id -u; id -g'
	assert_output_is "$(id -u)
$(id -g)"
	# the control
	works bw --unshare-user unshare -U true
	fails bw --unshare-user --disable-userns unshare -U true
	assert_output_has "No space"
	# with every right inside, and a procfs of its own
	local words=(--unshare-user --unshare-pid --proc /proc --cap-add ALL --uid 0 --gid 0)
	local try='mount -t proc none /mnt; mount -o remount,bind,rw /proc/sys
		umount /proc/sys; for proc in /mnt /proc; do
			echo 1000 >$proc/sys/user/max_user_namespaces
		done; unshare -U echo made'
	run bw "${words[@]}" sh -c "$try"
	assert_output_has made
	run bw "${words[@]}" --disable-userns sh -c "$try"
	assert_output_lacks made
	assert_output_has "No space"
	# nor by a command without a procfs
	fails "$BWRAP" --ro-bind / / --dev /dev --unshare-user --disable-userns unshare -U true
	works bw --unshare-user --disable-userns --uid 5 --gid 6 sh -c 'id -u; id -g'
	assert_output_is "5
6"
}

@test "bwrap spaces: --assert-userns-disabled" {
	says "creation of new user namespaces was not disabled as requested" \
		"${RO[@]}" --unshare-user --assert-userns-disabled true
	works bw --unshare-user --disable-userns --assert-userns-disabled true
	# where it was done before
	works bw --unshare-user --disable-userns --uid 0 --gid 0 --cap-add ALL \
		"$BWRAP" --ro-bind / / --assert-userns-disabled echo ran
	assert_output_is ran
}

@test "bwrap spaces: an ordinary user starts with no capability, in any set" {
	require_user
	local words
	for words in '' --unshare-user --unshare-pid '--uid 0' '--uid 0 --unshare-all' \
		'--unshare-user --disable-userns' '--unshare-user --uid 5' --as-pid-1\ --unshare-pid; do
		# shellcheck disable=SC2086
		run caps $words
		assert_output_is "$(five 0)"
	done
	# nor has process 1, as soon as the command has been started with its own
	works bw --unshare-pid --cap-add ALL timeout 10 sh -c \
		'until grep -q "^CapPrm:.*0000000000000000" /proc/1/status; do sleep 0.02; done
		grep -E "^Cap(Eff|Prm)" /proc/1/status'
	assert_output_is "CapPrm:	0000000000000000
CapEff:	0000000000000000"
}

@test "bwrap spaces: capabilities in spoken order, in a user namespace" {
	local all
	all=$(all_caps)
	run caps --unshare-user --cap-drop ALL --cap-add CAP_NET_RAW
	assert_output_is "$(five 2000)"
	run caps --unshare-user --cap-drop ALL --cap-add cap_net_raw --cap-add cap_chown
	assert_output_is "$(five 2001)"
	run caps --unshare-user --cap-add all
	assert_output_is "$(five "$all")"
	run caps --unshare-user --cap-add ALL --cap-drop CAP_CHOWN
	assert_output_is "$(five "$(printf %x $((0x$all - 1)))")"
	run caps --unshare-user --cap-drop CAP_CHOWN --cap-add ALL
	assert_output_is "$(five "$all")"
	run caps --unshare-user --cap-add ALL --cap-drop ALL
	assert_output_is "$(five 0)"
	# they are real ones
	works bw --cap-add CAP_SYS_ADMIN --unshare-user mount -t tmpfs none /mnt
	fails bw --cap-drop ALL --unshare-user mount -t tmpfs none /mnt
	says "unknown cap: CAP_NONE" "${RO[@]}" --cap-add CAP_NONE true
	says "unknown cap: chown" "${RO[@]}" --cap-drop chown true
}

@test "bwrap spaces: root without a user namespace keeps what it has" {
	require_root
	local outside
	outside=$(sed -n '/^Cap/s/:\t0*/ /p' /proc/self/status | sed 's/ $/ 0/')
	run caps
	assert_output_is "$outside"
	run caps --unshare-all --share-net
	assert_output_has "CapEff $(sed -n 's/CapEff //p' <<<"$outside")"
	run caps --cap-drop ALL
	assert_output_has "CapPrm 0
CapEff 0"
	fails bw --cap-drop ALL chown 5 "$W"
	fails bw --cap-drop CAP_CHOWN chown 5 "$W"
	# the control
	works bw --cap-drop CAP_KILL chown 5 "$W"
}

@test "bwrap spaces: no new rights by a program" {
	local words
	for words in '' --unshare-user --unshare-pid '--unshare-pid --as-pid-1' '--cap-add ALL'; do
		# shellcheck disable=SC2086
		works bw $words grep NoNewPrivs /proc/self/status
		assert_output_is "NoNewPrivs:	1"
	done
	works bw --unshare-pid grep NoNewPrivs /proc/1/status
	assert_output_is "NoNewPrivs:	1"
}

@test "bwrap spaces: a host name" {
	works bw --unshare-uts --hostname other uname -n
	assert_output_is other
	works bw --unshare-all --hostname other uname -n
	assert_output_is other
	[ "$(uname -n)" != other ]
	works bw --unshare-uts uname -n
	assert_output_is "$(uname -n)"
}

@test "bwrap spaces: loopback is up in a new network, and nothing else is there" {
	require ip
	works bw --unshare-net ip -o addr show
	assert_output_has "127.0.0.1/8"
	[ "$(grep -c 'inet ' <<<"$output")" -eq 1 ]
	works bw --unshare-net cat /proc/net/route
	[ "${#lines[@]}" -eq 1 ]
	works bw --unshare-net /usr/bin/python3 -c 'import socket
s = socket.create_server(("127.0.0.1", 0))
socket.create_connection(s.getsockname(), 5)'
	# and nothing of the host's
	start server /usr/bin/python3 -uc 'import socket, time
s = socket.create_server(("127.0.0.1", 0))
print(s.getsockname()[1])
time.sleep(60)'
	local port
	port=$(cat "$SCRATCH/server.out")
	works bw "$HELPERS/probe" tcp 127.0.0.1 "$port"
	run bw --unshare-net "$HELPERS/probe" tcp 127.0.0.1 "$port"
	assert_output_is ECONNREFUSED
}

@test "bwrap spaces: what fails among forty calls is not passed over" {
	require strace
	# tests of the original's make its 39th prctl fail, and want no command then
	run strace -f -o /dev/null -e trace=prctl -e inject=prctl:error=ENOSYS:when=39 \
		"$BWRAP" --ro-bind / / --bind "$SCRATCH" "$SCRATCH" \
		--json-status-fd 9 touch "$SCRATCH/ran" 9>json
	[ "$status" -ne 0 ]
	[ "$(grep -c exit-code json)" -eq 0 ]
	assert_absent "$SCRATCH/ran"
	grep -q child-pid json
	# the control: with none of them failing
	works strace -f -o /dev/null -e trace=prctl \
		"$BWRAP" --ro-bind / / --bind "$SCRATCH" "$SCRATCH" \
		--json-status-fd 9 touch "$SCRATCH/ran" 9>json
	[ -e "$SCRATCH/ran" ]
	grep -q '"exit-code": 0' json
}

@test "bwrap spaces: labels where there are none" {
	[ ! -e /sys/fs/selinux/enforce ] || skip "this system has SELinux"
	says "labeling not supported on this system" "${RO[@]}" --exec-label x true
	says "labeling not supported on this system" "${RO[@]}" --file-label x true
}
