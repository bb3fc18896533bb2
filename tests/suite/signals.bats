#!/usr/bin/env bats
# Signals: sent to the launcher they reach the command, once; what the caller
# ignored or blocked is so inside (P7).

# shellcheck disable=SC2016,SC2030,SC2031
bats_require_minimum_version 1.5.0
load common

setup() {
	require /usr/bin/python3
	scratch_make
	cd "$SCRATCH" || return
}

teardown() {
	if [ -n "${STARTED:-}" ]; then
		kill -KILL "$STARTED" 2>/dev/null || true
		wait "$STARTED" 2>/dev/null || true
	fi
	cd /
	scratch_remove
}

box() {
	"$CORDON" run --write "$SCRATCH" --cwd "$SCRATCH" "$@"
}

# Starts the launcher in the background as $STARTED, its output in ./out. bash
# gives background processes ignored SIGINT and SIGQUIT, which would stay so; and
# what the last one said must be gone before, or the signal comes too early.
start_box() {
	: >out
	env --default-signal=INT,QUIT "$CORDON" run --write "$SCRATCH" \
		--cwd "$SCRATCH" "$@" >out 2>&1 </dev/null 3>&- &
	STARTED=$!
}

# until COMMAND...: succeeds, within five seconds.
until_true() {
	local tries=0
	while ! "$@"; do
		tries=$((tries + 1))
		if [ $tries -gt 100 ]; then
			echo "never: $*"
			return 1
		fi
		sleep 0.05
	done
}

out_has() {
	grep -q -- "$1" out
}

state_is() {
	[[ $(awk '/^State:/ { print $2 }' "/proc/$1/status" 2>/dev/null) == [$2] ]]
}

ended_with() {
	local got=0
	wait "$STARTED" || got=$?
	STARTED=
	[ "$got" -eq "$1" ] && return
	echo "expected $1, ended with $got"
	cat out
	return 1
}

# Says each signal it gets with the time, until USR2.
write_counter() {
	cat >counter.py <<-'EOF'
		import signal, sys, time
		def got(number, frame):
		    print('GOT', signal.Signals(number).name, flush=True)
		    if number == signal.SIGUSR2:
		        sys.exit(9)
		for name in ('INT', 'TERM', 'HUP', 'QUIT', 'USR1', 'USR2', 'ALRM',
		             'WINCH', 'CONT'):
		    signal.signal(getattr(signal, 'SIG' + name), got)
		print('READY', flush=True)
		while True:
		    time.sleep(1)
	EOF
}

@test "N-21 S03: each signal is passed on, once" {
	local name
	write_counter
	start_box -- /usr/bin/python3 counter.py
	until_true out_has READY
	for name in INT TERM HUP QUIT USR1 ALRM WINCH CONT; do
		kill "-$name" "$STARTED"
		until_true out_has "GOT SIG$name"
	done
	kill -USR2 "$STARTED"
	ended_with 9
	[ "$(grep -c GOT out)" -eq 9 ]
}

@test "S03: a signal that kills the command is the exit code" {
	local pair
	for pair in INT:130 TERM:143 HUP:129 QUIT:131 USR1:138 ALRM:142; do
		start_box -- sh -c 'echo READY; exec sleep 1000'
		until_true out_has READY
		kill "-${pair%:*}" "$STARTED"
		ended_with "${pair#*:}"
	done
}

@test "S03: TSTP and CONT without a terminal" {
	start_box -- sh -c 'echo READY; exec sleep 1000'
	until_true out_has READY
	# an orphaned process group does not stop, whatever the program
	env --default-signal=TSTP sleep 1000 3>&- &
	kill -TSTP $!
	if ! until_true state_is $! Tt; then
		kill -KILL $!
		skip "no shell looks after this process group"
	fi
	kill -KILL $!
	kill -TSTP "$STARTED"
	until_true state_is "$STARTED" Tt
	kill -CONT "$STARTED"
	until_true state_is "$STARTED" SR
	kill -TERM "$STARTED"
	ended_with 143
}

@test "T07: a signal at any moment of the start leaves no half a sandbox" {
	local delay got
	for delay in 0 0 0.001 0.002 0.003 0.004 0.005 0.007 0.01 0.02 0.03; do
		rm -f started
		start_box -- sh -c ': >started; exec sleep 1000'
		sleep "$delay"
		kill -TERM "$STARTED" 2>/dev/null || true
		got=0
		wait "$STARTED" || got=$?
		[ "$got" -eq 143 ]
	done
	STARTED=
}

@test "S01: kill -9 -1 inside ends the command, not the launcher" {
	run box -- sh -c 'sleep 1000 & kill -9 -1; echo ALONE'
	assert_status 0
	assert_output_is ALONE
}

@test "P7: kill 0 inside stays inside" {
	run env --default-signal=INT setsid -w sh -c '
		trap "echo HIT" TERM
		"$0" run --cwd / -- sh -c "kill 0; sleep 1000"
		echo NEXT $?' "$CORDON"
	assert_status 0
	assert_output_is "NEXT 143"
	# control
	run setsid -w sh -c '
		trap "echo HIT" TERM
		sh -c "kill 0; sleep 1000"
		echo NEXT $?'
	assert_output_has HIT
}

