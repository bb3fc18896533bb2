# Loaded by the terminal*.bats files: a person at an interactive shell, see the
# steps in tests/helpers/ptyjob.py.
# shellcheck shell=bash

load common

setup() {
	require /usr/bin/python3
	scratch_make
	cd "$SCRATCH" || return
	script box <<-EOF
		exec "$CORDON" run --write "$SCRATCH" --cwd "$SCRATCH" -- "\$@"
	EOF
	script sleeper <<-'EOF'
		echo READY
		exec sleep 1000
	EOF
	# In one process: a shell that is stopped while it waits for its vfork does
	# not stop.
	script ticker <<-'EOF'
		exec /usr/bin/python3 -c 'import time
		while True:
		    print("tick", flush=True)
		    time.sleep(0.1)'
	EOF
}

# script NAME: a shell script of that name in the scratch directory, from stdin.
# What is typed is echoed, so what a step waits for is printed by scripts.
script() {
	{ echo '#!/bin/sh'; cat; } >"$SCRATCH/$1"
	chmod 755 "$SCRATCH/$1"
}

# play PROGRAM...: the steps on stdin, with a terminal.
play() {
	cat >"$SCRATCH/steps"
	run /usr/bin/python3 "$TOP_SRCDIR/tests/helpers/ptyjob.py" \
		"$SCRATCH/steps" "$@"
	assert_status 0
}

# The same with an interactive bash to type to.
play_bash() {
	{ echo 'expect OUT> $'; cat; } | play bash --norc --noprofile -i
}
