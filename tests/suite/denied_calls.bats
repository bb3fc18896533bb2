#!/usr/bin/env bats
# What was denied of calls: with --report the supervisor hears what the filter
# denies, and says the filter's errno. The wall is the same, watched or not.

# shellcheck disable=SC2016,SC2030,SC2031
bats_require_minimum_version 1.5.0
load box
load denied
load filter_common

setup_file() {
	filter_setup_file
}

# told OBJECT ERRNO RULE ALLOW: the last is JSON.
told() {
	holds "any(.[]; .event == \"denied\" and .kind == \"call\" and
		.operation == \"call\" and .object == \"$1\" and .errno == \"$2\" and
		.rule == \"$3\" and .allow == $4)"
}

# try CALL...: each in a process of its own, an answer a line.
try() {
	local calls=()
	while [ "$1" != : ]; do
		calls+=("$1")
		shift
	done
	shift
	printf '%s\n' "$@" |
		watched "${calls[@]}" -- sh -c 'while read -r words; do
			"$0" $words; done' "$HELPERS/trycall"
}

# policy NAME ACTION CALLS: of which all else is allowed.
policy() {
	printf '{ "defaultAction": "SCMP_ACT_ALLOW", "syscalls": [ {
		"names": [%s], "action": "%s" } ] }\n' "$3" "$2" >"$1.json"
}

# Would succeed without a filter, for everybody.
harmless="personality 0x40000"

@test "denied: a call that the filter denies, by its name" {
	require jq
	run try : 'ptrace 99 0' "$harmless"
	assert_output_has "EPERM
EPERM
cordon: denied: call ptrace (EPERM), trycall (pid "
	assert_output_has "; --seccomp devel allows it"
	told ptrace EPERM "--seccomp default" '"--seccomp devel"'
	told "personality(0x40000)" EPERM "--seccomp default" '"--seccomp devel"'
	holds 'any(.[]; .object == "ptrace" and .pid > 1 and .host_pid > 1 and
		.command == "trycall" and .count == 1)'
	holds '.[-1].denied == { "net": 0, "file": 0, "call": 2 }'
	# controls: what is allowed is not told, what helps helps
	run try : 'getppid' 'uname 0' 'socket 2 2 0'
	assert_output_has "cordon: denied: nothing"
	run try --seccomp devel : 'ptrace 99 0' "$harmless"
	assert_output_has "cordon: denied: nothing"
	run try --seccomp none : "$harmless"
	[ "${lines[0]}" = "ok 0" ]
	holds '.[-1].denied == { "net": 0, "file": 0 }'
}

@test "denied: a call is told with what the filter looked at" {
	require jq
	run try : 'ioctl 99 0x5412' 'ioctl 99 0x100005412' 'socket 17 3 0' \
		'socket 16 3 12' 'prctl 35' 'unshare 0x10000000'
	told "ioctl(_, TIOCSTI)" EPERM "--seccomp default" null
	told "ioctl(_, 0x100005412)" EPERM "--seccomp default" null
	told "socket(AF_PACKET)" EAFNOSUPPORT "--seccomp default" null
	told "socket(AF_NETLINK, 0x3, 0xc)" EPROTONOSUPPORT "--seccomp default" \
		null
	told "prctl(PR_SET_MM)" EPERM "--seccomp default" null
	told "unshare(0x10000000)" EPERM "--seccomp default" '"--nested"'
	assert_output_has "TIOCSTI) (EPERM), trycall"
	assert_output_has "; no shipped filter allows it"
}

@test "denied: the words that would allow a call are for this filter" {
	require jq
	run try --seccomp devel : mount bpf
	told mount EPERM "--seccomp devel" '"--nested"'
	told bpf EPERM "--seccomp devel" null
	policy own SCMP_ACT_ERRNO '"ptrace", "mount", "getppid", "bpf"'
	run try --seccomp "$W/own.json" : 'ptrace 99 0' mount getppid bpf
	told getppid EPERM "--seccomp $W/own.json" '"--seccomp default"'
	told ptrace EPERM "--seccomp $W/own.json" '"--seccomp devel"'
	told bpf EPERM "--seccomp $W/own.json" null
	run nested --write "$W" --read "$HELPERS" --report --status-fd 4 \
		-- "$HELPERS/trycall" ptrace 99 0 4>status
	told ptrace EPERM "--seccomp default" '"--seccomp devel"'
}

@test "denied: calls that are answered as if they did not exist are not told" {
	require jq
	run try : 'clone3 @ 88' io_uring_setup statmount 472 1023 fsopen
	[ "$(grep -c ENOSYS <<<"$output")" -eq 6 ] || { show_run; return 1; }
	assert_output_has "cordon: denied: nothing"
	require /usr/bin/python3
	run python 'import threading
t = threading.Thread(target=print, args=("thread",)); t.start(); t.join()'
	assert_output_is "thread
cordon: denied: nothing"
}

