# Loaded by every bats file (`load common', or `load ../suite/common').
#
# Gives: $CORDON and $HELPERS (absolute), $SCRATCH (this test's own directory,
# which any user may enter), `require', and assertions that say what they saw.
# shellcheck shell=bash

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
: "${TOP_SRCDIR:=$top}" "${TOP_BUILDDIR:=$top}"
: "${CORDON:=$TOP_BUILDDIR/cordon}" "${HELPERS:=$TOP_BUILDDIR/tests/helpers}"
export CORDON HELPERS TOP_SRCDIR TOP_BUILDDIR
unset top

# A skip is loud, and no skip at all where everything is meant to be installed.
skip_or_fail() {
	if [ "${MUST_WORK:-0}" = 1 ]; then
		echo "would skip, but MUST_WORK=1: $*"
		return 1
	fi
	skip "$*"
}

# require PROGRAM...: this test needs all of them in PATH (or executable at the
# given path).
require() {
	local program missing=()
	for program in "$@"; do
		command -v -- "$program" >/dev/null || missing+=("$program")
	done
	[ ${#missing[@]} -eq 0 ] || skip_or_fail "not found: ${missing[*]}"
}

require_root() {
	[ "$(id -u)" -eq 0 ] || skip "only for root"
}

require_user() {
	[ "$(id -u)" -ne 0 ] || skip "only for an ordinary user"
}

# bats' own temporary directory belongs to the caller alone; tests that drop to
# another user need one which that user can pass through.
scratch_make() {
	SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/cordon-test.XXXXXX")
	chmod 755 "$SCRATCH"
	export SCRATCH
}

# Stays on the file system of the scratch directory: a mount that a broken
# sandbox left behind must not lead rm out of it.
scratch_remove() {
	[ -n "${SCRATCH:-}" ] || return 0
	chmod -R u+rwX -- "$SCRATCH" 2>/dev/null || true
	rm -rf --one-file-system -- "$SCRATCH"
}

# For files that need no more; others call these two from their own.
setup() {
	scratch_make
}

teardown() {
	scratch_remove
}

show_run() {
	printf 'status: %s\noutput:\n%s\n' "${status-}" "${output-}"
	[ -z "${stderr-}" ] || printf 'stderr:\n%s\n' "$stderr"
}

# The assertions look at what bats' `run' left in $status and $output.
assert_status() {
	[ "$status" -eq "$1" ] && return
	echo "expected status $1"
	show_run
	return 1
}

assert_output_has() {
	[[ $output == *"$1"* ]] && return
	echo "expected in the output: $1"
	show_run
	return 1
}

assert_output_lacks() {
	[[ $output != *"$1"* ]] && return
	echo "expected nowhere in the output: $1"
	show_run
	return 1
}

assert_output_is() {
	[ "$output" = "$1" ] && return
	echo "expected as the whole output: $1"
	show_run
	return 1
}

# assert_absent PATH...: nothing there, not even a dangling link.
assert_absent() {
	local path
	for path in "$@"; do
		if [ -e "$path" ] || [ -L "$path" ]; then
			echo "expected not to exist: $path"
			ls -ld -- "$path"
			return 1
		fi
	done
}
