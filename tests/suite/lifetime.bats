#!/usr/bin/env bats
# Everything dies together (P6) and nothing is left behind (P5): processes.

# shellcheck disable=SC2016,SC2030,SC2031
load common

setup() {
	require /usr/bin/python3
	scratch_make
	cd "$SCRATCH" || return
	# what this test's own processes are known by, also after setsid
	MARK=$((1000000 + BASHPID))
}

teardown() {
	pkill -KILL -xf "sleep $MARK" || true
	cd /
	scratch_remove
}

box() {
	"$CORDON" run --write "$SCRATCH" --cwd "$SCRATCH" "$@"
}

marked() {
	pgrep -xf "sleep $MARK" >/dev/null
}

# until_true COMMAND...: succeeds, within a second: that is the promise.
until_true() {
	local tries=0
	while ! "$@"; do
		tries=$((tries + 1))
		if [ $tries -gt 50 ]; then
			echo "not within a second: $*"
			return 1
		fi
		sleep 0.02
	done
}

is_gone() {
	run pgrep -xf "sleep $MARK"
	[ "$status" -eq 1 ]
}

nothing_is_left() {
	run pgrep -xf "sleep $MARK"
	[ "$status" -eq 1 ] && return
	ps -o pid,ppid,pgid,sid,stat,args -p "${output//$'\n'/,}"
	return 1
}

# Processes of the session whose leader was $1. Not the dead, which wait for the
# host's process 1; some reap once a second.
session_is_empty() {
	[ -z "$(pgrep -s "$1" -r D,R,S,T,t)" ]
}

# The launcher leads a session of its own, so that every process of the run is
# found by it at any moment.
start_in_session() {
	setsid "$CORDON" run --write "$SCRATCH" --cwd "$SCRATCH" "$@" \
		>/dev/null 2>&1 </dev/null 3>&- &
}

@test "L-64 I-43 P6: background children end with the command (S04)" {
	run box -- sh -c "setsid sleep $MARK & sleep $MARK & exit 4"
	assert_status 4
	nothing_is_left
	# control: without the wall they stay
	sh -c "setsid sleep $MARK >/dev/null 2>&1 3>&- & exit 4" || true
	marked
}

@test "L-65 P6: double fork and every signal ignored (S04)" {
	cat >daemon.py <<-'EOF'
		import os, signal, sys
		if os.fork():
		    os.wait()
		    sys.exit(0)
		os.setsid()
		if os.fork():
		    os._exit(0)
		for number in range(1, 65):
		    try:
		        signal.signal(number, signal.SIG_IGN)
		    except (OSError, ValueError):
		        pass
		signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
		os.closerange(0, 10)
		os.execvp('sleep', ['sleep', sys.argv[1]])
	EOF
	run box -- /usr/bin/python3 daemon.py "$MARK"
	assert_status 0
	nothing_is_left
	# control
	/usr/bin/python3 daemon.py "$MARK" 3>&-
	until_true marked
}

@test "I-43 P6: the caller's pipe is closed when the launcher returns" {
	run timeout 5 sh -c '"$0" run --cwd / -- sh -c "sleep '"$MARK"' & echo out" | cat' \
		"$CORDON"
	assert_status 0
	assert_output_is out
	# control
	run timeout 1 sh -c 'sh -c "sleep '"$MARK"' & echo out" | cat'
	assert_status 124
}

@test "S05: 10,000 orphans are reaped" {
	require cc
	# sharing memory: forking a hundred times as fast as fork
	cc -O1 -static -D_GNU_SOURCE -o orphans -x c - <<-'EOF'
		#include <sched.h>
		#include <signal.h>
		#include <sys/wait.h>
		#include <unistd.h>
		enum { SIZE = 4096, LEAVES = 256 };
		static char middle[4 * SIZE], leaves[LEAVES][SIZE];
		static int end(void *unused)
		{
			(void)unused;
			_exit(0);
		}
		static int leave(void *stack)
		{
			_exit(clone(end, stack, CLONE_VM | SIGCHLD, 0) < 0);
		}
		int main(void)
		{
			for (int i = 0; i < 10000; i++) {
				int status = -1;
				pid_t pid = clone(leave, middle + sizeof(middle),
					CLONE_VM | CLONE_VFORK | SIGCHLD,
					leaves[i % LEAVES] + SIZE);
				if (waitpid(pid, &status, 0) < 0 || status != 0)
					return 1;
			}
			return 0;
		}
	EOF
	run box -- sh -c '
		./orphans || exit
		for i in 1 2 3 4 5 6 7 8 9 10; do
			zombies=$(ps -eo stat= | grep -c Z)
			[ "$zombies" -gt 0 ] || break
			sleep 0.1
		done
		echo "zombies $zombies"'
	assert_status 0
	assert_output_is "zombies 0"
}