@test "denied: ordinary programs meet no denied call" {
	require jq git cc /usr/bin/python3
	cat >a.py <<-'P'
		import asyncio, multiprocessing, socket, subprocess, tempfile
		asyncio.run(asyncio.sleep(0))
		subprocess.run(["true"], check=True)
		tempfile.TemporaryFile().write(b"x")
		socket.if_nameindex()
		with multiprocessing.get_context("fork").Pool(2) as pool:
		    print(pool.map(abs, [-1, 2]))
	P
	run watched --profile agent -- sh -c 'git init -q r && git -C r status -s &&
		echo "int main(void) { return 0; }" >a.c && cc a.c -o a && ./a &&
		ls -l / >/dev/null && /usr/bin/python3 a.py'
	assert_status 0
	assert_output_has "[1, 2]"
	holds '.[-1].denied.call == 0'
}

@test "denied: every denied call gives the errno of the table, watched or not" {
	require jq
	denials >rows
	[ "$(wc -l <rows)" -ge 90 ]
	sed 's/.* = //' rows >want
	sed 's/ = .*//' rows >calls
	export TRYCALL=$HELPERS/trycall
	answers box -- <calls >unwatched
	diff want unwatched
	answers box --report --status-fd 4 -- <calls >watched 4>status 2>said
	diff want watched
	# none of them was left out, but what is as if it did not exist
	holds ".[-1].denied.call == $(grep -vc ENOSYS want)"
	# control: without the filter they answer otherwise
	answers box --report --seccomp none -- <calls >open 2>/dev/null
	[ "$(diff want open | grep -c '^>')" -ge 20 ]
}

@test "denied: calls of threads and processes by the thousand, none lost" {
	require jq
	# an address family of nobody's
	run timeout 60 "$CORDON" --read "$HELPERS" --cwd / --report \
		--status-fd 4 -- "$HELPERS/reach" connect none 80 250 8 4>status
	[ "${lines[0]}" = "EAFNOSUPPORT 2000" ] || { show_run; return 1; }
	[ "$(last_count call 'socket(0)')" -eq 2000 ]
	holds '.[-1].denied.call == 2000'
	run timeout 60 "$CORDON" --read "$HELPERS" --cwd / --report \
		--status-fd 4 -- "$HELPERS/reach" forked none 80 1000 4>status
	assert_output_has "EAFNOSUPPORT 1000"
	holds '.[-1].denied.call == 1000'
}

@test "denied: signals change no answer" {
	require jq
	run reach signals none 80 1000 4
	[ "${lines[0]}" = "EAFNOSUPPORT 4000" ] || { show_run; return 1; }
	[ "${lines[1]}" = "ticks some" ]
	holds '.[-1].denied.call >= 4000'
}

@test "denied: a full report changes no answer" {
	require jq /usr/bin/python3
	run python 'import ctypes
libc = ctypes.CDLL(None, use_errno=True)
seen = set()
for i in range(400):
    seen.add((libc.personality(0x1000000 + i), ctypes.get_errno()))
print(seen)'
	[ "${lines[0]}" = "{(-1, 1)}" ] || { show_run; return 1; }
	holds '.[-1].denied.call == 400'
	holds '[.[] | select(.event == "denied")] | length == 256'
	holds 'any(.[]; .event == "note" and .token == "denied" and
		(.text | endswith(": 144")))'
}

@test "denied: a program that may not be read gets its errno, and is told" {
	require_root
	require jq
	mkdir -m 755 "$SCRATCH/shut"
	cp "$HELPERS/trycall" "$SCRATCH/shut/trycall"
	chmod 711 "$SCRATCH/shut/trycall"
	run "$CORDON" --uid 12345 --gid 12345 --read "$SCRATCH/shut" --cwd / \
		--status-fd 4 --report -- "$SCRATCH/shut/trycall" ptrace 99 0 4>status
	[ "${lines[0]}" = EPERM ] || { show_run; return 1; }
	told ptrace EPERM "--seccomp default" '"--seccomp devel"'
}

@test "denied: --fail-on counts calls as it does files, with a report" {
	require jq
	run box --report --fail-on denied -- sh -c "$HELPERS/trycall mount; true"
	assert_status 123
	run box --report --fail-on denied -- sh -c "$HELPERS/trycall getppid; true"
	assert_status 0
	# without one they are not heard
	run box --fail-on denied --status-fd 4 -- \
		sh -c "$HELPERS/trycall mount; true" 4>status
	assert_status 0
	holds '.[-1].denied == { "net": 0 }'
}

@test "denied: under an outer listener the filter stands as ever" {
	require jq
	run box --status-fd 4 --seccomp none -- "$HELPERS/trycall" \
		personality 0x40000 4>status
	assert_output_is "ok 0" # control
	run "$HELPERS/notify" "$CORDON" --read "$HELPERS" --cwd / --status-fd 4 \
		-- "$HELPERS/trycall" personality 0x40000 4>status
	assert_output_is EPERM
	holds 'any(.[]; .event == "note" and .token == "unwatched")'
	run "$HELPERS/notify" "$CORDON" --read "$HELPERS" --cwd / --report \
		-- "$HELPERS/trycall" personality 0x40000
	assert_status 125
}

