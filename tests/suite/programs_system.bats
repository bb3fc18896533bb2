#!/usr/bin/env bats
# Small programs of every day: who, where and when, files, terminals, tracers.

load programs

# The shell steps on stdin say something, and the same on both sides.
same_inside_and_outside() {
	local steps expected
	steps=$(cat)
	outside <<<"$steps"
	assert_status 0
	expected=$output
	[ -n "$expected" ]
	inside <<<"$steps"
	assert_status 0
	assert_output_is "$expected"
}

@test "programs: id, whoami and getent agree on who one is" {
	same_inside_and_outside <<-'END'
		id -u; id -g; id -un; whoami
		getent passwd "$(id -u)" | cut -d: -f1,3
		getent group "$(id -g)" | cut -d: -f1,3
	END
}

@test "programs: an id that the host does not know has a name inside" {
	local options=(--uid 61234 --gid 61235)
	if is_root; then
		chown 61234:61235 "$W"
	fi
	inside "${options[@]}" <<-'END'
		[ "$(id -u)" = 61234 ]
		[ "$(id -g)" = 61235 ]
		whoami
		getent passwd 61234
		getent group 61235
		: >mine
		[ "$(stat -c %u:%g mine)" = 61234:61235 ]
	END
	assert_status 0
	# control: nobody has these
	run getent passwd 61234
	assert_status 2
}

@test "programs: an ordinary user is root with --uid 0" {
	require_user
	inside --uid 0 --gid 0 <<-'END'
		whoami
		: >mine
		stat -c %U:%G mine
		chown 0:0 mine
	END
	assert_status 0
	assert_output_is $'root\nroot:root'
	[ "$(stat -c %u mine)" = "$(id -u)" ]
}

@test "programs: root works on a user's files with --uid" {
	require_root
	local options=()
	be_ordinary
	inside "${options[@]}" <<-'END'
		id -u
		: >mine
	END
	assert_status 0
	assert_output_is "$(other_uid)"
	[ "$(stat -c %u mine)" = "$(other_uid)" ]
}

@test "programs: the time zone is the host's" {
	same_inside_and_outside <<-'END'
		date -d @1700000000
		TZ=America/New_York date -d @1700000000
		readlink -f /etc/localtime
	END
}

@test "programs: the locale works" {
	same_inside_and_outside <<-'END'
		locale -a
		LC_ALL=C.UTF-8 locale charmap
		echo äöü | LC_ALL=C.UTF-8 sed 's/./x/g'
	END
	assert_output_has xxx
}

@test "programs: ps and top show what is inside, and only that" {
	require ps top
	sleep 7654 3>&- &
	local sleeper=$!
	run ps aux
	assert_output_has 'sleep 7654'
	inside <<-'END'
		ps aux
		top -bn1
		echo "$(ps -e -o pid= | wc -l) processes"
	END
	kill "$sleeper"
	assert_status 0
	assert_output_lacks 'sleep 7654'
	assert_output_has 'ps aux'
	assert_output_has 'top -bn1'
	assert_output_has 'PID USER'
}

@test "programs: nproc and lscpu count the same processors" {
	require nproc lscpu
	same_inside_and_outside <<-'END'
		nproc
		lscpu | grep '^CPU(s):'
		getconf _NPROCESSORS_ONLN
	END
}

@test "programs: df, mount, free, uptime and uname have something to say" {
	require df mount free uptime
	inside <<-'END'
		df . /tmp /usr >/dev/null
		df >/dev/null
		mount | grep ' on /proc type proc '
		free | grep '^Mem:' >/dev/null
		uptime >/dev/null
		uname -n
		hostname
		getent hosts localhost
		getent hosts "$(hostname)"
		getent ahosts localhost | grep 127.0.0.1 >/dev/null
	END
	assert_status 0
	assert_output_has cordon
	assert_output_has 127.0.1.1
}

