#!/usr/bin/env bats
# Hostile trees, and attempts to undo mounts. Ids of the escape catalogue.

load ../suite/box

# In a user and mount namespace of its own: all capabilities there, none over the
# wall's mounts.
inner() {
	nested --write "$W" --read "$HELPERS" "$@"
}

@test "M01 M12: a link to the old root or above it leads nowhere outside" {
	mkdir "$SCRATCH/host"
	ln -s "/oldroot$SCRATCH/host" x
	ln -s "../../../../../..$SCRATCH/host" y
	local place
	for place in x/new y/new ../host/new; do
		run box --tmpfs "$W/$place" -- true
		run box --read "/etc/shells:$W/$place" -- true
		run box -- mkdir "$W/$place"
	done
	[ -z "$(ls -A "$SCRATCH/host")" ]
	# control: outside the link leads there
	works mkdir y/new
	[ -e "$SCRATCH/host/new" ]
}

@test "M02 M09: a link at the end of a place is not followed" {
	mkdir "$SCRATCH/host" src
	ln -s "$SCRATCH/host" last
	touch src/shown
	run box --read "$W/src:$W/last" -- ls last
	[ "$status" -ne 0 ] || assert_output_has shown
	[ -z "$(ls -A "$SCRATCH/host")" ]
	run box --tmpfs "$W/last" -- touch last/x
	[ -z "$(ls -A "$SCRATCH/host")" ]
	works touch last/x
}

@test "M09: --root whose /proc, /dev or /tmp is a link is refused" {
	mkdir -p r/bin r/real r/tmp r/run r/etc r/dev r/proc "$SCRATCH/host"
	cp "$HELPERS/probe" r/bin/probe
	cp "$HELPERS/probe" r/bin/again
	works "$CORDON" --root "$W/r" --cwd / -- /bin/probe write /dev/null
	local name
	for name in proc dev tmp run; do
		rmdir "r/$name"
		ln -s "$SCRATCH/host" "r/$name"
		run "$CORDON" --root "$W/r" --cwd / -- /bin/probe write /dev/null
		assert_status 125
		rm "r/$name"
		mkdir "r/$name"
	done
	[ -z "$(ls -A "$SCRATCH/host")" ]
}

@test "M05: a mask never comes from the tree's own /dev/null" {
	mkdir -p r/bin r/proc r/dev r/tmp r/run r/etc
	cp "$HELPERS/probe" r/bin/probe
	ln -s /etc/passwd r/dev/null
	echo key >r/etc/secret
	run "$CORDON" --root "$W/r" --cwd / -- /bin/probe openat 0 /etc/secret
	assert_output_is ok
	run "$CORDON" --quiet --root "$W/r" --mask "$W/r/etc/secret" --cwd / -- \
		/bin/probe openat 0 /etc/secret
	assert_output_is EACCES
	run "$CORDON" --root "$W/r" --cwd / -- /bin/probe write /dev/null
	assert_output_is ok
}

@test "M07: a false /proc in the root is not what settings are written to" {
	mkdir -p r/bin r/proc/self r/proc/sys/user r/dev r/tmp r/run r/etc
	cp "$HELPERS/probe" r/bin/probe
	: >r/proc/self/uid_map
	: >r/proc/sys/user/max_user_namespaces
	works "$CORDON" --root "$W/r" --cwd / -- /bin/probe write /dev/null
	[ ! -s r/proc/self/uid_map ] && [ ! -s r/proc/sys/user/max_user_namespaces ]
	run "$CORDON" --root "$W/r" --cwd / -- /bin/probe unshare 0x10000000
	assert_status 1
}

# Starts against names that change all the time: refused, or right. Some of them
# must have run, or nothing was tried.
race() { # TRIES COMMAND...
	local tries=$1 ran=0 i
	shift
	for ((i = 0; i < tries || (ran == 0 && i < 10 * tries); i++)); do
		run "$@"
		case $status in
		125) ;;
		*)
			ran=$((ran + 1))
			assert_output_lacks key || return 1
			;;
		esac
	done
	[ "$ran" -gt 0 ]
}

@test "R-21 L-26 M03 A4: a mask whose name is swapped is on the right object, or refused" {
	mkdir d e
	echo key >d/secret
	echo dull >e/secret
	run box --mask d/secret -- cat d/secret e/secret
	assert_output_has dull
	run box -- cat d/secret
	assert_output_is key
	start swap "$HELPERS/swap" d e
	race 15 box --mask d/secret --mask e/secret -- \
		sh -c 'cat d/secret; cat e/secret; cat d/secret'
}

@test "M03 A4: a masked directory with something visible in it, swapped" {
	mkdir -p d/pub e/pub
	echo key >d/secret
	echo key >e/secret
	run box -- cat d/secret
	assert_output_is key
	start swap "$HELPERS/swap" d e
	race 15 box --mask d --read d/pub --mask e --read e/pub -- \
		sh -c 'cat d/secret; cat e/secret; cat d/secret'
}

@test "M03 A4: a directory on the way swapped for a link to a secret place" {
	mkdir -p d/in "$SCRATCH/secret/in"
	echo key >"$SCRATCH/secret/in/f"
	echo dull >d/in/f
	ln -s "$SCRATCH/secret" link
	works cat link/in/f
	start swap "$HELPERS/swap" d link
	# the root is what the name meant when it was looked up: either is the
	# caller's word, but never a write to one that was shown read-only
	local i
	for ((i = 0; i < 12; i++)); do
		run "$CORDON" --read "$W/d/in" --cwd / -- \
			sh -c "echo x >>$W/d/in/f"
		[ "$status" -ne 0 ]
	done
	end_started
	run cat "$SCRATCH/secret/in/f" d/in/f link/in/f
	assert_output_lacks x
}

