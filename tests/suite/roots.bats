#!/usr/bin/env bats
# What a root shows and what may be done with it.

load box

# -- read -------------------------------------------------------------------

@test "L-2 N-3: what no rule names is not there" {
	mkdir "$SCRATCH/other"
	echo here >"$SCRATCH/other/file"
	works cat "$SCRATCH/other/file"
	fails box -- cat "$SCRATCH/other/file"
	assert_output_has "No such file"
	works "$CORDON" --read "$SCRATCH/other" --cwd / -- \
		cat "$SCRATCH/other/file"
	assert_output_is here
}

@test "N-111: a read root is read-only in every way" {
	mkdir -p "$SCRATCH/r/d"
	echo old >"$SCRATCH/r/f"
	local try
	for try in ': >r/f' 'echo x >>r/f' 'rm r/f' 'mv r/f r/g' 'mkdir r/n' \
		'rmdir r/d' 'ln r/f r/l' 'ln -s f r/l' 'chmod 777 r/f' \
		'touch r/f' 'truncate -s0 r/f' 'mkfifo r/p'; do
		fails "$CORDON" --read "$SCRATCH/r" --cwd / -- \
			sh -c "cd $SCRATCH; $try"
		assert_output_has "Read-only file system"
	done
	works "$CORDON" --write "$SCRATCH/r" --cwd / -- \
		sh -c "cd $SCRATCH; mv r/f r/g && mv r/g r/f"
	assert_content "$SCRATCH/r/f" old
}

@test "N-111: a file cannot be moved or linked out of a read root" {
	mkdir "$SCRATCH/r"
	echo old >"$SCRATCH/r/f"
	fails box --read "$SCRATCH/r" -- mv "$SCRATCH/r/f" "$W/f"
	# a link would be one to a writable name of the same file
	fails box --read "$SCRATCH/r" -- ln "$SCRATCH/r/f" "$W/link"
	assert_output_has "Invalid cross-device link"
	assert_absent "$W/link"
	works ln "$SCRATCH/r/f" "$W/link"
}

@test "roots: write changes the host's own files" {
	works box -- sh -c 'echo new >f && mkdir d && mv f d/g'
	assert_content "$W/d/g" new
}

@test "roots: write implies read, programs run from both" {
	printf '#!/bin/sh\necho ran\n' >prog
	chmod +x prog
	works box -- ./prog
	assert_output_is ran
	works "$CORDON" --read "$W" -- ./prog
	assert_output_is ran
}

@test "case 97: a rename inside one write root is a rename" {
	mkdir a b
	echo x >a/f
	works box -- sh -c 'ln a/f b/g && mv a/f b/f'
	[ "$(stat -c %h b/f)" -eq 2 ]
}

@test "N-92: a read root inside a write root stays read-only" {
	mkdir lib
	for order in "--write $W --read $W/lib" "--read $W/lib --write $W"; do
		# shellcheck disable=SC2086 # two options
		run "$CORDON" $order -- touch lib/x
		assert_status 1
		assert_output_has "Read-only"
		# shellcheck disable=SC2086
		works "$CORDON" $order -- touch x
	done
	assert_absent lib/x
}

@test "roots: a write root inside a read root can be written" {
	mkdir -p out
	works "$CORDON" --read "$W" --write "$W/out" -- touch out/x
	fails "$CORDON" --read "$W" --write "$W/out" -- touch x
	assert_output_has Read-only
	[ -e out/x ]
}

# -- missing, -try ----------------------------------------------------------

@test "case 30: a missing path is refused and stays missing" {
	local option
	for option in read write overlay; do
		run "$CORDON" "--$option" "$W/none" --cwd / -- true
		assert_refused "bad_$option"
		assert_output_has "--$option $W/none: does not exist"
		assert_absent "$W/none"
	done
}

@test "case 30: -try skips what is missing and says so" {
	mkdir there
	run "$CORDON" --write . --write-try "$W/no-w" --read-try "$W/no-r" \
		--overlay-try "$W/no-o" --read-try "$W/there" \
		--status-fd 4 -- true 4>"$SCRATCH/status"
	assert_status 0
	run grep '"event":"ready"' "$SCRATCH/status"
	assert_output_has "$W/no-w"
	assert_output_has "$W/no-r"
	assert_output_has "$W/no-o"
	assert_output_lacks "$W/there"
	assert_absent no-w no-r no-o
}

@test "roots: -try shows what is there" {
	mkdir there
	works "$CORDON" --read . --write-try "$W/there" -- touch there/x
	[ -e there/x ]
}

