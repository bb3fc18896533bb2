# Loaded by the bats files that run sandboxes. Beyond common: $W, an empty
# directory that is also the current one, a home and a temp of the test's own,
# a PATH without the developer's tools, and processes that end with the test.
# shellcheck shell=bash

load "$BATS_TEST_DIRNAME/../suite/common"

setup() {
	scratch_make
	W=$SCRATCH/w
	HOME=$SCRATCH/home
	PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
	STARTED=()
	export W HOME PATH
	unset TMPDIR XDG_RUNTIME_DIR
	mkdir "$W" "$HOME"
	show_helpers
	cd "$W" || return
}

# Root's tests also act as somebody else, whom the checkout may be closed to.
show_helpers() {
	if is_root && ! setpriv --reuid 1001 --clear-groups \
		test -x "$HELPERS/probe"; then
		cp -r "$HELPERS" "$SCRATCH/helpers"
		HELPERS=$SCRATCH/helpers
	fi
}

teardown() {
	end_started
	cd /
	scratch_remove
}

# The work directory writable, the helpers visible.
box() {
	"$CORDON" --write "$W" --read "$HELPERS" "$@"
}

is_root() {
	[ "$(id -u)" -eq 0 ]
}

# nested RULE... -- COMMAND: with --nested, the work directory writable. The
# kernel lets nobody without CAP_SETFCAP map uid 0 of the namespace above, so a
# root caller takes another identity.
nested() {
	local who=()
	if is_root; then
		who=(--uid 1001)
		chmod -R a+rwX "$SCRATCH"
		chown -R 1001 "$W"
	fi
	"$CORDON" --nested "${who[@]}" "$@"
}

# probe WHAT [ARG...]: one attempt, outside; `inside' and the options of a
# sandbox in front for the same inside.
probe() {
	"$HELPERS/probe" "$@"
}

# start NAME COMMAND...: in the background, until the test ends; $! is its pid,
# and the first line it says is awaited in $SCRATCH/NAME.out.
start() {
	local name=$1
	shift
	rm -f "$SCRATCH/$name.out" # of an earlier one by that name
	"$@" >"$SCRATCH/$name.out" 2>"$SCRATCH/$name.err" 3>&- </dev/null &
	STARTED+=($!)
	await test -s "$SCRATCH/$name.out"
}

end_started() {
	local pid
	for pid in "${STARTED[@]}"; do
		kill -KILL "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	done
	STARTED=()
}

# await COMMAND...: until it succeeds, five seconds at most.
await() {
	local tries
	for ((tries = 0; tries < 250; tries++)); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.02
	done
	echo "waited in vain for: $*"
	return 1
}

# works COMMAND... and fails COMMAND...: a control and what it is a control for.
works() {
	run "$@"
	[ "$status" -eq 0 ] && return
	echo "expected to work: $*"
	show_run
	return 1
}

fails() {
	run "$@"
	[ "$status" -ne 0 ] && return
	echo "expected to fail: $*"
	show_run
	return 1
}

# Refused: nothing ran, with this reason among others.
assert_refused() {
	assert_status 125 && assert_output_has "($1)"
}

# A file holds exactly this.
assert_content() {
	[ "$(cat -- "$1")" = "$2" ] && return
	echo "expected in $1: $2"
	cat -- "$1"
	return 1
}
