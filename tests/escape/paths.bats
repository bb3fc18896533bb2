#!/usr/bin/env bats
# Ways to the host's tree that need no mount: magic links, descriptors, handles,
# chroot, sockets.

load ../suite/box

@test "P07 A02: /.., /proc/self/root, /proc/self/cwd and /proc/1/root" {
	echo key >"$SCRATCH/secret"
	works cat "/proc/self/root$SCRATCH/secret"
	local path
	for path in "/..$SCRATCH/secret" "/../..$SCRATCH/secret" \
		"/proc/self/root$SCRATCH/secret" "/proc/1/root$SCRATCH/secret" \
		"/proc/self/root/..$SCRATCH/secret" "/proc/self/cwd/../secret" \
		"/proc/1/cwd/../secret" "/proc/self/task/1/root$SCRATCH/secret" \
		"/proc/thread-self/root$SCRATCH/secret" "$W/../secret" \
		"/dev/fd/../../..$SCRATCH/secret"; do
		fails box -- cat "$path"
		assert_output_lacks key
	done
}

@test "A10 F01: openat and fchdir from an inherited descriptor" {
	local fd
	exec 5</ 8</etc
	works "$HELPERS/probe" openat 5 etc/passwd
	for fd in 3 4 5 6 7 8 9 10 63 100 255; do
		run box -- "$HELPERS/probe" openat $fd etc/passwd
		assert_output_is EBADF
		run box -- "$HELPERS/probe" fchdir $fd
		assert_output_is EBADF
	done
	exec 5<&- 8<&-
}

@test "shocker: open_by_handle_at is refused" {
	echo x >f
	if is_root; then
		works probe handle f
	fi
	run box -- "$HELPERS/probe" handle f
	[[ $output == EPERM || $output == EACCES || $output == ENOSYS ]]
	run box --seccomp none -- "$HELPERS/probe" handle f
	assert_output_is EPERM
}

@test "A10: chroot out of the root" {
	mkdir c
	run box -- "$HELPERS/probe" chroot "$W/c"
	[[ $output == EPERM ]]
	run box --seccomp none -- "$HELPERS/probe" chroot "$W/c"
	assert_output_is EPERM
	works unshare -Ur "$HELPERS/probe" chroot "$W/c"
}

@test "A5: what was moved above a root does not open it (M28)" {
	mkdir -p root/in
	echo key >"$SCRATCH/secret"
	start inside "$CORDON" --write "$W/root" --cwd "$W/root/in" -- \
		sh -c 'echo ready; until [ -e go ]; do sleep 0.02; done
		cat ../secret ../../secret ../../../secret; pwd -P; ls ../../..'
	mv root/in "$SCRATCH/in"
	touch "$SCRATCH/in/go"
	await test ! -d "/proc/${STARTED[0]}/fd"
	run cat "$SCRATCH/inside.out"
	assert_output_lacks key
	works cat "$SCRATCH/in/../secret"
}

@test "M29: a working directory by a magic link" {
	exec 5</etc
	run "$CORDON" --cwd /proc/self/fd/5 -- cat passwd
	exec 5<&-
	[ "$status" -eq 125 ] || [ "$status" -eq 0 ]
	exec 5<"$HOME"
	touch "$HOME/mine"
	fails "$CORDON" --cwd /proc/self/fd/5 -- cat mine
	exec 5<&-
}

@test "N-11 A13 W12: the host's sockets by path are not there" {
	mkdir "$SCRATCH/sock"
	start path "$HELPERS/listener" unix "$SCRATCH/sock/s"
	works probe unix "$SCRATCH/sock/s"
	run box --quiet -- "$HELPERS/probe" unix "$SCRATCH/sock/s"
	assert_output_is ENOENT
	local name
	for name in docker.sock podman/podman.sock containerd/containerd.sock \
		dbus/system_bus_socket systemd/private snapd.socket \
		user/$(id -u)/bus; do
		run box -- "$HELPERS/probe" unix "/run/$name"
		assert_output_is ENOENT
		run box -- "$HELPERS/probe" unix "/var/run/$name"
		assert_output_is ENOENT
	done
	works box -- sh -c 'find /run /tmp /var/run/ -type s'
	assert_output_is ""
}

@test "A15 F04: a read root of a directory shows no socket of /run" {
	works "$CORDON" --read / --cwd / -- sh -c 'find /run -type s 2>/dev/null; :'
	assert_output_is ""
}

@test "A34: no interop socket, no handler can be registered" {
	run box -- sh -c 'ls /run/WSL /proc/sys/fs/binfmt_misc/WSLInterop'
	assert_status 2
	run box -- "$HELPERS/probe" write /proc/sys/fs/binfmt_misc/register
	[[ $output == EACCES || $output == EROFS || $output == ENOENT ]]
	run box -- "$HELPERS/probe" socket 40 1 0
	assert_status 1
}

@test "A24: nothing inside can widen: no option, no variable, no nested call" {
	echo key >"$SCRATCH/secret"
	mkdir "$SCRATCH/bin"
	cp "$CORDON" "$SCRATCH/bin/cordon"
	works "$SCRATCH/bin/cordon" --read "$SCRATCH/secret" --cwd / -- cat "$SCRATCH/secret"
	run box --read "$SCRATCH/bin" -- "$SCRATCH/bin/cordon" \
		--read "$SCRATCH/secret" --cwd / -- cat "$SCRATCH/secret"
	[ "$status" -ne 0 ]
	assert_output_lacks key
	run box --nested --read "$SCRATCH/bin" -- "$SCRATCH/bin/cordon" \
		--read "$SCRATCH/secret" --cwd / -- cat "$SCRATCH/secret"
	[ "$status" -ne 0 ]
	assert_output_lacks key
	run box -- env CORDON_DISABLE=1 NO_SANDBOX=1 cat "$SCRATCH/secret"
	[ "$status" -ne 0 ]
}

@test "F11 A17: the host's disk and memory are no files inside" {
	local node
	for node in /dev/mem /dev/kmem /dev/port /dev/kmsg /dev/vda /dev/sda \
		/dev/nvme0n1 /dev/loop0 /dev/dm-0; do
		fails box -- stat "$node"
	done
	fails box -- mknod "$W/disk" b 254 0
	fails box --nested -- unshare -Ur mknod "$W/disk" b 254 0
	works box -- stat /dev/null
}
