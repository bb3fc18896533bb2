#!/usr/bin/env bats
# What was denied: the `denied' events of the status stream, --report and
# --fail-on. No test reaches another machine: there is no route inside.

# shellcheck disable=SC2016,SC2030,SC2031
bats_require_minimum_version 1.5.0
load box

# Watched in full, the stream in ./status.
watched() {
	box --report --status-fd 4 "$@" 4>status
}

reach() {
	watched -- "$HELPERS/reach" "$@"
}

# holds FILTER: true for the stream read as one array of events.
holds() {
	jq -es "$1" status >/dev/null && return
	echo "does not hold: $1"
	cat status
	return 1
}

# last_count OPERATION OBJECT: how often, by the last word on it.
last_count() {
	jq -s "[.[] | select(.event == \"denied\" and .operation == \"$1\" and
		.object == \"$2\")] | last | .count // 0" status
}

python() {
	watched -- /usr/bin/python3 -c "$1"
}

@test "denied: a connect over IPv4 and IPv6, with everything said of it" {
	require jq
	run reach connect 192.0.2.1 443
	assert_status 0
	assert_output_has "ENETUNREACH 1"
	holds '[.[] | select(.event == "denied")] | length == 1'
	holds '.[] | select(.event == "denied") | .kind == "net" and
		.operation == "connect" and .object == "192.0.2.1:443" and
		.errno == "ENETUNREACH" and .rule == "--net none" and
		.allow == "--net host" and .command == "reach" and .count == 1'
	# the command's own process, in both numberings
	holds '(.[] | select(.event == "exec") | .pid) as $pid |
		.[] | select(.event == "denied") | .pid == $pid and
		.host_pid > .pid'
	holds '.[-1].denied == { "net": 1, "file": 0 } and .[-1].cause == "command"'
	run reach connect 2001:db8::1 80
	holds 'any(.[]; .event == "denied" and .object == "[2001:db8::1]:80")'
	run reach connect ::ffff:192.0.2.1 80
	holds 'any(.[]; .event == "denied" and .object == "192.0.2.1:80")'
}

@test "denied: exec comes before, exit behind" {
	require jq
	run reach connect 192.0.2.1 443 5
	holds '[.[].event | select(. != "note")] ==
		["ready", "exec", "denied", "denied", "exit"]'
}

@test "denied: addressed sends by every call that has them" {
	require jq
	local call
	for call in sendto sendmsg sendmmsg; do
		run reach "$call" 192.0.2.7 53
		assert_output_has ENETUNREACH
		holds 'any(.[]; .event == "denied" and .operation == "send" and
			.object == "192.0.2.7:53")'
	done
	run reach sendto 224.0.0.251 5353
	holds 'any(.[]; .event == "denied" and .object == "224.0.0.251:5353")'
	run reach sendto 255.255.255.255 9
	holds 'any(.[]; .event == "denied" and
		.object == "255.255.255.255:9")'
}

@test "denied: TCP as well as UDP" {
	require jq
	run watched -- "$HELPERS/probe" tcp 192.0.2.1 80
	assert_output_has ENETUNREACH
	holds 'any(.[]; .event == "denied" and .object == "192.0.2.1:80" and
		.command == "probe")'
}

@test "denied: not loopback, not Unix sockets, not a caller's own mistake" {
	require jq
	local host
	for host in 127.0.0.1 127.1.2.3 0.0.0.0 ::1 :: ::ffff:127.0.0.1; do
		run reach connect "$host" 9
		assert_output_has "ok 1"
		holds 'any(.[]; .event == "denied") | not'
		assert_output_has "cordon: denied: nothing"
		run reach sendto "$host" 9
		holds '.[-1].denied.net == 0'
	done
	run watched -- "$HELPERS/probe" unix @nobody-listens-here
	assert_output_has ECONNREFUSED
	holds 'any(.[]; .event == "denied") | not'
	# link-local without an interface: EINVAL, outside too
	run reach connect fe80::1 80
	assert_output_has EINVAL
	holds 'any(.[]; .event == "denied") | not'
	# control: with an interface it is the network that says no
	run python 'import socket
s = socket.socket(socket.AF_INET6)
print(s.connect_ex(("fe80::1", 80, 0, 1)))'
	assert_output_has 101
	holds 'any(.[]; .event == "denied" and .object == "[fe80::1%1]:80")'
}

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