@test "P6: SIGKILL of the launcher while the command runs (S02, A30)" {
	start_in_session -- sh -c "setsid sleep $MARK & sleep $MARK"
	until_true marked
	kill -KILL $!
	wait $! || true
	until_true is_gone
	until_true session_is_empty $!
}

@test "P5: SIGKILL of the launcher at twenty moments leaves no process" {
	local delay alive=0
	for delay in 0 0.0005 0.001 0.0015 0.002 0.0025 0.003 0.0035 0.004 0.005 \
		0.006 0.007 0.008 0.009 0.01 0.012 0.015 0.02 0.03 0.05; do
		start_in_session -- sh -c "setsid sleep $MARK & exec sleep $MARK"
		sleep "$delay"
		marked && alive=$((alive + 1))
		kill -KILL $!
		wait $! || true
		until_true session_is_empty $!
		until_true is_gone
	done
	# control: some of the moments were after the start
	[ $alive -gt 0 ]
}

@test "P5: SIGKILL of the launcher's whole process group" {
	start_in_session -- sh -c "setsid sleep $MARK & exec sleep $MARK"
	until_true marked
	kill -KILL -- -$!
	wait $! || true
	until_true session_is_empty $!
	nothing_is_left
}

@test "P6: the launcher ends by itself when init is killed" {
	start_in_session --status-fd 4 -- sleep "$MARK" 4>status
	until_true marked
	local init got=0
	init=$(sed -n 's/.*"event":"ready".*"pid":\([0-9]*\).*/\1/p' status)
	kill -KILL "$init"
	wait $! || got=$?
	[ "$got" -eq 125 ]
	nothing_is_left
	grep -q '"cause":"lost"' status
}

@test "S07: a fork bomb ends with the command" {
	# each forks as fast as it can, and only the kill ends it
	cat >bomb.py <<-'EOF'
		import os, time
		for i in range(20):
		    if os.fork() == 0:
		        while True:
		            if os.fork():
		                os._exit(0)
		time.sleep(0.3)
		print('END', flush=True)
	EOF
	run timeout 20 "$CORDON" run --write "$SCRATCH" --cwd "$SCRATCH" -- \
		/usr/bin/python3 bomb.py
	assert_status 0
	assert_output_is END
	[ -z "$(pgrep -xf "/usr/bin/python3 bomb.py")" ]
}

@test "P6: many launchers killed at once" {
	local pids=() pid
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		start_in_session -- sh -c "sleep $MARK & exec sleep $MARK"
		pids+=($!)
	done
	sleep 0.1
	kill -KILL "${pids[@]}"
	for pid in "${pids[@]}"; do
		wait "$pid" || true
		until_true session_is_empty "$pid"
	done
	until_true is_gone
}

@test "P7: nothing of the host in process 1" {
	run env CANARY=canary-value "$CORDON" run --write "$SCRATCH" \
		--cwd "$SCRATCH" --env OPTION=canary-option -- sh -c '
		tr "\0" " " </proc/1/cmdline
		cat /proc/1/comm
		cat /proc/1/environ 2>&1; true'
	assert_status 0
	assert_output_has cordon-init
	assert_output_has "Permission denied"
	assert_output_lacks "$SCRATCH"
	assert_output_lacks "$CORDON"
	assert_output_lacks canary
	# control: the launcher's own, seen from outside
	start_in_session --env OPTION=canary-option -- sleep "$MARK"
	until_true marked
	tr '\0' ' ' <"/proc/$!/cmdline" | grep canary-option
	kill -TERM $!
	wait $! || true
}

@test "P7: the command's argument list is gone from process 1 at its first act" {
	local tries
	for tries in 1 2 3 4 5 6 7 8 9 10; do
		run box --env OPTION=canary-option -- cat /proc/1/cmdline
		assert_status 0
		assert_output_lacks canary
		assert_output_lacks "$SCRATCH"
	done
}
