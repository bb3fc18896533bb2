#!/usr/bin/env bats
# The new root: what it is made of, and that nothing of the old one is left.

bats_require_minimum_version 1.5.0
load box

@test "/.. is the root, and nothing of the host" {
	works "$CORDON" --cwd / -- sh -c 'cd /..; pwd -P; ls -id / /.. /../.. | 
		sed "s/^ *//" | cut -d" " -f1 | sort -u | wc -l; ls /..'
	assert_output_has "/
1"
	# control: the host has more than that
	fails "$CORDON" --cwd / -- ls "/..$W"
	works ls "/..$W"
}

@test "N-93: no mount of the old root is left" {
	works "$CORDON" --cwd / -- cat /proc/self/mountinfo
	assert_output_lacks oldroot
	# the first mount is the root; every other one lies inside it
	run "$CORDON" --cwd / -- sh -c 'awk "\$5 == \"/\"" /proc/self/mountinfo | wc -l'
	assert_output_is 1
	fails "$CORDON" --cwd / -- grep -E " (/boot|/srv|$HOME/x) " \
		/proc/self/mountinfo
}

@test "every directory that was made for it is read-only" {
	local dir
	HOME=/home/nobody-there
	works "$CORDON" --read "$W:/made/for/it" --cwd / -- find / -xdev \
		\( -path /tmp -o -path /run -o -path /home/nobody-there -o \
		-path /dev/shm -o -path /dev/pts -o -path /proc \) -prune -o -type d -print
	[ "${#lines[@]}" -gt 5 ]
	for dir in "${lines[@]}"; do
		fails "$CORDON" --read "$W:/made/for/it" --cwd / -- \
			touch "$dir/x"
		assert_output_has "Read-only"
	done
	fails "$CORDON" --cwd / -- chmod 777 /
	fails "$CORDON" --cwd / -- ln -s x /bin/../y
	fails "$CORDON" --cwd / -- rm /bin
	fails "$CORDON" --cwd / -- mkdir /x
}

@test "every mount but the private places is read-only" {
	run "$CORDON" --cwd / -- sh -c "awk '\$6 ~ /^rw/ {print \$5}' \
		/proc/self/mountinfo | sort"
	local place
	for place in "${lines[@]}"; do
		case $place in
		/proc | /dev/pts | /dev/shm | /tmp | /run | /var/tmp) ;;
		"$HOME") ;;
		*) echo "writable: $place"; return 1 ;;
		esac
	done
}

@test "every mount but devices is nosuid and nodev" {
	run "$CORDON" --cwd / -- sh -c "grep -v ' /dev/' /proc/self/mountinfo |
		grep -vc 'nosuid,nodev'"
	assert_output_is 0
	run "$CORDON" --cwd / -- grep -vc nosuid /proc/self/mountinfo
	assert_output_is 0
}

# -- /dev -------------------------------------------------------------------

@test "P16: /dev holds the minimal set and nothing else" {
	works "$CORDON" --cwd / -- ls -A /dev
	assert_output_is "fd
full
null
ptmx
pts
random
shm
stderr
stdin
stdout
tty
urandom
zero"
	works "$CORDON" --cwd / -- stat -c '%n %t:%T' /dev/null /dev/zero /dev/full \
		/dev/random /dev/urandom /dev/tty
	assert_output_is "/dev/null 1:3
/dev/zero 1:5
/dev/full 1:7
/dev/random 1:8
/dev/urandom 1:9
/dev/tty 5:0"
}

@test "case 73: the devices work" {
	works "$CORDON" --cwd / -- sh -ec 'echo x >/dev/null; echo y >>/dev/null
		head -c4 /dev/urandom | wc -c; head -c4 /dev/zero | wc -c
		head -c1 /dev/random | wc -c; cat /dev/null; echo out >/dev/stdout
		if head -c1 /dev/zero >/dev/full; then exit 1; fi'
	assert_output_has "4
4
1
out"
	assert_output_has "No space left"
}

@test "case 72: POSIX semaphores and shared memory work" {
	require python3
	works "$CORDON" --cwd / -- /usr/bin/python3 -c \
		'import multiprocessing as m; m.Lock(); print("yes")'
	assert_output_is yes
}

@test "root: a pty of one's own can be made" {
	require python3
	works "$CORDON" --cwd / -- /usr/bin/python3 -c \
		'import os; m, s = os.openpty(); print(os.ttyname(s))'
	assert_output_is /dev/pts/0
}

@test "root: device nodes cannot be changed, by root neither" {
	local before
	before=$(stat -c '%a %u %g' /dev/null /dev/zero /dev/tty)
	local try
	for try in 'chmod 600 /dev/null' 'chown 1:1 /dev/null' \
		'touch -d 2001-01-01 /dev/zero' 'rm /dev/null' \
		'mv /dev/zero /dev/null' 'ln /dev/null /dev/x'; do
		fails "$CORDON" --cwd / -- sh -c "$try"
		[ "$(stat -c '%a %u %g' /dev/null /dev/zero /dev/tty)" = "$before" ]
	done
	run "$CORDON" --cwd / -- chmod 666 /dev/null
	assert_output_has "Read-only"
	[ "$(stat -c %a /dev/null)" = 666 ]
}