@test "denied: the same again is counted, told twice at most" {
	require jq
	run reach connect 192.0.2.1 443 100
	holds '[.[] | select(.event == "denied") | .count] == [1, 100]'
	holds '.[-1].denied.net == 100'
	assert_output_has "connect 192.0.2.1:443 (ENETUNREACH), 100 times, reach"
}

@test "denied: beyond 256 different things they are counted" {
	require jq
	run python 'import socket
for port in range(1, 301):
    socket.socket().connect_ex(("192.0.2.1", port))'
	holds '[.[] | select(.event == "denied")] | length == 256'
	holds '.[-1].denied.net == 300'
	holds 'any(.[]; .event == "note" and .token == "denied" and
		(.text | test("44$")))'
}

@test "denied: names that are looked up, and by whom" {
	require jq getent
	run watched -- getent ahosts Name.Example
	assert_status 2
	holds 'any(.[]; .event == "denied" and .operation == "resolve" and
		.object == "name.example" and .errno == null and
		.command == "getent")'
	assert_output_has "cordon: denied: resolve name.example"
	# control: what the file of hosts has is not asked for
	run watched -- getent ahosts localhost
	assert_status 0
	holds 'any(.[]; .event == "denied") | not'
}

@test "denied: names in Python and node, with the error they always gave" {
	require jq /usr/bin/python3
	local words='import socket
try: socket.getaddrinfo("py.example", 80)
except OSError as error: print(error)'
	run box -- /usr/bin/python3 -c "$words"
	local unwatched=$output
	run python "$words"
	assert_output_has "$unwatched"
	holds 'any(.[]; .event == "denied" and .object == "py.example" and
		.command == "python3")'
	require node
	words='require("dns").lookup("n.example", e => console.log(e.code));
		require("dns").resolve4("r.example", () => 0)'
	run watched -- node -e "$words"
	assert_output_has EAI_AGAIN
	holds 'any(.[]; .event == "denied" and .object == "n.example" and
		.command == "node")'
	holds 'any(.[]; .event == "denied" and .object == "r.example" and
		.command == "node")'
}

@test "denied: an asker that cannot be told is not guessed" {
	require jq /usr/bin/python3
	# through a socket whose address is not heard of without --report
	run box --status-fd 4 -- /usr/bin/python3 -c 'import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
q = bytes([1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 97, 0, 0, 1, 0, 1])
s.sendmsg([q], [], 0, ("127.0.0.1", 53))
print(s.recv(99)[3])' 4>status
	assert_output_is 5
	holds 'any(.[]; .event == "denied" and .object == "a" and
		.pid == null and .command == null)'
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

@test "denied: a stream alone hears connects and sendto" {
	require jq
	run box --status-fd 4 -- "$HELPERS/reach" connect 192.0.2.1 80 4>status
	holds 'any(.[]; .event == "denied" and .object == "192.0.2.1:80")'
	assert_output_lacks "cordon:"
	run box --status-fd 4 -- "$HELPERS/reach" sendto 192.0.2.1 80 4>status
	holds 'any(.[]; .event == "denied" and .operation == "send")'
}

