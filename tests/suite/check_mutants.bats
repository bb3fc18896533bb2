#!/usr/bin/env bats
# cordon check: each protection that is left out fails its own step.
#
# The mutants are run in a pid namespace of their own, so that whatever a broken
# sandbox does to processes ends there.

load box
load check

# -- mutants -------------------------------------------------------------

@test "check: the mutant launcher with everything holds" {
	mutant ""
}

@test "check: nothing of the mutants is in cordon" {
	require nm
	[ "$(grep -c CORDON_TEST "$MUTANT")" -gt 0 ]
	[ "$(grep -c CORDON_TEST "$CORDON")" -eq 0 ]
	[ "$(nm "$MUTANT" | grep -c mutant_)" -gt 0 ]
	[ "$(nm "$CORDON" | grep -c mutant_)" -eq 0 ]
	rules
	CORDON_TEST_LEAVE_OUT="filter drop seal" check "${RULES[@]}"
	holds
}

@test "check: the namespaces that the engine counts on cannot be left out" {
	local part
	for part in pid user mount spaces pivot map-uid 'filter pid'; do
		CORDON_TEST_LEAVE_OUT=$part run apart "$MUTANT" --cwd / -- \
			echo has-run
		[ "$status" -ge 128 ] || { show_run; return 1; }
		assert_output_lacks has-run
	done
	run apart "$MUTANT" --cwd / -- echo has-run
	assert_output_has has-run
}

@test "check: without the filter" {
	mutant filter tiocsti filter
}

@test "check: without the drop of capabilities" {
	# a root caller keeps them across exec, and reads what they open
	if is_root; then
		mutant drop masks settings no-new-privs capabilities
	else
		mutant drop no-new-privs capabilities
	fi
}

@test "check: without the limit of user namespaces" {
	mutant no-nesting nesting
}

@test "check: without a keyring of its own" {
	mutant keyring keyring
}

@test "check: without the closing of descriptors" {
	mutant fds descriptors
}

@test "check: without masks" {
	mutant "mask verify" masks mounts
}

@test "check: without protections" {
	mutant "protect verify" read-roots mounts
}

@test "check: without the seal of what is made" {
	mutant seal outside mounts
}

@test "check: read roots that are writable" {
	mutant read-only read-roots mounts
}

@test "check: write roots that are read-only" {
	mutant writable write-roots mounts
}

@test "check: overlays that write through" {
	mutant upper overlays mounts
}

@test "check: without a private temp a secret in it is in sight" {
	HOME=$(getent passwd "$(id -u)" | cut -d: -f6)
	RULES=(--read / --cwd /)
	mutant temp outside secret sockets mounts
}

@test "check: without the covers of the kernel's settings" {
	require_root
	mutant proc-cover settings mounts
}

@test "check: without the files that replace the host's" {
	mutant cover mounts
}

@test "check: without the limit of cgroup namespaces" {
	RULES=(--nested --cwd /)
	mutant no-cgroups nesting
}

@test "check: the host's /proc" {
	mutant own-proc processes mounts
}

@test "check: the host's network" {
	# of 53 and of the loopback device nobody is master there
	mutant "net-space loopback names" namespaces tcp udp icmp dns abstract
}

@test "check: loopback that is down" {
	mutant loopback tcp udp icmp
}

@test "check: without the other namespaces" {
	mutant ipc-space namespaces
	mutant "uts-space hostname" namespaces
	mutant cgroup-space namespaces
}

@test "check: without Landlock's scope abstract sockets are in reach" {
	rules
	RULES+=(--net host)
	run "$CORDON" show "${RULES[@]}"
	[ "$status" -eq 0 ] || skip "no Landlock scopes in this kernel"
	mutant scope abstract
}

@test "check: binds without nosuid, and without nodev" {
	mutant nosuid mounts
	mutant nodev mounts
}

@test "check: what is mounted below a read root" {
	rules
	mkdir "$SCRATCH/read/sub"
	# for an ordinary user as the root of a user namespace, who may mount
	below() {
		local as=(-r)
		if is_root; then as=(); fi
		unshare "${as[@]}" --pid --fork --kill-child --mount-proc \
			--propagation shared sh -c \
			'mount -t tmpfs x "$0" && exec "$@"' \
			"$SCRATCH/read/sub" "$@"
	}
	APART=(below)
	mutant ""
	jq -e 'any(.steps[].attempts[]; .what | contains("mounted below"))' \
		<<<"$output"
	mutant deep read-roots mounts
	mutant private-mounts mounts
}
