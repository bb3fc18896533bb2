#!/usr/bin/env bash
# Runs one bats file for `make check': TAP on stdout, no stdin, and an end to
# everything it started when it takes too long.
set -u

# LeakSanitizer stops the world with ptrace, which a sandbox forbids.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

if ! command -v bats >/dev/null; then
	echo "1..0 # SKIP bats is not installed"
	exit 0
fi
exec timeout --kill-after=10 "${CORDON_TEST_TIMEOUT:-300}" \
	bats --tap "$@" </dev/null
