#!/usr/bin/env bats
# `cordon explain` agrees with the kernel: every path of generated trees, in
# both directions, and so do the words that it offers. The seeds are fixed and printed; SEED=N tries another.

load box

agrees() { # SEED
	mkdir "t$1"
	works /usr/bin/python3 "$TOP_SRCDIR/tests/helpers/explained.py" \
		"$CORDON" "$W/t$1" "$1"
	assert_output_has "seed $1"
}

@test "explain: what it says of 500 paths under 50 rules is what happens" {
	agrees "${SEED:-1}"
}

@test "explain: and of another tree" {
	agrees 2
}

@test "explain: and where a link to what is shown is not" {
	agrees 9
}

@test "explain: and where a mount in an overlay has a second name outside it" {
	agrees 14
}