@test "denied: a plain run is not watched" {
	run box -- sh -c 'grep Seccomp_filters /proc/self/status | cut -f 2'
	assert_output_is 1
	run box --report -- \
		sh -c 'grep Seccomp_filters /proc/self/status | cut -f 2'
	[ "${lines[0]}" = 2 ]
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
	assert_output_has "cordon: denied: nothing"
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

@test "denied: names of programs cannot forge the report" {
	require /usr/bin/python3
	run python 'import socket
open("/proc/self/comm", "wb").write(b"a\nTgid:\t1\n")
socket.socket().connect_ex(("192.0.2.1", 1))'
	assert_output_has 'cordon: denied: connect 192.0.2.1:1'
	[ "$(grep -c '^cordon: ' <<<"$output")" -eq 1 ]
	holds '.[] | select(.event == "denied") | .pid > 1 and .host_pid > 1'
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

# A read root with a write root in it, and a mask and a protection.
make_roots() {
	mkdir -p tree/shown tree/work/kept tree/far
	echo f >tree/shown/f
	echo s >tree/work/secret
	ln -s ../shown/f tree/work/link
}

files() {
	"$CORDON" --read "$W/tree" --write "$W/tree/work" --cwd "$W/tree/shown" \
		--protect "$W/tree/work/kept" --mask "$W/tree/work/secret" \
		--report --status-fd 4 -- "$@" 4>status
}

# told OPERATION OBJECT ERRNO RULE ALLOW
told() {
	holds "any(.[]; .event == \"denied\" and .kind == \"file\" and
		.operation == \"$1\" and .object == \"$2\" and .errno == \"$3\" and
		.rule == \"$4\" and .allow == \"$5\")"
}

@test "denied: every kind of change in a read root" {
	require jq
	make_roots
	local t=$W/tree
	run files sh -c 'echo >f; echo >new; mkdir dir; rm -f f; mv f g
		ln f hard; ln -s f soft; mkfifo pipe; chmod 600 f; true'
	assert_status 0
	local rule="--read $t" allow="--write $t/shown"
	told write "$t/shown/f" EROFS "$rule" "$allow/f"
	told write "$t/shown/new" EROFS "$rule" "$allow"
	told mkdir "$t/shown/dir" EROFS "$rule" "$allow"
	told unlink "$t/shown/f" EROFS "$rule" "$allow"
	told rename "$t/shown/f" EROFS "$rule" "$allow"
	told link "$t/shown/hard" EROFS "$rule" "$allow"
	told symlink "$t/shown/soft" EROFS "$rule" "$allow"
	told mknod "$t/shown/pipe" EROFS "$rule" "$allow"
	told chmod "$t/shown/f" EROFS "$rule" "$allow/f"
	holds '.[-1].denied == { "net": 0, "file": 9 }'
	assert_output_has "cordon: denied: write $t/shown/new (EROFS), sh (pid "
	# what they say makes it work
	run "$CORDON" --read "$t" --write "$t/shown" --cwd "$t/shown" --report \
		-- sh -c 'echo >new; mkdir dir; chmod 600 f'
	assert_output_is "cordon: denied: nothing"
}

@test "denied: not what is allowed, nor what would fail anyhow" {
	require jq
	make_roots
	mkdir tree/shown/there
	run files sh -c 'cd ../work; echo >a; mv a b; mkdir d; rmdir d; rm b
		echo >/tmp/x; echo >"$HOME/x"; echo >/dev/null; cat <../shown/f'
	assert_status 0
	assert_output_has "cordon: denied: nothing"
	run files sh -c 'mkdir there; rm -f missing; rmdir missing; echo >/proc/x
		rm missing/x; mkdir missing/x; echo >there; true'
	assert_output_has "cordon: denied: nothing"
	require /usr/bin/python3
	run files /usr/bin/python3 -c 'import os
os.open("f", os.O_RDONLY | os.O_CREAT)
try: os.open("f", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
except FileExistsError: print("there")'
	assert_output_has there
	assert_output_has "cordon: denied: nothing"
	# control
	run files /usr/bin/python3 -c 'import os
try: os.open("f", os.O_WRONLY)
except OSError as error: print(error.errno)'
	assert_output_has 30
	assert_output_lacks "cordon: denied: nothing"
}

@test "denied: a mask, a protection, and what is not shown" {
	require jq
	make_roots
	local t=$W/tree
	run files sh -c 'cd ../work; echo >kept/x; echo >secret; echo >>secret; true'
	told write "$t/work/kept/x" EROFS "--protect $t/work/kept" \
		"--unprotect $t/work/kept"
	told write "$t/work/secret" EROFS "--mask $t/work/secret" \
		"--unmask $t/work/secret"
	told write "$t/work/secret" EACCES "--mask $t/work/secret" \
		"--unmask $t/work/secret"
	# at another place than outside
	run "$CORDON" --read "$t/shown:/srv/shown" --cwd / --report \
		--status-fd 4 -- sh -c 'echo >/srv/shown/new; true' 4>status
	told write /srv/shown/new EROFS "--read /srv/shown" \
		"--write $t/shown:/srv/shown"
}

@test "denied: a place that is outside and not inside" {
	require_root
	require jq
	local place
	place=$(mktemp -d /var/cordon-test.XXXXXX)
	run watched -- sh -c "echo >'$place/x'; mkdir '$place'; true"
	rmdir "$place" # nothing was made in it
	told write "$place/x" ENOENT default "--write $place"
	told mkdir "$place" EROFS default "--write $place"
	# control: what is not there outside either
	run watched -- sh -c "echo >'$place/x'; true"
	assert_output_has "cordon: denied: nothing"
}

@test "denied: paths by a descriptor, over links and with dots" {
	require jq /usr/bin/python3
	make_roots
	local t=$W/tree
	run files /usr/bin/python3 -c 'import os
def denied(call, *words, **options):
    try: call(*words, **options); print("worked")
    except OSError as error: pass
shown = os.open(".", os.O_RDONLY)
os.chdir("../work")
denied(os.mkdir, "a", dir_fd=shown)
denied(os.mkdir, "../shown/../shown/./b")
denied(os.open, "link", os.O_WRONLY)
denied(os.rename, "../shown/f", "c", src_dir_fd=None)
denied(os.rename, "f", "d", src_dir_fd=shown, dst_dir_fd=shown)
denied(os.truncate, "../shown/f", 0)'
	assert_output_lacks worked
	holds "[.[] | select(.kind == \"file\") | [.operation, .object]] |
		contains([[\"mkdir\", \"$t/shown/a\"], [\"mkdir\", \"$t/shown/b\"],
		[\"write\", \"$t/shown/f\"], [\"rename\", \"$t/shown/f\"]])"
}

@test "denied: what is read, with --report=all" {
	require jq
	make_roots
	mkdir -p tree/work/vault/deep tree/unseen
	echo s >tree/work/vault/deep/key
	echo s >"$HOME/.token"
	local t=$W/tree
	all() {
		"$CORDON" --read "$t/shown" --write "$t/work" --cwd "$t/work" \
			--mask "$t/work/secret" --mask "$t/work/vault" \
			--status-fd 4 "$@" 4>status
	}
	local reads='cat secret vault/deep/key ~/.token "$0/f" /nowhere/f; ls vault
		cat link /proc/nothing /dev/nothing >/dev/null; true'
	run all --report=all -- sh -c "$reads" "$t/unseen"
	assert_status 0
	told read "$t/work/secret" EACCES "--mask $t/work/secret" \
		"--unmask $t/work/secret"
	told read "$t/work/vault/deep/key" EACCES "--mask $t/work/vault" \
		"--unmask $t/work/vault"
	told read "$t/work/vault" EACCES "--mask $t/work/vault" \
		"--unmask $t/work/vault"
	told read "$HOME/.token" ENOENT default "--read $HOME/.token"
	holds '[.[] | select(.event == "denied")] | length == 4'
	# control: it helps
	run all --report=all --read "$HOME/.token" -- sh -c 'cat ~/.token'
	assert_output_is "s
cordon: denied: nothing"
	# and without all reads are not told
	run all --report -- sh -c "$reads" "$t/unseen"
	assert_output_has "cordon: denied: nothing"
	# openat2 is always heard, its flags stand in memory
	require /usr/bin/python3
	local open='import ctypes, sys
how = (ctypes.c_uint64 * 3)(int(sys.argv[1]), 0, 0)
print(ctypes.CDLL(None).syscall(437, -100, b"secret", how, 24))'
	run all --report -- /usr/bin/python3 -c "$open" 0
	assert_output_is "-1
cordon: denied: nothing"
	run all --report -- /usr/bin/python3 -c "$open" 1
	told write "$t/work/secret" EACCES "--mask $t/work/secret" \
		"--unmask $t/work/secret"
}

@test "denied: what this user may not write outside is not the wall's denial" {
	require_user
	require jq
	run watched -- sh -c 'echo >/usr/denied; mkdir /usr/denied; rm /usr/bin/env
		echo >/etc/passwd; mkdir /denied; true'
	assert_output_has "Read-only file system"
	assert_output_has "cordon: denied: nothing"
}

@test "denied: bad words of file calls give what they give unwatched" {
	local call
	for call in "openat 0 1 1" "openat -100 @ 1" "mkdirat 99 1" "mkdirat 99 @" \
		"openat2 -100 @ 0 24" "openat2 -100 @ @ 24" "unlinkat -100 0"; do
		# shellcheck disable=SC2086 # several words
		run box -- "$HELPERS/trycall" $call
		local unwatched=$output
		# shellcheck disable=SC2086
		run box --report -- "$HELPERS/trycall" $call
		[ "${lines[0]}" = "$unwatched" ] ||
			{ echo "$call: $unwatched"; show_run; return 1; }
		assert_output_has "cordon: denied: nothing"
	done
	require /usr/bin/python3
	run python 'import os
for name in "x" * 5000, "/" + "x/" * 2040, "":
    try: os.mkdir(name)
    except OSError as error: print(error.errno)'
	[ "${lines[*]:0:3}" = "36 2 2" ] || { show_run; return 1; }
}

@test "denied: a path cannot forge the report" {
	require jq /usr/bin/python3
	make_roots
	run files /usr/bin/python3 -c 'import os
try: os.mkdir(b"a\ncordon: denied: nothing\x1b[2J\xff")
except OSError: pass'
	[ "$(grep -c '^cordon: ' <<<"$output")" -eq 1 ]
	assert_output_has 'a\x0acordon: denied: nothing\x1b[2J'
	holds 'any(.[]; .event == "denied" and has("object_b64"))'
}

@test "denied: files are heard with --report only, of any network" {
	require jq
	make_roots
	local try=(--read "$W/tree" --cwd "$W/tree/shown")
	run "$CORDON" "${try[@]}" --status-fd 4 --fail-on denied -- \
		sh -c 'mkdir d; true' 4>status
	assert_status 0
	holds '.[-1].denied == { "net": 0 }'
	run "$CORDON" "${try[@]}" --report --fail-on denied -- \
		sh -c 'mkdir d; true'
	assert_status 123
	run "$CORDON" "${try[@]}" --net host --allow-abstract --report \
		--status-fd 4 -- sh -c "mkdir d
			'$HELPERS/reach' connect 127.0.0.1 9; true" 4>status
	holds '.[-1].denied == { "file": 1 }'
}

@test "done when: an offline pytest run names each host, address and process" {
	require jq /usr/bin/python3
	/usr/bin/python3 -c 'import pytest' ||
		skip_or_fail "not found: pytest of /usr/bin/python3"
	cat >test_reach.py <<-'P'
		import socket, subprocess, urllib.request
		import pytest

		def test_address():
		    with pytest.raises(OSError):
		        socket.create_connection(("192.0.2.10", 5432), 3)

		def test_address6():
		    with pytest.raises(OSError):
		        socket.create_connection(("2001:db8::5", 6379), 3)

		def test_name():
		    with pytest.raises(OSError):
		        urllib.request.urlopen("http://api.example/v1", timeout=3)

		def test_metrics():
		    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
		    with pytest.raises(OSError):
		        s.sendto(b"up:1|c", ("192.0.2.20", 8125))

		def test_child():
		    assert subprocess.run(["getent", "hosts", "db.example"]).returncode

		def test_server_of_its_own():
		    server = socket.create_server(("127.0.0.1", 0))
		    socket.create_connection(server.getsockname(), 3).close()
	P
	run box --report --status-fd 4 -- \
		/usr/bin/python3 -m pytest -q -p no:cacheprovider 4>status
	assert_status 0
	assert_output_has "6 passed"
	assert_output_has "denied: connect 192.0.2.10:5432 (ENETUNREACH), python3 "
	assert_output_has "denied: connect [2001:db8::5]:6379 (ENETUNREACH), python3 "
	assert_output_has "denied: send 192.0.2.20:8125 (ENETUNREACH), python3 "
	assert_output_has "denied: resolve api.example, "
	[[ $output =~ "denied: resolve db.example, "[0-9]+" times, getent " ]]
	[ "$(grep -c '^cordon: denied: ' <<<"$output")" -eq 5 ]
	holds '[.[] | select(.event == "denied") | .object] | unique ==
		["192.0.2.10:5432", "192.0.2.20:8125", "[2001:db8::5]:6379",
		 "api.example", "db.example"]'
	run box --fail-on denied -- \
		/usr/bin/python3 -m pytest -q -p no:cacheprovider
	assert_status 123
}