@test "root: no device can be made" {
	local at
	for at in /dev/x /tmp/x "$W/x"; do
		fails box -- mknod "$at" c 1 3
	done
	# the disk's node in a root does not open
	fails "$CORDON" --read / --cwd / -- sh -c 'cat /dev/vda /dev/sda | head -c1 | grep -q .'
}

@test "--device: one more node, which works" {
	[ -c /dev/fuse ] || skip_or_fail "no /dev/fuse"
	works "$CORDON" --device /dev/fuse --cwd / -- stat -c '%t:%T' /dev/fuse
	assert_output_is a:e5
	if [ -w /dev/fuse ]; then
		works "$CORDON" --device /dev/fuse --cwd / -- \
			sh -c ': <>/dev/fuse'
	fi
	fails "$CORDON" --cwd / -- stat /dev/fuse
	fails "$CORDON" --device /dev/fuse --cwd / -- chmod 600 /dev/fuse
}

@test "--device: anything but a device node below /dev is refused" {
	: >f
	local path
	for path in /dev/shm /etc/passwd "$W/f" /dev/../etc/passwd /dev/none \
		/dev/ptmx; do
		run "$CORDON" --device "$path" --cwd / -- true
		assert_refused bad_device
	done
}

@test "--device: a name that is taken already is there once" {
	works "$CORDON" --device /dev/null --cwd / -- sh -c 'echo x >/dev/null'
}

# -- files served over /etc -------------------------------------------------

@test "root: /etc/hosts knows localhost and the own name" {
	works "$CORDON" --cwd / -- cat /etc/hosts
	assert_output_has "127.0.0.1	localhost"
	assert_output_has "::1	localhost"
	works "$CORDON" --hostname box --cwd / -- sh -c 'hostname; grep box /etc/hosts'
	assert_output_has box
}

@test "root: files served over /etc cannot be written and are not the host's" {
	fails "$CORDON" --cwd / -- sh -c 'echo x >>/etc/hosts'
	works "$CORDON" --cwd / -- sh -c '[ -r /etc/hosts ] && stat -c %a /etc/hosts'
	assert_output_is 644
}

# -- --root -----------------------------------------------------------------

# A root file system made on the spot: one static program under several names.
make_root() {
	mkdir -p r/bin r/etc r/proc r/dev r/tmp r/run r/home r/var/tmp r/work
	cp "$HELPERS/probe" r/bin/probe
	ln -s probe r/bin/again
	echo 'here:x:0:0::/:/bin/sh' >r/etc/passwd
	: >r/etc/hosts
}

@test "--root: the command is looked up and runs in that tree" {
	make_root
	run env PATH=/bin "$CORDON" --quiet --root "$W/r" --cwd / -- \
		probe write /etc/passwd
	assert_output_is EROFS
	run env PATH=/bin "$CORDON" --root "$W/r" --cwd / -- again write /dev/null
	assert_output_is ok
	run -127 "$CORDON" --root "$W/r" --cwd / -- /usr/bin/env
}

@test "--root: the host's system is not in it, temp is private" {
	make_root
	run "$CORDON" --root "$W/r" --cwd / -- /bin/probe openat 0 /usr/bin/env
	assert_output_is ENOENT
	run "$CORDON" --root "$W/r" --cwd / -- /bin/probe mount none /tmp tmpfs 0
	assert_output_is EPERM
	run find r/tmp r/run r/dev -mindepth 1
	assert_output_is ""
}

@test "--root: a missing mount point is a refusal that can be mended" {
	make_root
	rmdir r/proc
	run "$CORDON" --root "$W/r" --cwd / -- /bin/probe write /dev/null
	assert_refused no_target
	assert_output_has "mkdir -p $W/r/proc"
	mkdir -p r/proc
	works "$CORDON" --root "$W/r" --cwd / -- /bin/probe write /dev/null
}

@test "--root: what does not exist or is a file is refused" {
	: >f
	run "$CORDON" --root "$W/none" --cwd / -- true
	assert_refused bad_root
	run "$CORDON" --root "$W/f" --cwd / -- true
	assert_refused bad_root
}

@test "--no-system: nothing but what is named" {
	fails "$CORDON" --no-system --cwd / -- /usr/bin/true
	assert_refused needs_read
	works "$CORDON" --no-system --read "$HELPERS" --cwd / -- \
		"$HELPERS/probe" write /dev/null
	run "$CORDON" --quiet --no-system --read "$HELPERS" --cwd / -- \
		"$HELPERS/probe" openat 0 /usr
	assert_output_is ENOENT
	run "$CORDON" --quiet --no-system --read "$HELPERS" --cwd / -- \
		"$HELPERS/probe" openat 0 /etc/shells
	assert_output_is ENOENT
}
