#!/usr/bin/env bats
# Holes that a review of the launcher found, each with the way it was opened.

load ../suite/box

# The home holds a secret, and shows it to nobody but its owner.
secret_home() {
	mkdir -m 700 "$HOME/.ssh"
	echo HOMESECRET >"$HOME/.ssh/id"
}

@test "P2: a root that an earlier run closed keeps its secrets" {
	secret_home
	works "$CORDON" --write "$HOME" --unmask "$HOME/.ssh" --cwd /tmp -- \
		cat "$HOME/.ssh/id"
	assert_output_has HOMESECRET
	works "$CORDON" --write "$HOME" --cwd /tmp -- chmod 400 "$HOME"
	run "$CORDON" --write "$HOME" --cwd /tmp -- sh -c \
		'chmod 700 "$HOME"; cat "$HOME/.ssh/id"'
	chmod 700 "$HOME"
	# root looks through closed directories, and finds the secret to mask
	[ "$status" -ne 0 ]
	assert_output_lacks HOMESECRET
}

@test "P1: the user's own home has its secrets masked whatever HOME says" {
	local own
	own=$(getent passwd "$(id -u)" | cut -d: -f6)
	# a home below /tmp is hidden by the private one as it is
	[ -d "$own" ] && [ -w "$own" ] && [ ! -e "$own/.ssh" ] &&
		[[ $own != /tmp/* && $own != /run/* ]] ||
		skip "only for a user with a home of its own, without .ssh"
	mkdir -m 700 "$own/.ssh"
	echo OWNSECRET >"$own/.ssh/id"
	run env -u HOME "$CORDON" --read / --cwd / -- cat "$own/.ssh/id"
	unset_home=$output
	run env HOME=/ "$CORDON" --read / --cwd / -- cat "$own/.ssh/id"
	root_home=$output
	run env HOME="$own/../${own##*/}" "$CORDON" --read / --cwd / -- \
		cat "$own/.ssh/id"
	dotted_home=$output
	run env -u HOME "$CORDON" --read / --cwd / --unmask "$own/.ssh" -- \
		cat "$own/.ssh/id"
	rm -r "$own/.ssh"
	assert_output_has OWNSECRET # the control
	output=$unset_home assert_output_lacks OWNSECRET
	output=$root_home assert_output_lacks OWNSECRET
	output=$dotted_home assert_output_lacks OWNSECRET
}

@test "P1: a look-up that fails is not taken for absence" {
	require strace
	secret_home
	works "$CORDON" --read "$HOME" --cwd "$HOME" -- cat /dev/null
	run strace -f -o /dev/null -e trace=getdents64 \
		-e inject=getdents64:error=EIO:when=1 \
		"$CORDON" --read "$HOME" --cwd "$HOME" -- cat .ssh/id
	assert_output_lacks HOMESECRET
	run strace -f -o /dev/null -P "$HOME/.ssh" -e trace=openat2 \
		-e inject=openat2:error=EIO:when=1 \
		"$CORDON" --read "$HOME" --cwd "$HOME" -- cat .ssh/id
	assert_refused bad_mask
	assert_output_lacks HOMESECRET
}

@test "P4: nothing of ours is made on the host while its directories are swapped" {
	mkdir "$W/place" "$SCRATCH/victim" "$SCRATCH/source"
	: >"$SCRATCH/source/f"
	ln -s "$SCRATCH/victim" "$W/link"
	local rules=(--write "$W" --tmpfs "$W/place"
		--read "$SCRATCH/source/f:$W/place/f"
		--read "$SCRATCH/source:$W/place/d/e" --cwd /tmp)
	works "$CORDON" "${rules[@]}" -- ls "$W/place/d/e"
	assert_output_is f
	start swapper "$HELPERS/swap" "$W/place" "$W/link"
	local i
	for ((i = 0; i < 40; i++)); do
		run "$CORDON" "${rules[@]}" -- true
	done
	end_started
	[ -z "$(ls -A "$SCRATCH/victim")" ]
	[ -z "$(find "$W/place/" "$W/link/" -mindepth 1)" ]
}

@test "P7: a root caller's stdin does not change the host's nodes" {
	require_root
	works box -- sh -c 'test -c /proc/self/fd/0 && echo x >&0' <>/dev/null
	run box -- chmod 640 /proc/self/fd/0 </dev/null
	local mode
	mode=$(stat -c %a /dev/null)
	[ "$mode" = 666 ] || chmod 666 /dev/null
	[ "$status" -ne 0 ]
	[ "$mode" = 666 ]
}

@test "P7: the outer /proc has no other name" {
	works "$CORDON" --read / --cwd / -- ls /proc
	assert_output_has 1
	works "$CORDON" --proc none --read / --cwd / -- ls -A /proc
	assert_output_is ''
	run "$CORDON" --read /proc:/x --cwd /tmp -- true
	assert_refused bad_read
	run "$CORDON" --read /:/x --cwd /tmp -- true
	assert_refused bad_read
}

@test "P7: nested, no cgroup namespace leads to the caller's group" {
	require_user
	works unshare -Ur -C true
	works box --nested -- unshare -U true
	fails box --nested -- unshare -U -C true
}

@test "P10: no twin of the status stream passes" {
	works box --status-fd 4 -- true 4>"$SCRATCH/s"
	run box --status-fd 4 --keep-fd 5 -- true 4>"$SCRATCH/s" 5>&4
	assert_refused bad_fd
	run bash -c '"$0" --status-fd 4 --cwd /tmp -- true 4>&1 | cat' "$CORDON"
	assert_output_has bad_fd
	run box --status-fd 1 -- true
	assert_refused bad_fd
}

@test "P1: a mask of what another root covers is refused, not dropped" {
	mkdir "$W/a" "$W/b"
	echo A >"$W/a/s"
	echo B >"$W/b/s"
	local root=(--write "$W/a:$W/b" --cwd /tmp)
	works "$CORDON" "${root[@]}" -- cat "$W/b/s"
	assert_output_is A
	run "$CORDON" "${root[@]}" --mask "$W/b/s" -- cat "$W/b/s"
	assert_refused conflict
	run "$CORDON" "${root[@]}" --mask "$W/a/s" -- cat "$W/b/s"
	assert_status 1
	assert_output_has 'Permission denied'
}
