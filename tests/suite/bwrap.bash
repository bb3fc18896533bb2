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
