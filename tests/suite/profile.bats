#!/usr/bin/env bats
# Options from files and descriptors.

load box

profile() {
	cat >"$SCRATCH/my.profile"
}

@test "profile: a file's options, one a line, comments and quoting" {
	mkdir 'a b' c
	profile <<-EOF_
		# a comment
		read "$W/a b"

		write $W/c   # behind a word
		env GREETING='hello  there'
		hostname from-profile
		net none
	EOF_
	works "$CORDON" --profile "$SCRATCH/my.profile" --cwd / -- \
		sh -c "ls -d '$W/a b'; touch $W/c/x; echo \"\$GREETING\"; uname -n"
	assert_output_is "$W/a b
hello  there
from-profile"
	[ -e c/x ]
}

@test "profile: ~ and variables" {
	mkdir "$HOME/d"
	export PLACE=$W
	profile <<-'EOF_'
		read ~/d
		write ${PLACE}
		env A=${NOT_SET_HERE:-fallback}
	EOF_
	works "$CORDON" --profile "$SCRATCH/my.profile" -- \
		sh -c 'ls -d ~/d; touch x; echo $A'
	assert_output_is "$HOME/d
fallback"
}

@test "profile: relative means the current directory" {
	mkdir d
	echo 'write d' | profile
	works "$CORDON" --profile "$SCRATCH/my.profile" --cwd / -- touch "$W/d/x"
	[ -e d/x ]
}

@test "profile: refusals name file and line, all of them" {
	profile <<-EOF_
		read /none/one
		no-such-option
		write $W/none
		limit files=x
	EOF_
	run box --profile "$SCRATCH/my.profile" -- true
	assert_refused bad_read
	assert_output_has "my.profile:1"
	assert_output_has "my.profile:2"
	assert_output_has "my.profile:3"
	assert_output_has "my.profile:4"
	assert_absent none
}

@test "profile: a bad quote or an unset variable is refused with its line" {
	printf 'net none\nread "open\n' | profile
	run box --profile "$SCRATCH/my.profile" -- true
	assert_status 125
	assert_output_has "my.profile:2"
	echo 'read ${NOT_SET_HERE}/x' | profile
	run box --profile "$SCRATCH/my.profile" -- true
	assert_status 125
	assert_output_has "my.profile:1"
}

@test "profile: a file that is not there, a directory, a name that is none" {
	run box --profile ./none -- true
	assert_refused bad_profile
	run box --profile "$W" -- true
	assert_refused bad_profile
	run box --profile no-such-name -- true
	assert_refused bad_profile
}

@test "P3: the command line tightens what a profile says" {
	mkdir d
	echo "write $W/d" | profile
	works "$CORDON" --profile "$SCRATCH/my.profile" --cwd / -- touch "$W/d/x"
	fails "$CORDON" --profile "$SCRATCH/my.profile" --read "$W/d" --cwd / -- \
		touch "$W/d/y"
	assert_output_has Read-only
	run "$CORDON" --profile "$SCRATCH/my.profile" --mask "$W/d" --cwd / -- \
		ls "$W/d"
	assert_status 2
}

@test "P3: it does not widen, but by --unmask and --unprotect" {
	mkdir d
	echo key >d/k
	printf 'read %s\nmask %s\n' "$W" "$W/d" | profile
	run "$CORDON" --profile "$SCRATCH/my.profile" --read "$W/d" -- cat d/k
	assert_refused conflict
	assert_output_has "--unmask $W/d"
	works "$CORDON" --profile "$SCRATCH/my.profile" --unmask "$W/d" -- cat d/k
	assert_output_is key
	printf 'read %s\n' "$W" | profile
	run "$CORDON" --profile "$SCRATCH/my.profile" --write "$W" -- touch x
	assert_refused conflict
}

@test "profile: may name another, a loop is refused" {
	echo 'hostname inner' >"$SCRATCH/inner"
	echo "profile $SCRATCH/inner" | profile
	run box --profile "$SCRATCH/my.profile" -- uname -n
	[ "$output" = inner ] || assert_status 125
	echo "profile $SCRATCH/my.profile" | profile
	run timeout 10 "$CORDON" --profile "$SCRATCH/my.profile" --cwd / -- true
	assert_status 125
}

@test "A08: no policy is ever read from the working directory by itself" {
	echo 'read /' >.cordon
	cp .cordon cordon.profile
	mkdir .config
	cp .cordon .config/cordon
	fails box -- ls /boot
	works ls /boot
}

@test "--args: words from a descriptor, any bytes" {
	mkdir $'odd\nname'
	printf '%s\0' --write "$W" --env $'A=two\nlines' >"$SCRATCH/words"
	works "$CORDON" --args 4 -- sh -c 'touch x; echo "$A"' 4<"$SCRATCH/words"
	assert_output_is "two
lines"
	[ -e x ]
}

@test "--args: refusals say so, with the word's number" {
	printf '%s\0' --read /none --bad >"$SCRATCH/words"
	run box --args 4 -- true 4<"$SCRATCH/words"
	assert_status 125
	assert_output_has "--args, word"
	run box --args 9 -- true 9<&-
	assert_status 125
}

@test "profiles: agent, build and offline start" {
	local name
	for name in agent build offline; do
		[ -e "$TOP_SRCDIR/profiles/$name" ] ||
			skip "profile $name is not in this version"
		run "$CORDON" --profile "$TOP_SRCDIR/profiles/$name" -- \
			sh -c 'touch made; echo started'
		case $status in
		0) assert_output_has started ;;
		*) assert_output_has "(not_yet)" ;;
		esac
	done
}

@test "N-24 show: what a run would do, twice the same, and nothing runs" {
	local words=(--profile build --write "$W" --mask @env-files --net none
		--id job --cwd "$W" -- touch ran)
	works "$CORDON" show "${words[@]}"
	first=$output
	assert_output_has "$W"
	assert_output_has '/usr/bin/touch'
	works "$CORDON" show "${words[@]}"
	[ "$first" = "$output" ]
	[ ! -e ran ]
	works "$CORDON" show --json "${words[@]}"
	first=$output
	works "$CORDON" show --json "${words[@]}"
	[ "$first" = "$output" ]
	[ ! -e ran ]
	# control
	works "$CORDON" "${words[@]}"
	[ -e ran ]
}
