#!/usr/bin/env bats
# What was denied on the network: the `denied' events of the status stream, and
# --report. No test reaches another machine: there is no route inside.

# shellcheck disable=SC2016,SC2030,SC2031
bats_require_minimum_version 1.5.0
load box
load denied

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
	holds '.[-1].denied == { "net": 1, "file": 0, "call": 0 } and
		.[-1].cause == "command"'
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

@test "denied: a stream alone hears connects and sendto" {
	require jq
	run box --status-fd 4 -- "$HELPERS/reach" connect 192.0.2.1 80 4>status
	holds 'any(.[]; .event == "denied" and .object == "192.0.2.1:80")'
	assert_output_lacks "cordon:"
	run box --status-fd 4 -- "$HELPERS/reach" sendto 192.0.2.1 80 4>status
	holds 'any(.[]; .event == "denied" and .operation == "send")'
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
