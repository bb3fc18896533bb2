#!/usr/bin/env bats
# Places of the sandbox's own: they are there, writable, empty, bounded, and
# gone afterwards.

load box

@test "private: temp, home, shm and the runtime directory can be written" {
	works box -- sh -ec 'for dir in /tmp "$HOME" /dev/shm "$XDG_RUNTIME_DIR"
		do echo x >"$dir/file"; mkdir "$dir/dir"; cat "$dir/file"; done'
	assert_output_is "x
x
x
x"
}

@test "R-3 private: nothing of the host's temp, home and /run is there" {
	touch "$HOME/mine" "$SCRATCH/mine"
	works "$CORDON" --cwd / -- sh -c 'ls -A "$HOME"'
	assert_output_is ""
	fails "$CORDON" --cwd / -- ls "$SCRATCH/mine"
	works "$CORDON" --cwd / -- sh -c 'ls -A /run | grep -vxE "lock|user"; :'
	assert_output_is ""
	works "$CORDON" --cwd / -- ls -A /dev/shm
	assert_output_is ""
}

@test "N-54 P5: what was written is gone, on the host and for the next run" {
	works "$CORDON" --cwd / -- sh -ec 'for dir in /tmp /var/tmp "$HOME" \
		/dev/shm /run/user/*; do touch "$dir/cordon-trace-$$"; done'
	run find "$HOME" /tmp /dev/shm /var/tmp -maxdepth 1 \
		-name 'cordon-trace-*'
	assert_output_is ""
	works "$CORDON" --cwd / -- sh -c 'find /tmp /var/tmp/ /run \
		/dev/shm ~ -name "cordon-trace-*" 2>/dev/null; :'
	assert_output_is ""
}

@test "private: modes are those that programs expect" {
	works "$CORDON" --cwd / -- sh -c 'stat -c %a /tmp /var/tmp/. /dev/shm \
		"$XDG_RUNTIME_DIR" /run; echo $XDG_RUNTIME_DIR'
	assert_output_is "1777
1777
1777
700
755
/run/user/$(id -u)"
}

@test "private: the home is the caller's own, mode 700" {
	HOME=/home/nobody-there
	works "$CORDON" --cwd / -- sh -c 'stat -c "%a %u" /home/nobody-there; echo ~'
	assert_output_is "700 $(id -u)
/home/nobody-there"
}

@test "private: modes do not depend on the caller's umask" {
	HOME=/home/nobody-there
	run sh -c "umask 077; '$CORDON' --cwd / -- stat -c %a /tmp /run /home \
		/dev/shm / /dev"
	assert_output_is "1777
755
755
1777
755
755"
}

@test "private: /var/tmp is /tmp" {
	works "$CORDON" --cwd / -- sh -c 'touch /tmp/x && ls /var/tmp/ | grep -x x'
	assert_output_is x
}

@test "private: the place of a root below temp or home is there" {
	works box -- sh -c 'touch in && ls /tmp'
	HOME=$SCRATCH works box -- touch in2
	[ -e in ] && [ -e in2 ]
}

# -- --tmp and --home -------------------------------------------------------

@test "R-3 R-26 --tmp: a directory that is kept" {
	mkdir -m 700 t
	works "$CORDON" --tmp "$W/t" --cwd / -- sh -c 'echo x >/tmp/f; ls /var/tmp'
	assert_content t/f x
	works "$CORDON" --tmp "$W/t" --cwd / -- cat /tmp/f
	assert_output_is x
}

@test "--tmp: one that everybody may write to, or somebody else's, is refused" {
	mkdir -m 1777 open
	run "$CORDON" --tmp "$W/open" --cwd / -- true
	assert_refused bad_tmp
	assert_output_has "chmod o-w"
	run "$CORDON" --tmp "$W/none" --cwd / -- true
	assert_refused bad_tmp
	assert_absent none
	run "$CORDON" --tmp / --cwd / -- true
	if is_root; then
		mkdir foreign
		chown 1001 foreign
		run "$CORDON" --tmp "$W/foreign" --cwd / -- true
	fi
	assert_refused bad_tmp
}

@test "N-83: a temp that is a link is the directory it leads to, and checked" {
	mkdir -m 1777 open
	mkdir -m 700 t
	ln -s open planted
	ln -s t fine
	run "$CORDON" --tmp "$W/planted" --cwd / -- true
	assert_refused bad_tmp
	works "$CORDON" --tmp "$W/fine" --cwd / -- touch /tmp/x
	[ -e t/x ]
}

@test "--home: a directory that serves as the home" {
	mkdir -m 700 h
	touch "$HOME/real"
	works "$CORDON" --home "$W/h" --cwd / -- sh -c 'touch ~/x; ls ~; echo ~'
	assert_output_is "x
$HOME"
	[ -e h/x ]
	assert_absent "$HOME/x"
}

@test "--home: outside /tmp too" {
	mkdir -m 700 h
	HOME=/home/nobody-there
	works "$CORDON" --home "$W/h" --cwd / -- sh -c 'touch ~/x; echo ~'
	assert_output_is /home/nobody-there
	[ -e h/x ]
}

@test "--home: the real home is refused, its mend works" {
	chmod 700 "$HOME"
	run "$CORDON" --home "$HOME" --cwd / -- true
	assert_refused bad_home
	assert_output_has "mend: --write $HOME"
	works "$CORDON" --write "$HOME" --cwd / -- touch "$HOME/x"
	[ -e "$HOME/x" ]
}

# -- --tmpfs ----------------------------------------------------------------

@test "--tmpfs: private, empty, writable, gone" {
	mkdir cache
	touch cache/old
	works box --tmpfs "$W/cache" -- sh -c 'ls -A cache; touch cache/new'
	assert_output_is ""
	[ -e cache/old ]
	assert_absent cache/new
	works "$CORDON" --tmpfs /srv/made --cwd / -- touch /srv/made/x
}

@test "R02: its size is a bound" {
	mkdir c
	fails box --tmpfs "$W/c:size=1M" -- \
		dd if=/dev/zero of=c/f bs=64k count=32
	assert_output_has "No space left"
	works box --tmpfs "$W/c:size=4M" -- \
		dd if=/dev/zero of=c/f bs=64k count=32
}

@test "R02: the number of files is bounded in every private place" {
	works "$CORDON" --tmpfs /srv/t --cwd / -- sh -c \
		'for d in /tmp /dev/shm /run/user/* /srv/t; do
		n=$(stat -f -c %c "$d"); [ "$n" -gt 0 ] || echo "$d unbounded"; done'
	assert_output_is ""
}

@test "--tmpfs: a bad size is refused" {
	local size
	for size in 0 -1 1X '' M; do
		run box --tmpfs "$W/c:size=$size" -- true
		assert_refused bad_tmpfs
	done
}

@test "--tmpfs: nothing is made on the host for it" {
	run box --tmpfs "$W/none" -- true
	assert_refused no_target
	assert_absent none
}

@test "case 33: private temp and an endpoint of one's own in it" {
	require python3
	works "$CORDON" --cwd / -- /usr/bin/python3 -c "
import socket
s = socket.socket(socket.AF_UNIX); s.bind('/tmp/own'); s.listen()
c = socket.socket(socket.AF_UNIX); c.connect('/tmp/own'); print('met')"
	assert_output_is met
}