@test "programs: tar, rsync, cp, find, sed, xargs and compressors" {
	require tar rsync xz
	mkdir -p tree/a/b
	echo one >tree/a/one
	echo two >tree/a/b/two
	ln -s one tree/a/link
	ln tree/a/one tree/hard
	chmod 640 tree/a/one
	cp -a tree before
	inside <<-'END'
		tar -cJf t.tar.xz tree
		mkdir unpacked
		tar -xJf t.tar.xz -C unpacked
		diff -r tree unpacked/tree
		rsync -aH tree/ synced/
		diff -r tree synced
		[ synced/hard -ef synced/a/one ]
		cp -a --reflink=auto tree copied
		diff -r tree copied
		[ "$(stat -c %a copied/a/one)" = 640 ]
		[ "$(readlink copied/a/link)" = one ]
		find copied -type f -print0 | xargs -0 sed -i s/o/0/
		[ "$(cat copied/a/b/two)" = tw0 ]
		mv copied renamed
		install -m 2755 -d group
		[ "$(stat -c %a group)" = 2755 ]
	END
	assert_status 0
	diff -r before tree
}

@test "programs: bash's own devices: process substitution, here-documents" {
	inside <<-'END'
		diff <(printf 'a\n') <(printf 'a\n')
		cat <<<word
		exec 3<<<three
		cat /dev/fd/3 </dev/null
		echo error 2>&1 >/dev/stderr | cat
		head -c 3 /dev/zero | wc -c
		head -c 3 /dev/urandom | wc -c
		umask 027; : >new; stat -c %a new
		coproc cat; echo back >&"${COPROC[1]}"; read -ru "${COPROC[0]}" x
		echo "$x"
	END
	assert_status 0
	assert_output_is $'word\nthree\nerror\n3\n3\n640\nback'
}