@test "roots: a relative path means the current directory" {
	mkdir d
	cd d
	works "$CORDON" --write . -- touch x
	works "$CORDON" --write .. -- touch ../y
	[ -e "$W/d/x" ] && [ -e "$W/y" ]
}

@test "roots: only a control character is too much in a name" {
	local name
	for name in 'a b' "it's" 'd"q' 'b\s' '$HOME' 'p(q)' 'ä' '-n' 'c:d' '*'; do
		mkdir -- "$name"
		works "$CORDON" --write "$W/$name" --cwd "$W/$name" -- touch x
		[ -e "$W/$name/x" ]
	done
	mkdir $'n\nl'
	run "$CORDON" --write "$W/"$'n\nl' --cwd / -- true
	assert_refused bad_write
}

# -- another place ----------------------------------------------------------

@test "roots: SRC:DEST shows a directory at another place" {
	mkdir src
	echo one >src/f
	works "$CORDON" --read "$W/src:/srv/deep/place" --cwd / -- \
		cat /srv/deep/place/f
	assert_output_is one
	fails "$CORDON" --read "$W/src:/srv/deep/place" --cwd / -- ls "$W"
	fails "$CORDON" --read "$W/src:/srv/deep/place" --cwd / -- \
		touch /srv/deep/place/x
	assert_output_has Read-only
	works "$CORDON" --write "$W/src:/srv/deep/place" --cwd / -- \
		touch /srv/deep/place/x
	[ -e src/x ]
	assert_absent /srv/deep
}

@test "roots: a file at another place, split at the last :/" {
	mkdir 'c:'
	echo two >'c:/f'
	works "$CORDON" --read "$W/c:/f:/srv/file" --cwd / -- cat /srv/file
	assert_output_is two
}

@test "roots: one directory may be shown twice with different rights" {
	mkdir src
	works "$CORDON" --write "$W/src" --read "$W/src:/srv/ro" --cwd / -- \
		sh -c "touch $W/src/x && cat /srv/ro/x"
	fails "$CORDON" --write "$W/src" --read "$W/src:/srv/ro" --cwd / -- \
		touch /srv/ro/y
	assert_output_has Read-only
}

@test "no_target: nothing is made on the host for a place inside a root" {
	mkdir src root
	run "$CORDON" --write "$W/root" --read "$W/src:$W/root/new" --cwd / -- true
	assert_refused no_target
	assert_output_has "mkdir -p $W/root/new"
	assert_absent root/new
	mkdir root/new
	works "$CORDON" --write "$W/root" --read "$W/src:$W/root/new" --cwd / -- true
}

@test "roots: a place with .. in it is refused" {
	mkdir src
	run "$CORDON" --read "$W/src:/srv/../etc" --cwd / -- true
	assert_refused bad_read
	run "$CORDON" --read "$W/src:/proc/x" --cwd / -- true
	assert_refused bad_read
	run "$CORDON" --read "$W/src:/dev/x" --cwd / -- true
	assert_refused bad_read
}

# -- files ------------------------------------------------------------------

@test "N-99 roots: a single file, read and write, without its directory" {
	echo old >f
	echo beside >g
	works "$CORDON" --read "$W/f" --cwd / -- cat "$W/f"
	assert_output_is old
	fails "$CORDON" --read "$W/f" --cwd / -- sh -c "echo x >$W/f"
	fails "$CORDON" --read "$W/f" --cwd / -- cat "$W/g"
	works "$CORDON" --write "$W/f" --cwd / -- sh -c "echo new >$W/f"
	assert_content f new
}

@test "case 96: an atomic save onto a file root fails, onto its directory works" {
	echo old >f
	fails "$CORDON" --write "$W/f" --cwd / -- \
		sh -c "cd $W; echo x >f.t && mv f.t f"
	works box -- sh -c 'echo x >f.t && mv f.t f'
	assert_content f x
}

# -- links ------------------------------------------------------------------

@test "N-6 N-112: both spellings of a linked path work, for reading and writing" {
	mkdir real
	ln -s real link
	works "$CORDON" --write "$W/link" --cwd "$W/link" -- \
		sh -c "touch $W/link/a $W/real/b"
	[ -e real/a ] && [ -e real/b ]
	works "$CORDON" --read "$W/link" --cwd / -- readlink "$W/link"
	assert_output_is real
}

