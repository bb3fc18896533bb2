#!/usr/bin/env bats
# The command: how it is found, what it is given, how its end is told.

bats_require_minimum_version 1.5.0
load box

@test "N-40 N-113: exit codes pass, all of them" {
	local code
	for code in 0 1 2 3 7 44 99 123 124 125 126 128 200 255; do
		run box -- sh -c "exit $code"
		assert_status $code
		assert_output_is ""
	done
}

@test "N-44: death by signal N is 128+N" {
	local signal
	for signal in 1 2 3 6 9 11 13 14 15; do
		run box -- sh -c "kill -$signal \$\$; sleep 5"
		assert_status $((128 + signal))
	done
}

@test "N-46 P10: the status stream tells 125 of the command from a refusal" {
	run -125 box --status-fd 4 -- sh -c 'exit 125' 4>"$SCRATCH/s"
	run grep -c '"event":"exit".*"cause":"command"' "$SCRATCH/s"
	assert_output_is 1
	run -125 box --status-fd 4 --read /none -- true 4>"$SCRATCH/s"
	run cat "$SCRATCH/s"
	assert_output_has '"event":"refused"'
	assert_output_lacks '"event":"exit"'
}

@test "N-42 N-45 N-43: not found is 127, not executable is 126" {
	run -127 box -- no-such-program-here
	assert_output_has "(not_found)"
	run -127 box -- "$W/none"
	: >plain
	run -126 box -- ./plain
	assert_output_has "(not_executable)"
	assert_output_has "chmod +x $W/plain"
	mkdir dir
	run -126 box -- ./dir
}

@test "command: one that the kernel cannot execute is 126" {
	printf '\177ELFbroken' >broken
	chmod +x broken
	run -126 box -- ./broken
}

