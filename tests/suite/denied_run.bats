#!/usr/bin/env bats
# What watching does to a run, and what it does not: the command gets what it
# gets unwatched, the wall stands, and --fail-on decides the exit code.

# shellcheck disable=SC2016,SC2030,SC2031
bats_require_minimum_version 1.5.0
load box
load denied

@test "denied: a bad pointer or length gives what it gives unwatched" {
	run box --report -- "$HELPERS/trycall" connect 0 1 16
	local code=$status
	assert_output_has "cordon: denied: nothing"
	[ "${lines[0]}" != "ok 0" ]
	local watched=${lines[0]}
	run box -- "$HELPERS/trycall" connect 0 1 16
	assert_output_is "$watched"
	assert_status "$code"
	run box --report -- "$HELPERS/trycall" sendmsg 0 0 0
	watched=${lines[0]}
	run box -- "$HELPERS/trycall" sendmsg 0 0 0
	assert_output_is "$watched"
}

@test "denied: no packet of ours arrives, and no port is taken" {
	require jq /usr/bin/python3
	run python 'import socket
for family, host in (socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"):
    server = socket.socket(family, socket.SOCK_DGRAM)
    server.bind((host, 0))
    client = socket.socket(family, socket.SOCK_DGRAM)
    for i in range(3):
        client.sendto(b"x", server.getsockname())
        client.sendmsg([b"x"], [], 0, server.getsockname())
    server.setblocking(False)
    count = 0
    try:
        while True:
            assert server.recv(9) == b"x"
            count += 1
    except BlockingIOError:
        print(count)
server = client = None
for table in "udp", "udp6":
    print(len(open("/proc/net/" + table).readlines()) - 1)'
	# one is ours: the resolver's port
	[ "${lines[*]:0:4}" = "6 6 1 0" ] || { show_run; return 1; }
}

@test "denied: nobody inside takes the resolver's port" {
	require /usr/bin/python3
	run python 'import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
try: s.bind(("127.0.0.2", 53))
except OSError as error: print(error.errno)
s.bind(("127.0.0.2", 5353)); print("bound")'
	[ "${lines[0]}" = 13 ]
	[ "${lines[1]}" = bound ]
}

@test "denied: processes and threads by the thousand, none lost, none hung" {
	require jq
	run timeout 60 "$CORDON" --read "$HELPERS" --cwd / --report \
		--status-fd 4 -- "$HELPERS/reach" connect 192.0.2.1 80 250 8 \
		4>status
	assert_status 0
	assert_output_has "ENETUNREACH 2000"
	holds '.[-1].denied.net == 2000'
	run timeout 60 "$CORDON" --read "$HELPERS" --cwd / --report \
		--status-fd 4 -- "$HELPERS/reach" forked 192.0.2.1 80 1000 \
		4>status
	assert_status 0
	assert_output_has "ENETUNREACH 1000"
	[ "$(last_count connect 192.0.2.1:80)" -eq 1000 ]
}

@test "denied: signals interrupt no call" {
	require jq
	run reach signals 192.0.2.1 80 5000
	[ "${lines[0]}" = "ENETUNREACH 5000" ] || { show_run; return 1; }
	[ "${lines[1]}" = "ticks some" ]
	# one that a signal restarts is heard again
	[ "$(last_count connect 192.0.2.1:80)" -ge 5000 ]
}

@test "denied: a plain run is not watched" {
	run box -- sh -c 'grep Seccomp_filters /proc/self/status | cut -f 2'
	assert_output_is 1
	run box --status-fd 4 -- \
		sh -c 'grep Seccomp_filters /proc/self/status | cut -f 2' 4>status
	assert_output_is 2
	# of the one that listens, the policy's is a part
	run box --report -- \
		sh -c 'grep Seccomp_filters /proc/self/status | cut -f 2'
	[ "${lines[0]}" = 1 ]
	run box --net host --allow-abstract --status-fd 4 -- \
		sh -c 'grep Seccomp_filters /proc/self/status | cut -f 2' 4>status
	assert_output_is 1
	require jq
	holds '.[-1].denied == null'
}

@test "denied: the policy's own denials stand, watched or not" {
	cat >no-connect.json <<-'J'
		{ "defaultAction": "SCMP_ACT_ALLOW", "syscalls": [ {
		  "names": ["connect"], "action": "SCMP_ACT_ERRNO",
		  "errnoRet": 13 } ] }
	J
	run box --report --seccomp ./no-connect.json -- \
		"$HELPERS/reach" connect 192.0.2.1 80
	assert_output_has "EACCES 1"
	assert_output_has "denied: call connect (EACCES)"
	run box --status-fd 4 --seccomp ./no-connect.json -- \
		"$HELPERS/reach" connect 192.0.2.1 80 4>status
	assert_output_is "EACCES 1"
	run box --report --seccomp none -- "$HELPERS/reach" connect 192.0.2.1 80
	assert_output_has "connect 192.0.2.1:80 (ENETUNREACH)"
	# all but the system call that loads filters
	cat >no-seccomp.json <<-'J'
		{ "defaultAction": "SCMP_ACT_ALLOW", "syscalls": [ {
		  "names": ["seccomp"], "action": "SCMP_ACT_ERRNO" } ] }
	J
	run box --report --seccomp ./no-seccomp.json -- true
	assert_status 0
}

@test "denied: --fail-on is 123 for a success, and for nothing else" {
	require jq
	local reach="$HELPERS/reach connect 192.0.2.1 80"
	run box --fail-on denied --status-fd 4 -- sh -c "$reach; exit 0" 4>status
	assert_status 123
	holds '.[-1] | .code == 123 and .cause == "denied"'
	assert_output_lacks "cordon:"
	run box --fail-on denied --status-fd 4 -- sh -c "$reach; exit 7" 4>status
	assert_status 7
	holds '.[-1] | .code == 7 and .cause == "command"'
	run box --fail-on denied -- sh -c "$reach; kill -TERM \$\$"
	assert_status 143
	run box --fail-on denied -- sh -c "$HELPERS/reach connect 127.0.0.1 80"
	assert_status 0
	run box --fail-on denied -- getent hosts name.example
	assert_status 2
	run box --fail-on denied -- sh -c 'getent hosts name.example; exit 0'
	assert_status 123
	run box --fail-on denied --timeout 1s -- sh -c "$reach; sleep 10"
	assert_status 124
}

@test "denied: an outer listener is said, not hidden" {
	require jq
	run "$HELPERS/notify" "$CORDON" --write "$W" --report -- touch ran
	assert_status 125
	assert_output_has "cordon: failed: watch: seccomp"
	assert_output_has EBUSY
	assert_output_has "mend:"
	assert_absent ran
	run "$HELPERS/notify" "$CORDON" --write "$W" --fail-on denied -- touch ran
	assert_status 125
	assert_absent ran
	# with a stream alone it runs, and the stream says what it lacks
	run "$HELPERS/notify" "$CORDON" --write "$W" --status-fd 4 -- touch ran \
		4>status
	assert_status 0
	[ -e ran ]
	holds 'any(.[]; .event == "note" and .token == "unwatched")'
	holds '.[-1].denied == null'
	# control: without the outer listener there is no such note
	run box --status-fd 4 -- true 4>status
	holds 'any(.[]; .event == "note" and .token == "unwatched") | not'
}

@test "denied: a program that may not be read is said, and is no success" {
	require_root
	require jq
	mkdir -m 755 "$SCRATCH/shut"
	cp "$HELPERS/reach" "$SCRATCH/shut/reach"
	chmod 711 "$SCRATCH/shut/reach"
	try() {
		"$CORDON" --uid 12345 --gid 12345 --read "$SCRATCH/shut" --cwd / \
			--status-fd 4 --fail-on denied \
			-- "$SCRATCH/shut/reach" connect 192.0.2.1 80 4>status
	}
	run try
	assert_status 123
	holds 'any(.[]; .event == "note" and .token == "unwatched")'
	holds '.[-1].denied.net == 0'
	# control
	chmod 755 "$SCRATCH/shut/reach"
	run try
	assert_status 123
	holds 'any(.[]; .event == "note" and .token == "unwatched") | not'
	holds '.[-1].denied.net == 1'
}

@test "denied: the command has no way to the supervisor's descriptors" {
	run box --report --status-fd 4 -- ls /proc/self/fd 4>status
	# 0 to 2, and the directory itself
	[ "$(grep -cE '^[0-9]+$' <<<"$output")" -eq 4 ] || { show_run; return 1; }
	run box --report -- sh -c 'readlink /proc/*/fd/*'
	assert_output_has pipe: # control
	assert_output_lacks seccomp
	assert_output_lacks socket:
}

@test "denied: a limit of few files leaves it be, closed streams too" {
	run box --report --limit files=8 -- "$HELPERS/reach" connect 192.0.2.1 80
	assert_output_has "connect 192.0.2.1:80 (ENETUNREACH)"
	run bash -c '"$0" --read "$1" --cwd / --report -- \
		sh -c "\"$1/reach\" connect 192.0.2.1 80 >/dev/null" <&- >&-' \
		"$CORDON" "$HELPERS"
	assert_output_has "connect 192.0.2.1:80 (ENETUNREACH)"
}

@test "denied: a killed launcher leaves nothing, also with calls waiting" {
	local left
	start storm "$CORDON" --write "$W" --read "$HELPERS" --report \
		--hostname storm-$$ -- sh -c "echo up; for i in 1 2 3 4; do
			'$HELPERS/reach' connect 192.0.2.1 80 1000000 & done; wait"
	local supervisor=${STARTED[0]}
	# stopped, it answers nobody; what waits must die all the same
	sleep 0.2
	kill -STOP "$supervisor"
	sleep 0.2
	left=$(pgrep -f "[r]each connect 192.0.2.1 80 1000000\$" -c || true)
	[ "$left" -ge 4 ]
	kill -KILL "$supervisor"
	await sh -c '! pgrep -f "[r]each connect 192.0.2.1 80 1000000\$"'
}

@test "denied: the end comes while calls wait" {
	run timeout 20 "$CORDON" --read "$HELPERS" --cwd / --report -- \
		sh -c "'$HELPERS/reach' connect 192.0.2.1 80 10000000 8 & sleep 0.3"
	assert_status 0
	assert_output_has "connect 192.0.2.1:80 (ENETUNREACH)"
}
