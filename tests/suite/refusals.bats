#!/usr/bin/env bats
# Refusals: all of them at once, each with words that mend it, and a refused run
# leaves nothing.

load box

five() {
	"$CORDON" --read "$W/no-read" --write "$W/no-write" --limit files=x \
		--net moon --hostname 'not a name' --cwd / "$@"
}

@test "N-25 N-41 P8: five problems are said in one run, exit 125" {
	run five -- touch "$W/ran"
	assert_status 125
	run grep -c '^cordon: refused:' <<<"$output"
	assert_output_is 5
	run five -- touch "$W/ran"
	local reason
	for reason in bad_read bad_write bad_limit bad_net bad_hostname; do
		assert_output_has "($reason)"
	done
	assert_absent ran no-read no-write
}

@test "P8: each names the words that were typed" {
	run five -- true
	assert_output_has "--read $W/no-read: "
	assert_output_has "--write $W/no-write: "
	assert_output_has "--limit files=x: "
	assert_output_has "--net moon: "
	assert_output_has "--hostname 'not a name': "
}

@test "N-53 P8: the same as JSON on the status stream" {
	require python3
	run five --status-fd 4 --id word-7 -- true 4>"$SCRATCH/s"
	assert_status 125
	run python3 -c "
import json
rows = [json.loads(line) for line in open('$SCRATCH/s')]
print(len(rows), {row['event'] for row in rows}, {row['id'] for row in rows}, {row['v'] for row in rows})
print(sorted(row['reason'] for row in rows))
print(all(row['text'] and row['option'] and row['words'] for row in rows))"
	assert_output_is "5 {'refused'} {'word-7'} {1}
['bad_hostname', 'bad_limit', 'bad_net', 'bad_read', 'bad_write']
True"
}

@test "P8: a refused run makes nothing on the host" {
	local before
	before=$(find "$SCRATCH" | grep -v '/s$' | sort)
	run five --tmp "$W/no-tmp" --home "$W/no-home" --mask "$W/no-mask" -- true
	assert_status 125
	[ "$(find "$SCRATCH" | grep -v '/s$' | sort)" = "$before" ]
}

@test "R-14 N-1: a refused run starts nothing" {
	run five -- sh -c "echo tripwire >$W/ran"
	assert_absent ran
	works box -- sh -c "echo tripwire >$W/ran"
	[ -e ran ]
}

@test "mend: mkdir -p for a missing write root, pasted, works" {
	run "$CORDON" --write "$W/new root" --cwd / -- true
	assert_refused bad_write
	local mend=${output##*mend: }
	sh -c "$mend"
	works "$CORDON" --write "$W/new root" --cwd / -- true
}

@test "mend: --read-try for a missing read root, pasted, works" {
	run "$CORDON" --read "$W/none" --cwd / -- true
	assert_refused bad_read
	run sh -c "'$CORDON' ${output##*mend: } --cwd / -- true"
	assert_status 0
}

@test "mend: --allow-hard-links, pasted, works" {
	: >f
	ln f g
	run box --mask f -- true
	assert_refused hard_links
	# shellcheck disable=SC2086 # an option
	works box --mask f ${output##*mend: } -- true
}

@test "mend: --read for a write root on a read-only mount, pasted, works" {
	run "$CORDON" --write /proc/sys --cwd / -- true
	assert_status 125
	mkdir r
	local in=(unshare -m)
	is_root || in=(unshare -Urm)
	run "${in[@]}" sh -c "mount -t tmpfs none r; mount -o remount,ro,bind r
		'$CORDON' --write '$W/r' --cwd / -- true; echo"
	assert_output_has "(bad_write)"
	local mend=${output##*mend: }
	run "${in[@]}" sh -c "mount -t tmpfs none r; mount -o remount,ro,bind r
		'$CORDON' ${mend%%$'\n'*} --cwd / -- true && echo started"
	assert_output_is started
}

@test "mend: chmod for a program without its bit, pasted, works" {
	printf '#!/bin/sh\necho ran\n' >p
	run box -- ./p
	assert_status 126
	sh -c "${output##*mend: }"
	works box -- ./p
	assert_output_is ran
}

@test "N-52 N-86 bad_option: an unknown word is refused, also when it looks like bubblewrap's" {
	local word
	for word in --no-sandbox --bind --unshare-all --allow-everything --reed -x; do
		run box "$word" -- true
		assert_refused bad_option
	done
}

@test "bad_option: an option without its value" {
	run "$CORDON" --read
	assert_status 125
	run "$CORDON" --read -- true
	assert_status 125
}

@test "not_yet: what a later version has is refused by name" {
	local word
	for word in "--allow-net localhost" "--deny-net x" "--socket /x" --git; do
		# shellcheck disable=SC2086 # an option and its value
		run box $word -- true
		assert_status 125
		assert_output_has "${word%%[ =]*}"
		assert_output_has "(not_yet)"
	done
	for word in start exec; do
		run "$CORDON" $word
		assert_status 125
		assert_output_has not_yet
	done
}

@test "N-7: control characters of a path do not reach the terminal" {
	run box --read "$W/"$'\e[31mred\nnew' -- true
	assert_status 125
	assert_output_lacks $'\e'
}

@test "refusals: a thousand of them end, and are each said" {
	local i
	for ((i = 0; i < 1000; i++)); do
		printf '%s\0' --read "/none/$i"
	done >"$SCRATCH/words"
	run "$CORDON" --args 4 --cwd / -- true 4<"$SCRATCH/words"
	assert_status 125
	run grep -c '(bad_read)' <<<"$output"
	[ "$output" -ge 20 ]
}
