#!/usr/bin/env bats
# The one line after a failing command: a fact about a path that its words
# name, and nothing where there is none to tell.

load box

setup_file() {
	export NOTE="cordon: note: "
}

# tells TEXT COMMAND...: it fails, and one line says so.
tells() {
	local text=$1
	shift
	fails "$@"
	assert_output_has "$text" &&
		[ "$(grep -c "^$NOTE" <<<"$output")" -eq 1 ] && return
	show_run
	return 1
}

# silent COMMAND...: however it ends.
silent() {
	run "$@"
	[ "$status" -ne 125 ] && assert_output_lacks "$NOTE" && return
	show_run
	return 1
}

@test "cause: a masked file that the command names" {
	echo x >.env
	echo x >plain
	tells "$NOTE.env, which the command names, is masked: --mask .env (command line)" \
		box --mask .env -- cat .env
	mkdir -p d/e
	tells "d/e/f, which the command names, is masked: --mask d" \
		box --mask d -- cat d/e/f
	tells ".env, which the command names, is masked: mask" \
		"$CORDON" --profile agent -- cat .env
	# nothing failed, or for another reason
	works box --mask .env -- test -e .env
	assert_output_lacks "$NOTE"
	fails cat absent
	silent box --mask .env -- cat absent
	fails box --mask .env -- sh -c 'exit 3'
	silent box --mask .env -- sh -c 'exit 3'
	silent box -- sh -c 'cat plain; exit 3' plain
}

@test "cause: a file that no rule shows, and the words that do" {
	echo x >"$SCRATCH/file"
	tells "$SCRATCH/file, which the command names, is not shown in the sandbox, where a private place is at /tmp; --read $SCRATCH/file" \
		box -- cat "$SCRATCH/file"
	works box --read "$SCRATCH/file" -- cat "$SCRATCH/file"
	tells "--read $SCRATCH/file" box -- cat ../file
	tells "--read $SCRATCH/file" box -- dd if="$SCRATCH/file"
	tells "--read $SCRATCH/file" box -- sort --output=x \
		--files0-from="$SCRATCH/file"
	# a script as agents have them
	cat >script.py <<-'END'
	import sys
	print(open(sys.argv[1]).read())
	END
	tells "--read $SCRATCH/file" box -- /usr/bin/python3 script.py \
		"$SCRATCH/file"
	silent box --read "$SCRATCH/file" -- /usr/bin/python3 script.py absent
	# what is of the sandbox's own is shown
	silent box -- sh -c 'exit 1' /tmp /run
	# it is not there outside either
	fails box -- cat "$SCRATCH/absent"
	silent box -- cat "$SCRATCH/absent"
}

@test "cause: a read-only place that the caller could write to outside" {
	mkdir ro
	echo x >ro/f
	echo x >f
	tells "ro/f, which the command names, is read-only here: --read ro" \
		box --read ro -- cp f ro/f
	tells "ro/new, which the command names, is a name in a directory that is read-only here: --read ro" \
		box --read ro -- cp f ro/new
	tells "ro, which the command names, is read-only here: --protect ro" \
		box --protect ro -- cp -t ro f
	works box -- cp f ro/f
	assert_output_lacks "$NOTE"
	# its own mode says no, and outside it would, too
	chmod 400 ro/f
	silent box --read ro -- sh -c 'echo y >ro/f' ro/f
	fails box -- sh -c 'exit 1' ro/f
	silent box -- sh -c 'exit 1' ro/f
	# a word is not a path for lying near one
	silent "$CORDON" --read "$W" -- git status
}

@test "cause: what of the system is read-only to whom" {
	echo x >x
	fails box -- cp x /usr/local/y
	if is_root; then
		assert_output_has "/usr/local/y, which the command names, is a name in a directory that is read-only here: --read /usr"
	else
		assert_output_lacks "$NOTE"
	fi
	# what is only looked for is not noted at every miss
	silent box -- grep -q 'no such line' /etc/passwd
}

@test "cause: a program that starts another one, which is not there" {
	cp /bin/true "$SCRATCH/starter"
	printf '#!%s\n' "$SCRATCH/starter" >script
	printf '#!starter\n' >relative
	chmod +x script relative
	works ./script
	tells "./script, which the command names, is started by $SCRATCH/starter, which is not in the sandbox; --read $SCRATCH/starter" \
		box -- env ./script
	tells "./script, which the command names" box -- sh -c ./script
	works box --read "$SCRATCH/starter" -- env ./script
	tells "is started by $W/starter" box -- ./relative
	assert_status 127
	# 127 for another reason, and another status
	silent box --read "$SCRATCH/starter" -- sh -c 'exit 127' ./script
	silent box -- sh -c 'exit 7' ./script
}

@test "cause: an interpreter that is nowhere is refused without words" {
	printf '#!/nowhere/starter\n' >script
	chmod +x script
	run box -- ./script
	assert_refused needs_read
	assert_output_has "/nowhere/starter does not exist"
	assert_output_lacks mend
}

@test "cause: not of what ends otherwise, nor unasked" {
	echo x >.env
	tells "$NOTE" box --mask .env -- cat .env
	silent box --quiet --mask .env -- cat .env
	silent box --report --mask .env -- cat .env
	run box --timeout 100ms --mask .env -- sh -c 'sleep 9' .env
	assert_status 124
	assert_output_lacks "$NOTE"
	run box --timeout 100ms --mask .env -- \
		sh -c 'trap "exit 3" TERM; sleep 9 & wait' .env
	assert_status 124
	assert_output_lacks "$NOTE"
	run box --mask .env -- sh -c 'kill -9 $$' .env
	assert_status 137
	assert_output_lacks "$NOTE"
}

@test "cause: an event of the status stream, before its last" {
	echo x >.env
	run box --quiet --mask .env --status-fd 9 -- cat .env 9>events
	assert_status 1
	assert_output_lacks "$NOTE"
	/usr/bin/python3 - <<-'END'
	import json
	events = [json.loads(line) for line in open("events")]
	assert events[-1]["event"] == "exit", events
	note, = [e for e in events if e["event"] == "note"]
	assert note["token"] == "cause", note
	assert note["text"].startswith(".env, which"), note
	END
	works box --mask .env --status-fd 9 -- true .env 9>events
	run grep cause.*masked events
	assert_status 1
}

@test "cause: of many words the first are looked at, and of deep paths the top" {
	local deep start=$SECONDS
	echo x >.env
	mapfile -t many < <(seq 70)
	tells "is masked" box --mask .env -- sh -c 'exit 1' "${many[@]:0:60}" .env
	silent box --mask .env -- sh -c 'exit 1' "${many[@]}" .env
	mapfile -t many < <(seq 100000)
	silent box --mask .env -- sh -c 'exit 1' "${many[@]}" .env
	deep=$(printf 'd/%.0s' {1..1000})
	mkdir -p "$deep"
	silent box -- sh -c 'exit 1' "$deep" "$deep" "$deep"
	[ $((SECONDS - start)) -lt 5 ]
}

@test "cause: a name is shown as a shell reads it, and does nothing" {
	local name=$'a\033[31m b'
	echo x >"$SCRATCH/$name"
	run box -- cat "$SCRATCH/$name"
	assert_output_has '\x1b[31m'
	assert_output_lacks "; --read"
}
