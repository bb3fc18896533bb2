#!/usr/bin/env bats
# Network: loopback of one's own, everything else fails at once. Nothing here
# sends a packet to another machine: either there is no route, or the peer is a
# listener of the test on this host's loopback.

load box

# attempt PROBE...: inside; must fail, and in less than a second.
refused_at_once() {
	local begin=$EPOCHREALTIME
	run box -- "$HELPERS/probe" "$@"
	[ "$status" -eq 1 ] || { show_run; return 1; }
	local took=$((${EPOCHREALTIME/./} - ${begin/./}))
	[ "$took" -lt 2000000 ] || { echo "took $took us: $*"; return 1; }
}

@test "case 76: a server and a client inside, on 127.0.0.1 and ::1" {
	local host
	for host in 127.0.0.1 ::1; do
		works box -- sh -c "'$HELPERS/listener' tcp $host >port &
			until [ -s port ]; do sleep 0.01; done
			'$HELPERS/probe' tcp $host \$(cat port)"
		assert_output_is ok
		rm port
	done
}

@test "case 76: localhost resolves to both, without a resolver" {
	works box -- getent ahosts localhost
	assert_output_has 127.0.0.1
	assert_output_has ::1
	works box -- getent hosts cordon
	assert_output_has 127.0.1.1
}

@test "N-9 L-4 net: only the loopback interface is there" {
	works box -- sh -c 'tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "'
	assert_output_is lo
	works box -- sh -c 'tail -n +2 /proc/net/route'
	assert_output_is ""
}

@test "W01 A18: other addresses are unreachable at once, over TCP" {
	refused_at_once tcp 192.0.2.1 80
	assert_output_is ENETUNREACH
	refused_at_once tcp 10.0.0.1 443
	refused_at_once tcp 169.254.169.254 80
	refused_at_once tcp 2001:db8::1 443
	refused_at_once tcp fe80::1 80
}

@test "W01: and over UDP, to a resolver, QUIC and multicast" {
	refused_at_once udp 192.0.2.1 53
	refused_at_once udp 192.0.2.1 443
	refused_at_once udp 224.0.0.251 5353
	refused_at_once udp 255.255.255.255 9
	refused_at_once udp 2001:db8::1 53
	refused_at_once udp ff02::1 9
}

@test "case 77: a foreign name fails fast" {
	local begin=$EPOCHREALTIME
	run box -- getent hosts name.invalid
	[ "$status" -ne 0 ]
	local took=$((${EPOCHREALTIME/./} - ${begin/./}))
	[ "$took" -lt 3000000 ]
}

@test "W06: a listener on the host's loopback is not reached" {
	start tcp4 "$HELPERS/listener" tcp 127.0.0.1
	local port
	port=$(cat "$SCRATCH/tcp4.out")
	works probe tcp 127.0.0.1 "$port"
	refused_at_once tcp 127.0.0.1 "$port"
	assert_output_is ECONNREFUSED
	await grep -q arrived "$SCRATCH/tcp4.out"
	run grep -c arrived "$SCRATCH/tcp4.out"
	assert_output_is 1
}

@test "W06: nor over UDP" {
	start udp "$HELPERS/listener" udp 127.0.0.1
	local port
	port=$(cat "$SCRATCH/udp.out")
	works probe udp 127.0.0.1 "$port"
	await grep -q arrived "$SCRATCH/udp.out"
	run box -- "$HELPERS/probe" udp 127.0.0.1 "$port"
	sleep 0.1
	run grep -c arrived "$SCRATCH/udp.out"
	assert_output_is 1
}

@test "W13: a port inside does not collide with the host's or another sandbox's" {
	start tcp4 "$HELPERS/listener" tcp 0.0.0.0
	local port
	port=$(cat "$SCRATCH/tcp4.out")
	require python3
	works box -- /usr/bin/python3 -c "
import socket; s = socket.socket(); s.bind(('0.0.0.0', $port)); s.listen(); print('bound')"
	assert_output_is bound
}

@test "N-11 N11: abstract sockets of the host are cut" {
	start abstract "$HELPERS/listener" unix @cordon-test-$$
	works probe unix @cordon-test-$$
	run box -- "$HELPERS/probe" unix @cordon-test-$$
	assert_output_is ECONNREFUSED
}

@test "N11: with the host's network too, by Landlock's scope" {
	start abstract "$HELPERS/listener" unix @cordon-test-h-$$
	run box --net host -- "$HELPERS/probe" unix @cordon-test-h-$$
	if [ "$status" -eq 125 ]; then
		# a kernel without scopes: refused, and the mend works
		assert_output_has "--allow-abstract"
	else
		assert_output_is EPERM
	fi
	run box --net host --allow-abstract -- \
		"$HELPERS/probe" unix @cordon-test-h-$$
	assert_output_is ok
}

@test "--net host: reaches a listener on the host's loopback" {
	start tcp4 "$HELPERS/listener" tcp 127.0.0.1
	local port
	port=$(cat "$SCRATCH/tcp4.out")
	works box --net host -- "$HELPERS/probe" tcp 127.0.0.1 "$port"
	works box --net host --net none -- true
	run box --net host --net none -- "$HELPERS/probe" tcp 127.0.0.1 "$port"
	assert_output_is ECONNREFUSED
}

@test "--net host: one's own abstract sockets still work" {
	works box --net host -- sh -c "'$HELPERS/listener' unix @own-$$ >o &
		until [ -s o ]; do sleep 0.01; done
		'$HELPERS/probe' unix @own-$$"
	assert_output_is ok
}

@test "N-12 case 20: --net host gives a resolv.conf with what the host's says" {
	[ -e /etc/resolv.conf ] || skip_or_fail "no resolv.conf"
	works box --net host -- cat /etc/resolv.conf
	assert_output_is "$(cat /etc/resolv.conf)"
	works box --net host -- getent hosts localhost
}

@test "net: ping to loopback is allowed for the own group" {
	works box -- sh -c 'tr "\t" " " </proc/sys/net/ipv4/ping_group_range'
	assert_output_is "$(id -g) $(id -g)"
	# ICMP datagram sockets, of both families
	run box -- "$HELPERS/probe" socket 2 2 1
	assert_output_is ok
	run box -- "$HELPERS/probe" socket 10 2 58
	assert_output_is ok
}

@test "N07 A16: no raw, packet, VSOCK or administrative sockets" {
	run box -- "$HELPERS/probe" socket 2 3 1
	assert_status 1
	run box -- "$HELPERS/probe" socket 17 3 0
	assert_status 1
	run box -- "$HELPERS/probe" socket 40 1 0
	assert_status 1
	run box -- "$HELPERS/probe" socket 38 5 0
	assert_status 1
	run box -- "$HELPERS/probe" socket 2 1 0
	assert_output_is ok
}

@test "N07: interfaces and addresses cannot be changed" {
	command -v ip >/dev/null || skip_or_fail "no ip"
	works box -- ip link show lo
	fails box -- ip link set lo down
	fails box -- ip addr add 192.0.2.1/24 dev lo
	fails box -- ip link add d type dummy
	fails box --uid 0 -- ip link set lo down
}

@test "net: what is not in this version is refused by name" {
	local option
	for option in --allow-net=x --deny-net=x --socket=/x; do
		run box "${option%%=*}" "${option#*=}" -- true
		assert_refused not_yet
	done
	run box --net proxy -- true
	assert_refused bad_net
}