@test "P7: renice of the process group stays inside" {
	renice -n 1 -p $$ >/dev/null
	run setsid -w sh -c '
		"$0" run --cwd / -- sh -c "renice -n 5 -g 0"
		ps -o ni= -p $$' "$CORDON"
	[ "${lines[-1]// /}" -eq 1 ]
	# control
	run setsid -w sh -c '
		renice -n 5 -g 0
		ps -o ni= -p $$'
	[ "${lines[-1]// /}" -ne 1 ]
}


@test "2k: ignored and blocked signals reach the command unchanged" {
	local kind outside inside
	for kind in --ignore-signal=PIPE --ignore-signal=HUP --block-signal=USR1 \
		--ignore-signal=INT,QUIT --default-signal; do
		outside=$(env "$kind" grep -E '^Sig(Blk|Ign):' /proc/self/status)
		inside=$(env "$kind" "$CORDON" run --cwd / -- \
			grep -E '^Sig(Blk|Ign):' /proc/self/status)
		[ "$outside" = "$inside" ] || {
			printf '%s: outside\n%s\ninside\n%s\n' "$kind" \
				"$outside" "$inside"
			return 1
		}
	done
	# control: the comparison sees a difference
	[ "$outside" != "$(env --ignore-signal=PIPE \
		grep -E '^Sig(Blk|Ign):' /proc/self/status)" ]
}

@test "2k: SIGPIPE ends a command whose reader is gone" {
	box -- yes | head -n 1 >/dev/null
	[ "${PIPESTATUS[0]}" -eq 141 ]
}

@test "2k: a caller that ignores SIGCHLD gets the exit code" {
	run env --ignore-signal=CHLD "$CORDON" run --cwd / -- sh -c 'exit 7'
	assert_status 7
}

@test "2k: nohup" {
	nohup "$CORDON" run --write "$SCRATCH" --cwd "$SCRATCH" -- \
		sh -c 'echo READY; sleep 0.5; echo STAYED' >out 2>&1 3>&- &
	STARTED=$!
	until_true out_has READY
	kill -HUP "$STARTED"
	ended_with 0
	out_has STAYED
	# control: without nohup it ends
	start_box -- sh -c 'echo READY; sleep 0.5; echo STAYED'
	until_true out_has READY
	kill -HUP "$STARTED"
	ended_with 129
}

@test "2k: closed standard descriptors are closed inside" {
	local number
	for number in 0 1 2; do
		run sh -c 'exec "$0" run --cwd / -- test -e "/proc/self/fd/$1" '"$number>&-" \
			"$CORDON" "$number"
		assert_status 1
		# control
		run sh -c 'exec "$0" run --cwd / -- test -e "/proc/self/fd/$1"' \
			"$CORDON" "$number"
		assert_status 0
	done
}

@test "2k: much output on both streams" {
	run sh -c '"$0" run --cwd / -- sh -c "seq 1 20000; seq 1 20000 >&2" 2>&1 | wc -l' \
		"$CORDON"
	assert_output_is 40000
}

@test "exit codes are the command's own" {
	local code
	for code in 0 1 3 7 44 123 124 125 126 127 255; do
		run -"$code" box -- sh -c "exit $code"
	done
	run box -- sh -c 'kill -KILL $$'
	assert_status 137
	run box -- sh -c 'kill -TERM $$'
	assert_status 143
	run box -- sh -c 'kill -SEGV $$'
	assert_status 139
}

@test "L-61 I-40 timeout: TERM first, and the command may end by itself" {
	run box --timeout 300ms -- sh -c 'trap "echo TERM; exit 0" TERM; sleep 5 & wait'
	assert_status 124
	assert_output_is TERM
	# control: within the time
	run box --timeout 5s -- sh -c 'exit 6'
	assert_status 6
}

@test "L-61 timeout: KILL for what ignores TERM, everything at once" {
	cat >stubborn.py <<-'EOF'
		import os, signal, time
		for number in range(1, 32):
		    try:
		        signal.signal(number, signal.SIG_IGN)
		    except OSError:
		        pass
		os.fork()
		time.sleep(1000)
	EOF
	run box --timeout 200ms -- /usr/bin/python3 stubborn.py
	assert_status 124
	[ -z "$(pgrep -f "$SCRATCH.*stubborn.py")" ]
}

@test "S08: timeout of a stopped command" {
	run box --timeout 300ms -- sh -c 'kill -STOP $$; echo CONTINUED'
	assert_status 124
}

@test "S09: timeout while the launcher is stopped" {
	start_box --timeout 500ms -- sh -c 'echo READY; while :; do echo TICK; sleep 0.1; done'
	until_true out_has READY
	kill -STOP "$STARTED"
	sleep 1
	local before after
	before=$(grep -c TICK out)
	sleep 0.5
	after=$(grep -c TICK out)
	kill -CONT "$STARTED"
	ended_with 124
	[ "$before" -eq "$after" ]
}