@test "case 29: a root behind a link to another tree" {
	mkdir -p "$SCRATCH/disk/cache" "$HOME/x"
	ln -s "$SCRATCH/disk/cache" "$HOME/.cache"
	works box --write "$HOME/.cache" -- touch "$HOME/.cache/f"
	[ -e "$SCRATCH/disk/cache/f" ]
}

@test "roots: chains of links, one of them absolute" {
	mkdir -p d/e
	echo end >d/e/f
	ln -s "$W/d" one
	ln -s one two
	works "$CORDON" --read "$W/two/e" --cwd / -- cat "$W/two/e/f"
	assert_output_is end
}

@test "roots: a loop of links is refused" {
	ln -s b a
	ln -s a b
	run "$CORDON" --read "$W/a" --cwd / -- true
	assert_refused bad_read
}

@test "N-99 L-20 roots: the usual links of the system are links inside" {
	works "$CORDON" --cwd / -- sh -c 'readlink /bin; readlink /lib'
	assert_output_is "$(readlink /bin; readlink /lib)"
}

@test "case 17: a linked directory of the system as a root" {
	works "$CORDON" --no-system --read /bin --read /lib --read-try /lib64 \
		--read /usr --cwd / -- /bin/echo yes
	assert_output_is yes
}

# -- overlay ----------------------------------------------------------------

@test "overlay: what is written vanishes" {
	mkdir -p o/d
	echo old >o/f
	works "$CORDON" --overlay "$W/o" --cwd "$W/o" -- \
		sh -c 'echo new >f; rm -r d; mkdir n; touch n/x; cat f; ls'
	assert_output_is "new
f
n"
	assert_content o/f old
	[ -d o/d ]
	assert_absent o/n
}

@test "overlay: is bounded by memory, not by the host's disk, and gone" {
	mkdir o
	works "$CORDON" --overlay "$W/o" --cwd "$W/o" -- \
		stat -f -c %T .
	assert_output_is overlayfs
	[ -z "$(ls -A o)" ]
}

@test "overlay: a write root inside it writes through" {
	mkdir -p o/w
	works "$CORDON" --overlay "$W/o" --write "$W/o/w" --cwd / -- \
		touch "$W/o/w/kept" "$W/o/lost"
	[ -e o/w/kept ]
	assert_absent o/lost
}

@test "overlay: masks and protections hold in it" {
	mkdir -p o/secret o/git
	echo key >o/secret/k
	echo key >o/file
	works cat o/secret/k o/file
	fails "$CORDON" --overlay "$W/o" --mask "$W/o/secret" --cwd / -- \
		cat "$W/o/secret/k"
	fails "$CORDON" --overlay "$W/o" --mask "$W/o/file" --cwd / -- \
		cat "$W/o/file"
	fails "$CORDON" --overlay "$W/o" --protect "$W/o/git" --cwd / -- \
		touch "$W/o/git/x"
	works "$CORDON" --overlay "$W/o" --cwd / -- \
		sh -c "cat $W/o/secret/k; touch $W/o/git/x"
}

@test "overlay: a file or / is refused" {
	: >f
	run "$CORDON" --overlay "$W/f" --cwd / -- true
	assert_refused bad_overlay
	run "$CORDON" --overlay / --cwd / -- true
	assert_refused bad_overlay
}

# -- mounts -----------------------------------------------------------------

# In a mount namespace of its own: as root, or in a user namespace.
in_mounts() {
	if is_root; then
		unshare -m --propagation private sh -ec "$1"
	else
		unshare -Urm --propagation private sh -ec "$1"
	fi
}

@test "N-91 M13: submounts of a read root are read-only too" {
	require unshare
	mkdir -p r/sub/deep
	run in_mounts "mount -t tmpfs none r/sub; mkdir r/sub/deep
		mount -t tmpfs none r/sub/deep; touch r/sub/deep/control
		'$CORDON' --read '$W/r' --cwd / -- sh -c '
			cat $W/r/sub/deep/control && echo seen
			touch $W/r/sub/x || touch $W/r/sub/deep/x || echo sealed'"
	assert_status 0
	assert_output_has seen
	assert_output_has sealed
}

@test "case 57: submounts of a write root are there and writable" {
	require unshare
	mkdir -p r/sub
	run in_mounts "mount -t tmpfs none r/sub; echo in >r/sub/f
		'$CORDON' --write '$W/r' --cwd / -- sh -c '
			cat $W/r/sub/f; touch $W/r/sub/x'
		ls r/sub"
	assert_status 0
	assert_output_is "in
f
x"
}

