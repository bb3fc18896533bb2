# Loaded by the bats files of bubblewrap's command line. Beyond box: $BWRAP, which
# is cordon by that name, and bw, which shows the host read-only with a temp of
# its own and the work directory writable.
# shellcheck shell=bash

load "$BATS_TEST_DIRNAME/../suite/box"

# box's own setup, by another name: there is one of each name.
eval "box_$(declare -f setup)"

setup() {
	box_setup
	BWRAP=$SCRATCH/bin/bwrap
	mkdir "$SCRATCH/bin"
	ln -s "$CORDON" "$BWRAP"
}

RO=(--ro-bind / / --dev /dev --proc /proc)

bw() {
	"$BWRAP" "${RO[@]}" --bind "$W" "$W" "$@"
}

# says TEXT WORD...: bwrap with these words ends with 1 and this one line.
says() {
	local text=$1
	shift
	run "$BWRAP" "$@"
	assert_status 1
	assert_output_is "bwrap: $text"
}

# child_pid FILE: awaits what --info-fd or --json-status-fd write there, and says
# which process it is.
child_pid() {
	await grep -q '}' "$1"
	CHILD=$(sed -n 's/.*"child-pid": \([0-9]*\).*/\1/p' "$1")
}

# A program of seccomp's: each pair CALL:ERRNO fails with that, all else is allowed.
program() {
	/usr/bin/python3 - "$@" <<-'EOF'
		import struct, sys
		def step(code, yes, no, k):
		    sys.stdout.buffer.write(struct.pack("=HBBI", code, yes, no, k))
		step(0x20, 0, 0, 0)
		for pair in sys.argv[1:]:
		    call, errno = map(int, pair.split(":"))
		    step(0x15, 0, 1, call)
		    step(0x06, 0, 0, 0x50000 | errno)
		step(0x06, 0, 0, 0x7fff0000)
	EOF
}