@test "programs: much output on both streams at once" {
	inside <<-'END'
		head -c 3000000 /dev/zero | tr '\0' x >&2 &
		head -c 3000000 /dev/zero | tr '\0' x
		wait
	END
	assert_status 0
	[ ${#output} -eq 6000000 ]
}

@test "programs: static busybox, alone in its root" {
	require busybox
	mkdir -p root/bin root/proc root/dev root/tmp root/run
	cp "$(command -v busybox)" root/bin/busybox
	ln -s busybox root/bin/sh
	ln -s busybox root/bin/ls
	run env -u HOME "$CORDON" --root "$W/root" --cwd / -- /bin/sh -c \
		'ls /bin; busybox sha256sum /bin/busybox; test ! -e /usr'
	assert_status 0
	assert_output_has busybox
	assert_output_has "$(sha256sum <root/bin/busybox | cut -d' ' -f1)"
}

@test "programs: perl" {
	require perl
	inside <<-'END'
		perl -MPOSIX -MSocket -MFile::Temp=tempfile -e '
			my ($fh, $name) = tempfile(); print $fh "x"; close $fh;
			die unless -s $name;
			die unless getpwuid($<);
			my $pid = fork // die; exit 7 unless $pid;
			waitpid $pid, 0; print $? >> 8, "\n";'
	END
	assert_status 0
	assert_output_is 7
}

@test "programs: ruby" {
	require ruby
	inside <<-'END'
		ruby -rsocket -rtmpdir -retc -e '
			Dir.mktmpdir { |d| File.write(d + "/x", "x") }
			s = TCPServer.new("localhost", 0)
			t = Thread.new { s.accept.puts "served" }
			puts TCPSocket.new("localhost", s.addr[1]).gets
			puts Process.wait2(fork { exit 7 })[1].exitstatus
			Etc.getpwuid.name'
	END
	assert_status 0
	assert_output_is $'served\n7'
}

@test "programs: ssh reads its configuration" {
	require ssh ssh-keygen
	same_inside_and_outside <<-'END'
		ssh -G host.example 2>/dev/null | grep -v -e identityfile \
			-e knownhosts -e controlpath
	END
	assert_output_has 'hostname host.example'
	inside <<-'END'
		ssh-keygen -q -t ed25519 -N '' -f key
		ssh-keygen -y -f key
	END
	assert_status 0
	assert_output_has ssh-ed25519
}

@test "programs: an own ssh-agent" {
	require ssh-agent ssh-add ssh-keygen
	inside <<-'END'
		ssh-keygen -q -t ed25519 -N '' -f key
		eval "$(ssh-agent -s)" >/dev/null
		ssh-add -q key
		ssh-add -l
	END
	assert_status 0
	assert_output_has ED25519
}

@test "programs: gpg signs with a key and an agent of its own" {
	require gpg gpg-agent
	inside <<-'END'
		gpg --batch --quiet --passphrase '' --quick-gen-key me@example
		echo text >text
		gpg --batch --quiet --detach-sign text
		gpg --batch --verify text.sig text 2>&1
		gpgconf --kill all
	END
	assert_status 0
	assert_output_has 'Good signature'
	assert_absent "$HOME/.gnupg"
}

@test "programs: tmux" {
	require tmux
	inside <<-'END'
		tmux -f /dev/null new-session -d 'tty >seen; echo done >>seen; sleep 60'
		for try in $(seq 100); do
			if grep -q done seen 2>/dev/null; then break; fi
			sleep 0.1
		done
		cat seen
		tmux list-sessions
		tmux kill-server
	END
	assert_status 0
	assert_output_has /dev/pts/
	assert_output_has '1 windows'
}

@test "programs: script" {
	require script
	inside <<-'END'
		script -qec 'tty; stty size >/dev/null; echo typed' log
		script -qec 'exit 9' log2 || echo "status $?"
	END
	assert_status 0
	assert_output_has /dev/pts/
	assert_output_has typed
	assert_output_has 'status 9'
	grep -q typed log
}

@test "programs: expect drives a shell" {
	require expect
	inside <<-'END'
		expect -c 'spawn sh; send "echo a\$((1+1))b\r"; expect a2b;
			send "exit 4\r"; expect eof; exit [lindex [wait] 3]' ||
			echo "status $?"
	END
	assert_status 0
	assert_output_has 'status 4'
}

small_program() {
	cat >small.c <<-'END'
		#include <stdio.h>
		int inner(int n) { return n * 2; }
		int main(void) { printf("%d\n", inner(21)); return 0; }
	END
	gcc -g -O0 -o small small.c
}

@test "programs: gdb under the filter for developers" {
	require gdb gcc
	small_program
	inside --seccomp devel <<-'END'
		gdb -nx -batch -ex 'break inner' -ex run -ex bt -ex 'print n' \
			-ex continue ./small 2>&1
	END
	assert_status 0
	assert_output_has '#1 '
	assert_output_has '$1 = 21'
	assert_output_has 'exited normally'
	# control: the default filter allows no tracing
	inside <<-'END'
		gdb -nx -batch -ex run -ex 'print 6*7' ./small 2>&1 || true
	END
	assert_output_lacks 'exited normally'
}

@test "programs: strace under the filter for developers" {
	require strace
	inside --seccomp devel <<-'END'
		strace -f -o trace sh -c '/bin/true; echo traced'
		grep -q 'exited with 0' trace
	END
	assert_status 0
	assert_output_is traced
	# control: the default filter allows no tracing
	inside <<-'END'
		strace -o trace2 /bin/true
	END
	[ "$status" -ne 0 ]
}

@test "programs: dotfiles go to a private home" {
	mkdir "$HOME/project"
	W=$HOME/project
	cd "$W"
	inside <<-'END'
		pwd
		echo alias >"$HOME/.bashrc"
		mkdir -p ~/.config/tool ~/.cache/tool
		echo x >~/.config/tool/settings
		git config --global user.name Me
		[ "$(git config --global user.name)" = Me ]
		echo kept >kept
		cat ~/.bashrc
		ls -A ~
	END
	assert_status 0
	assert_output_has project
	assert_output_has .gitconfig
	[ "$(cat kept)" = kept ]
	[ "$(ls -A "$HOME")" = project ]
}

@test "programs: dotfiles go to a private home, in a home as homes are" {
	local home=$REAL_HOME
	if is_root; then
		home=$(mktemp -d /home/cordon-test.XXXXXX)
	elif [[ $home == /tmp/* ]]; then
		skip "only for a home outside /tmp"
	fi
	mkdir "$home/cordon-test-project"
	cd "$home/cordon-test-project"
	HOME=$home run "$CORDON" --write . -- bash -eu -c \
		'echo x >~/.dotfile; echo kept >kept; ls -A ~; pwd -P'
	local ghost=no
	[ ! -e "$home/.dotfile" ] || ghost=yes
	local kept
	kept=$(cat kept)
	cd /
	rm -rf "$home/cordon-test-project"
	if is_root; then
		rmdir "$home"
	fi
	assert_status 0
	assert_output_is ".dotfile
cordon-test-project
$home/cordon-test-project"
	[ "$kept" = kept ]
	[ "$ghost" = no ]
}