@test "M14: flags of a source mount are kept" {
	require unshare
	mkdir r
	run in_mounts "mount -t tmpfs -o noexec,nosuid,nodev none r
		printf '#!/bin/sh\necho ran\n' >r/p; chmod +x r/p
		'$CORDON' --write '$W/r' --cwd / -- sh -c '
			grep \" $W/r \" /proc/self/mountinfo
			$W/r/p || echo noexec holds'"
	assert_output_has "noexec"
	assert_output_has "noexec holds"
	assert_output_has "nosuid"
	# control: without the flag it runs
	run in_mounts "mount -t tmpfs none r
		printf '#!/bin/sh\necho ran\n' >r/p; chmod +x r/p
		'$CORDON' --write '$W/r' --cwd / -- $W/r/p"
	assert_output_is ran
}

@test "M14: nosymfollow of a source mount is kept" {
	require unshare
	mkdir r
	run in_mounts "mount -t tmpfs -o nosymfollow none r || exit 77"
	[ "$status" -ne 77 ] || skip_or_fail "no nosymfollow"
	run in_mounts "mount -t tmpfs -o nosymfollow none r
		echo x >r/f; ln -s f r/l
		'$CORDON' --write '$W/r' --cwd / -- sh -c '
			cat $W/r/f; cat $W/r/l || echo held'"
	assert_output_has held
}

@test "case 55: a read root on a mount with locked flags" {
	require unshare
	mkdir r
	run in_mounts "mount -t tmpfs -o nosuid,nodev,noexec none r; echo f >r/f
		'$CORDON' --read '$W/r' --cwd / -- cat '$W/r/f'"
	assert_status 0
	assert_output_is f
}

@test "roots: a write root on a read-only mount is refused" {
	require unshare
	mkdir r
	run in_mounts "mount -t tmpfs none r; mount -o remount,ro,bind r
		'$CORDON' --write '$W/r' --cwd / -- true"
	assert_refused bad_write
	assert_output_has "read-only mount"
	assert_output_has "--read $W/r"
	run in_mounts "mount -t tmpfs none r
		'$CORDON' --write '$W/r' --cwd / -- true"
	assert_status 0
}

@test "overlay: with a mount below it is refused" {
	require unshare
	mkdir -p o/sub
	run in_mounts "mount -t tmpfs none o/sub
		'$CORDON' --overlay '$W/o' --cwd / -- true"
	assert_refused bad_overlay
}

@test "roots: a set-user-id bit and devices mean nothing in a root" {
	run box -- sh -c 'grep " $0 " /proc/self/mountinfo' "$W"
	assert_output_has nosuid
	assert_output_has nodev
}

# -- conflicts --------------------------------------------------------------

@test "N-4 L-21 P3: the same path with different rights is a refusal naming both" {
	mkdir d
	run "$CORDON" --read "$W/d" --write "$W/d" --cwd / -- true
	assert_refused conflict
	assert_output_has "--write $W/d"
	assert_output_has "--read $W/d"
	ln -s d alias
	run "$CORDON" --read "$W/d" --write "$W/alias" --cwd / -- true
	assert_refused conflict
}

@test "P3: the same path twice with the same right is fine" {
	mkdir d
	works "$CORDON" --read "$W/d" --read "$W/d/" --read "$W/./d" --cwd / -- true
}

@test "roots: read / shows all, private places stay private" {
	works "$CORDON" --read / --cwd / -- \
		sh -c "ls -d /srv /var/log /usr/bin; touch /run/x /tmp/x ~/x; ls /run"
	assert_output_is "/srv
/usr/bin
/var/log
user
x"
	works ls "$W/.."
	fails "$CORDON" --read / --cwd / -- ls "$W/.."
	fails "$CORDON" --read / --cwd / -- touch /srv/x
	assert_output_has Read-only
}

@test "bad_cwd: a current directory that a private place hides is refused" {
	run "$CORDON" --read / -- pwd
	assert_refused bad_cwd
	works "$CORDON" --read / --read "$W" -- pwd
	assert_output_is "$W"
}

@test "root caller: others' files need --uid, and the mend works" {
	require_root
	mkdir d
	chown 1001:1001 d
	run "$CORDON" --write "$W/d" --cwd / -- touch "$W/d/x"
	assert_refused bad_write
	assert_output_has "mend: --uid 1001"
	works "$CORDON" --uid 1001 --write "$W/d" --cwd / -- touch "$W/d/x"
	[ "$(stat -c %u d/x)" -eq 1001 ]
}