@test "N-19: words arrive byte for byte" {
	# shellcheck disable=SC2016 # literally
	local words=('' ' ' $'a\nb' "it's" '"q"' '$HOME' '`x`' '\\' ';' '*' $'\t'
		'ä' $'\xff\xfe' --read -- -n)
	works box -- printf '[%s]' "${words[@]}"
	assert_output_is "$(printf '[%s]' "${words[@]}")"
	works box -- sh -c 'echo $#' sh "${words[@]}"
	assert_output_is ${#words[@]}
}

@test "command: many and long words" {
	local long
	long=$(printf 'x%.0s' {1..100000})
	works box -- sh -c 'echo ${#1} $#' sh "$long" {1..5000}
	assert_output_is "100000 5001"
}

@test "N-89 command: argv[0] is what was typed" {
	printf '#!/bin/sh\necho "$0"\n' >script
	chmod +x script
	works box -- ./script
	assert_output_is ./script
	works box -- sh -c 'tr "\0" " " </proc/$$/cmdline'
	[[ $output == "sh -c "* ]]
	ln -s "$HELPERS/probe" multi
	works box -- ./multi write /dev/null
}

@test "command: -- is not needed, a verb's name needs run or --" {
	works box echo plain
	assert_output_is plain
	printf '#!/bin/sh\necho mine\n' >show
	chmod +x show
	PATH=$W:$PATH works box -- show
	assert_output_is mine
	PATH=$W:$PATH works "$CORDON" run --read "$W" -- show
	assert_output_is mine
}

@test "command: options after the command are its own" {
	works box echo --read /none
	assert_output_is "--read /none"
}

@test "no_command: nothing to run is a refusal" {
	run box --
	assert_refused no_command
	run box
	assert_refused no_command
	run -127 box -- ''
}

@test "command: looked up in the caller's PATH, in its order" {
	mkdir a b
	printf '#!/bin/sh\necho first\n' >a/tool
	printf '#!/bin/sh\necho second\n' >b/tool
	chmod +x a/tool b/tool
	PATH=$W/a:$W/b:$PATH works box -- tool
	assert_output_is first
	PATH=$W/b:$W/a:$PATH works box -- tool
	assert_output_is second
	works box --env PATH="$W/b:/usr/bin:/bin" -- sh -c tool
	assert_output_is second
}

@test "N-80 R-10 needs_read: a command that is not visible, and the mend works" {
	mkdir "$SCRATCH/tools"
	printf '#!/bin/sh\necho ran\n' >"$SCRATCH/tools/tool"
	chmod +x "$SCRATCH/tools/tool"
	run "$CORDON" --cwd / -- "$SCRATCH/tools/tool"
	assert_refused needs_read
	assert_output_has "$SCRATCH/tools/tool is not visible"
	local mend=${output##*mend: cordon}
	run sh -c "'$CORDON' $mend"
	assert_status 0
	assert_output_is ran
}

@test "needs_read: never another program of the same name" {
	mkdir "$SCRATCH/tools"
	printf '#!/bin/sh\necho mine\n' >"$SCRATCH/tools/ls"
	chmod +x "$SCRATCH/tools/ls"
	PATH=$SCRATCH/tools:$PATH
	run "$CORDON" --cwd / -- ls
	assert_refused needs_read
}

@test "R-10 F13 needs_read: an interpreter that is not visible" {
	mkdir "$SCRATCH/tools"
	cp "$HELPERS/probe" "$SCRATCH/tools/interpreter"
	printf '#!%s\n' "$SCRATCH/tools/interpreter" >script
	chmod +x script
	run box -- ./script
	assert_refused needs_read
	assert_output_has "$SCRATCH/tools/interpreter"
	run box --read "$SCRATCH/tools" -- ./script
	[ "$status" -ne 125 ]
}

@test "needs_read: what a link leads to" {
	mkdir "$SCRATCH/tools"
	cp "$HELPERS/probe" "$SCRATCH/tools/real"
	ln -s "$SCRATCH/tools/real" tool
	run box -- ./tool write /dev/null
	assert_refused needs_read
	works box --read "$SCRATCH/tools" -- ./tool write /dev/null
}

@test "N-33: a command in the home does not show the home" {
	cp "$HELPERS/probe" "$HOME/tool"
	echo key >"$HOME/beside"
	run "$CORDON" --quiet --read "$HOME/tool" --cwd / -- \
		"$HOME/tool" openat 0 "$HOME/beside"
	assert_output_is ENOENT
	run "$CORDON" --read "$HOME" --cwd / -- "$HOME/tool" openat 0 "$HOME/beside"
	assert_output_is ok
}

@test "N-60: on success nothing is said" {
	run --separate-stderr box -- true
	[ -z "$output$stderr" ]
	run --separate-stderr box -- sh -c 'echo out; echo err >&2'
	[ "$output" = out ] && [ "$stderr" = err ]
}

@test "L-23 N-22 bad_cwd: a directory that is not visible, and the whole line to type" {
	mkdir "$SCRATCH/a b"
	cd "$SCRATCH/a b"
	run "$CORDON" -- sh -c 'echo "$PWD"; : a b'
	assert_refused bad_cwd
	local mend=${output##*mend: cordon}
	run sh -c "'$CORDON' $mend"
	assert_status 0
	assert_output_is "$SCRATCH/a b"
}

@test "--cwd: a directory inside" {
	mkdir d
	works box --cwd "$W/d" -- pwd
	assert_output_is "$W/d"
	works box --cwd /tmp -- pwd
	assert_output_is /tmp
	works box --cwd d -- pwd
	assert_output_is "$W/d"
	run box --cwd "$W/none" -- pwd
	assert_status 125
	: >f
	run box --cwd "$W/f" -- pwd
	assert_status 125
}

@test "A6: the policy never widens from the current directory alone" {
	cd "$HOME"
	run "$CORDON" --cwd / -- ls "$HOME/.."
	[ "$status" -ne 0 ] || assert_output_lacks w
	cd "$W"
	fails "$CORDON" --cwd / -- touch "$W/x"
	assert_absent x
}