@test "M03: a place inside a root is never mounted outside of it" {
	mkdir -p root/a src "$SCRATCH/host/p"
	mkdir -p root/a/p
	ln -s "$SCRATCH/host" root/link
	touch src/mark
	start swap "$HELPERS/swap" root/a root/link
	local i
	for ((i = 0; i < 12; i++)); do
		run box --write "$W/src:$W/root/a/p" -- touch root/a/p/new
		[ -z "$(ls -A "$SCRATCH/host/p")" ]
	done
}

@test "M10: a link in a write root to a host file cannot be written through (A5)" {
	echo old >"$SCRATCH/file"
	ln -s "$SCRATCH/file" link
	fails box -- cat link
	run box -- sh -c 'echo x >link'
	assert_content "$SCRATCH/file" old
	works sh -c 'echo x >>link'
}

@test "M11: no fixed name in /tmp, none of it left" {
	works box -- true
	run sh -c "find /tmp -maxdepth 1 -newer '$W' -name '*cordon*' ! -name 'cordon-test.*'"
	assert_output_is ""
}

@test "A9 M16: umount, remount, bind, move_mount, pivot: all fail" {
	echo key >secret
	mkdir s t
	local words
	for words in "umount $W/secret 0" "umount $W/secret 2" "umount / 2" \
		"umount /proc 2" "mount none $W/s tmpfs 0" \
		"mount $W/t $W/s none 4096" "mount none / none 32" \
		"mount none $W/secret none 4128" "movemount $W/t $W/s" \
		"clone $W 0" "setattr / 0 1" "setattr $W/secret 0 1" \
		"pivot $W $W/s" "fsopen tmpfs" "chroot $W"; do
		# shellcheck disable=SC2086 # words
		run box --quiet --mask secret -- "$HELPERS/probe" $words
		assert_status 1
		[[ $output == EPERM || $output == ENOSYS || $output == EINVAL ||
			$output == EACCES ]]
	done
	# control: in a namespace of one's own they work
	local control="mount none $W/s tmpfs 0"
	if is_root; then
		# shellcheck disable=SC2086
		works unshare -m "$HELPERS/probe" $control
	else
		# shellcheck disable=SC2086
		works unshare -Urm "$HELPERS/probe" $control
	fi
}

@test "M16: in a nested namespace a mask cannot be taken off" {
	echo key >secret
	mkdir s
	echo key >s/k
	local try
	for try in "umount secret" "umount -l secret" "umount s" "umount -l s" \
		"umount -l $W" "umount -l /proc"; do
		fails inner --mask secret --mask s -- unshare -Urm \
			sh -c "$try && cat secret s/k"
		assert_output_lacks key
	done
	# control: what the namespace mounted itself comes off
	works inner -- unshare -Urm sh -c 'mount -t tmpfs none s && umount s && cat s/k'
	assert_output_is key
}

@test "M15: nor locked flags be cleared" {
	mkdir s
	: >s/f
	fails inner --protect s -- unshare -Urm sh -c \
		'mount -o remount,bind,rw s; touch s/x'
	fails inner --protect s -- unshare -Urm \
		"$HELPERS/probe" setattr "$W/s" 0 1
	fails inner -- unshare -Urm sh -c 'mount -o remount,bind,suid /usr'
	fails inner -- unshare -Urm sh -c 'mount -o remount,rw /; touch /x'
	works inner -- unshare -Urm sh -c 'mount --bind s s && mount -o remount,bind,ro s'
	assert_absent s/x
}

@test "M17: nor left behind by a bind that is not recursive" {
	mkdir d t
	echo key >d/secret
	fails inner --mask d/secret -- unshare -Urm sh -c \
		'mount --bind d t && cat t/secret'
	assert_output_lacks key
	run inner --mask d/secret -- unshare -Urm sh -c \
		'mount --rbind d t && cat t/secret'
	assert_output_lacks key
	works inner -- unshare -Urm sh -c 'mount --bind d t && cat t/secret'
	assert_output_is key
}

@test "M18: nor looked below by an overlay" {
	mkdir d t up wk
	echo key >d/secret
	run inner --mask d/secret -- unshare -Urm sh -c \
		"mount -t tmpfs none up && mkdir up/u up/w &&
		mount -t overlay -o lowerdir=$W/d,upperdir=$W/up/u,workdir=$W/up/w,userxattr none t; cat t/secret"
	[ "$status" -ne 0 ]
	assert_output_lacks key
	run inner -- unshare -Urm sh -c \
		"mount -t tmpfs none up && mkdir up/u up/w &&
		mount -t overlay -o lowerdir=$W/d,upperdir=$W/up/u,workdir=$W/up/w,userxattr none t; cat t/secret"
	assert_output_is key
}

@test "M19 M20: mounts do not pass the wall in either direction" {
	require_root
	mkdir b
	# outside, after the start
	run unshare -m --propagation shared sh -c "
		'$CORDON' --read '$W' -- sh -c 'until [ -e go ]; do sleep 0.02; done; ls b' &
		sleep 0.3; mount -t tmpfs none b; touch b/of-host; touch go; wait \$!"
	assert_status 0
	assert_output_lacks of-host
	rm go
	# inside, nested
	inner -- unshare -Urm sh -c 'mount -t tmpfs none b; touch b/of-inside; sleep 0.3' &
	sleep 0.2
	run ls b
	assert_output_is ""
	wait
}

@test "M25 A7: a link through a mask gives nothing" {
	echo key >secret
	works box -- ln secret through-control
	rm through-control
	fails box --mask secret -- sh -c 'ln secret through && cat through'
	assert_absent through
}
