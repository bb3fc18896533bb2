#!/usr/bin/env bats
# Small things that people rely on (cases.md 2k).

load box

@test "umask is kept" {
	run sh -c "umask 027; '$CORDON' --write '$W' -- sh -c 'umask; touch f; mkdir d; stat -c %a f d'"
	assert_output_is "0027
640
750"
}

@test "N-16: HOME unset, relative, /, or not there" {
	run env -u HOME "$CORDON" --write "$W" -- sh -c 'echo "${HOME-unset}"'
	assert_status 0
	assert_output_is unset
	local home
	for home in relative / /none/at/all ''; do
		HOME=$home run "$CORDON" --write "$W" -- true
		assert_status 0
	done
	HOME=/none/at/all run "$CORDON" --write "$W" -- sh -c 'touch ~/x && echo made'
	assert_output_is made
	assert_absent /none
}

@test "stdin closed, and at its end" {
	run sh -c "'$CORDON' --cwd / -- sh -c 'echo started' <&-"
	assert_output_is started
	run "$CORDON" --cwd / -- cat </dev/null
	assert_status 0
}

@test "the current directory is gone" {
	mkdir gone
	cd gone
	rmdir "$W/gone"
	run "$CORDON" --read "$W" -- true
	assert_refused bad_cwd
	assert_output_has "mend: --cwd"
	works "$CORDON" --cwd /tmp -- pwd
	run "$CORDON" --read . -- true
	assert_status 125
}

@test "/dev/fd, /dev/stdin and process substitution" {
	echo text >f
	works box -- bash -c 'cat <(cat f) /dev/stdin </dev/null; echo x | cat /dev/stdin
		exec 3<f; cat /dev/fd/3; cat /proc/self/fd/3 3<f'
	assert_output_is "text
x
text
text"
	run bash -c "'$CORDON' --keep-fd 63 --cwd / -- cat /dev/fd/63 63< <(echo given)"
	assert_output_is given
}

@test "nohup: SIGHUP that is ignored stays ignored" {
	run nohup "$CORDON" --cwd / -- sh -c 'kill -HUP $$; echo alive'
	assert_output_has alive
}

@test "SIGPIPE and the signal mask are the caller's" {
	run bash -c "'$CORDON' --cwd / -- yes | head -n1; echo \${PIPESTATUS[0]}"
	assert_output_is "y
141"
	works box -- sh -c 'grep -E "^Sig(Blk|Ign)" /proc/self/status'
	assert_output_is "$(sh -c 'grep -E "^Sig(Blk|Ign)" /proc/self/status')"
	run sh -c "trap '' PIPE; '$CORDON' --cwd / -- sh -c 'kill -PIPE \$\$; echo alive'"
	assert_output_is alive
}

@test "64 KB and more on both streams without dead-lock" {
	run timeout 20 sh -c "'$CORDON' --cwd / -- sh -c \
		'head -c 1000000 /dev/zero >&2 & head -c 1000000 /dev/zero; wait' 2>&1 | wc -c"
	assert_output_is 2000000
}

@test "setgid directories keep their group for new files" {
	local group
	group=$(id -g)
	mkdir d
	chmod 2775 d
	works box -- sh -c 'touch d/f; mkdir d/s; stat -c %a d d/s'
	assert_output_is "2775
2755"
	[ "$(stat -c %g d/f)" = "$group" ]
	[ -g d/s ]
}

@test "core dumps are off, and no set limit is needed" {
	run box -- sh -c 'ulimit -c'
	[[ $output = 0 || $output = 1 ]]
}

@test "ulimit is inherited and can be set" {
	run sh -c "ulimit -s 4096; '$CORDON' --cwd / -- sh -c 'ulimit -s; ulimit -s 1024; ulimit -s'"
	assert_output_is "4096
1024"
}

@test "nice value, time zone and locale" {
	run nice -n 5 "$CORDON" --cwd / -- nice
	assert_output_is 5
	works "$CORDON" --cwd / -- date +%Z
	assert_output_is "$(date +%Z)"
}

@test "stdout to a file and to a pipe, appended and shared" {
	works sh -c "'$CORDON' --cwd / -- echo one >f; '$CORDON' --cwd / -- echo two >>f"
	assert_content f "one
two"
	run sh -c "'$CORDON' --cwd / -- echo piped | cat"
	assert_output_is piped
}

@test "a file that is run from its own text (exec 3<, /dev/fd)" {
	works box -- bash -c 'sh /dev/fd/3 3<<<"echo from here"'
	assert_output_is "from here"
}

@test "sockets and FIFOs of one's own work in a write root" {
	works box -- sh -c "mkfifo p; cat p & echo through >p; wait
		'$HELPERS/listener' unix own >o & until [ -s o ]; do sleep 0.01; done
		'$HELPERS/probe' unix own"
	assert_output_is "through
ok"
}

@test "hard links and locks work" {
	works box -- sh -c 'touch a && ln a b && stat -c %h a'
	assert_output_is 2
	command -v flock >/dev/null || return 0
	works box -- flock a echo locked
	assert_output_is locked
}

@test "case 90: hundreds of orphans are reaped" {
	run timeout 60 "$CORDON" --cwd / -- sh -c 'i=0; while [ $i -lt 300 ]; do
		(true &) ; i=$((i+1)); done; sleep 0.2
		grep -l "^State:.Z" /proc/[0-9]*/status 2>/dev/null | wc -l'
	assert_output_is 0
}

@test "case 27: the current directory on a read-only root" {
	works "$CORDON" --read "$W" -- pwd
	assert_output_is "$W"
}