@test "denied: a killed launcher lets no denied call through" {
	require /usr/bin/python3
	local loop='import ctypes, os, sys
libc = ctypes.CDLL(None)
for i in range(3): os.fork()
print("up", flush=True)
while True:
    if libc.personality(0x40000) != -1:
        open("through", "w")
        sys.exit()'
	local box=(--write "$W" --report)
	# control
	run timeout 20 "$CORDON" "${box[@]}" --seccomp none -- \
		/usr/bin/python3 -c "$loop"
	[ -e through ]
	rm through
	local round
	for round in 1 2 3; do
		start storm "$CORDON" "${box[@]}" -- /usr/bin/python3 -c "$loop" \
			"storm-$$-$round"
		sleep 0.2
		[ "$round" -ne 2 ] || kill -STOP "${STARTED[0]}"
		kill -KILL "${STARTED[0]}"
		await sh -c "! pgrep -f '[s]torm-$$-$round\$'"
		STARTED=()
		assert_absent through
	done
}

@test "denied: a filter that decides about the start is loaded as ever" {
	require jq
	own() {
		run timeout 20 "$CORDON" --write "$W" --read "$HELPERS" \
			--seccomp ./own.json --report --status-fd 4 \
			-- "$HELPERS/trycall" getppid 4>status
		[ "${lines[0]}" = EPERM ] || { show_run; return 1; }
	}
	policy own SCMP_ACT_ERRNO '"getppid"'
	own # control
	told getppid EPERM "--seccomp $W/own.json" '"--seccomp default"'
	policy own SCMP_ACT_ERRNO '"getppid", "prlimit64"'
	own
	holds 'any(.[]; .event == "note" and .token == "unwatched" and
		(.text | startswith("calls that the filter denies")))'
	holds '.[-1].denied == { "net": 0, "file": 0 }'
	# also where it looks at arguments only
	cat >own.json <<-'J'
		{ "defaultAction": "SCMP_ACT_ALLOW", "syscalls": [ {
		  "names": ["prlimit64"], "action": "SCMP_ACT_ERRNO",
		  "args": [ { "index": 2, "value": 0, "op": "SCMP_CMP_NE" } ] } ] }
	J
	run timeout 20 "$CORDON" --write "$W" --seccomp ./own.json --report \
		--limit files=99 --fail-on denied -- sh -c 'ulimit -n'
	assert_status 123 # not known to be good
	assert_output_has 99
	policy own SCMP_ACT_ERRNO '"execve"'
	run timeout 20 "$CORDON" --write "$W" --seccomp ./own.json --report -- true
	assert_status 126
}

@test "denied: a filter without room for more is loaded as ever" {
	require jq
	rules() { # COUNT
		local i
		printf '{ "defaultAction": "SCMP_ACT_ALLOW", "syscalls": ['
		for ((i = 1; i <= $1; i++)); do
			printf '%s{ "names": ["getpriority"],
				"action": "SCMP_ACT_ERRNO", "args": [ { "index": 1,
				"value": %s, "op": "SCMP_CMP_EQ" } ] }' \
				"${comma-}" "$i" && local comma=,
		done
		printf '] }'
	}
	local got
	for count in 700 990; do
		rules "$count" >many.json
		run box --seccomp ./many.json --report --status-fd 4 -- \
			"$HELPERS/trycall" getpriority 0 5 4>status
		[ "${lines[0]}" = EPERM ] || { show_run; return 1; }
		holds '.[-1].denied.call // 0'
		got+=$(jq -s '.[-1].denied.call // "-"' status)
	done
	[ "$got" = '1"-"' ]
}

@test "denied: what a filter kills, traps or logs it kills, traps and lets go on" {
	require jq
	# not through a shell, which asks for its parent itself
	one() {
		run watched --seccomp ./own.json -- "$HELPERS/trycall" "$@"
	}
	policy own SCMP_ACT_KILL_PROCESS '"getppid", "connect"'
	one getppid
	[ "${lines[0]}" = "signal 31" ] || { show_run; return 1; }
	one connect 0 1 16 # which is watched
	[ "${lines[0]}" = "signal 31" ]
	policy own SCMP_ACT_TRAP '"getppid"'
	one getppid
	[ "${lines[0]}" = "signal 31" ]
	policy own SCMP_ACT_LOG '"mkdir", "mkdirat", "getppid"'
	one getppid
	assert_output_has "ok "
	assert_output_has "cordon: denied: nothing"
	mkdir "$SCRATCH/shown"
	run watched --seccomp ./own.json --read "$SCRATCH/shown" -- \
		mkdir here "$SCRATCH/shown/new"
	[ -d here ]
	assert_output_has "denied: mkdir $SCRATCH/shown/new (EROFS)"
}
