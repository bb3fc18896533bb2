# Sourced by the client scripts: a directory of the script's own with bwrap in
# $work/bin (a copy: clients look behind links), its words, and skips that are loud.
# shellcheck shell=bash
set -u

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
: "${CORDON:=$top/cordon}"
export LC_ALL=C.UTF-8
failed=0

say() {
	printf '== %s\n' "$*"
}

# Exit status 77; 1 where everything is meant to be installed.
skip() {
	say "SKIPPED: $*" >&2
	[ "${MUST_WORK:-0}" = 1 ] && exit 1
	exit 77
}

need() {
	local program
	for program in "$@"; do
		command -v "$program" >/dev/null || skip "not found: $program"
	done
}

# A home below it too: some clients refuse one in /tmp.
make_work() {
	[ -x "$CORDON" ] || skip "not built: $CORDON"
	work=$(mktemp -d "${CLIENT_DIR:-/var/tmp}/cordon-client.XXXXXX") || exit 1
	trap 'rm -rf --one-file-system "$work"' EXIT
	mkdir "$work/bin" "$work/home" "$work/project"
	cp "$CORDON" "$work/bin/bwrap"
	export HOME=$work/home PATH=$work/bin:$PATH
	cd "$work" || exit 1
}

# npm_install PACKAGE: into the work directory.
npm_install() {
	need node npm
	npm install --no-audit --no-fund --prefix "$work" "$1" >npm.log 2>&1 || {
		cat npm.log >&2
		skip "npm cannot fetch $1"
	}
}

# expect NAME STATUS PATTERN COMMAND...
expect() {
	local name=$1 status=$2 pattern=$3 out got=0
	shift 3
	out=$("$@" 2>&1 </dev/null) || got=$?
	if [ "$got" -eq "$status" ] && grep -q -- "$pattern" <<<"$out"; then
		say "ok: $name"
		return
	fi
	say "FAILED: $name: status $got, expected $status and '$pattern'"
	printf '%s\n' "$out"
	failed=1
}

# Was it our bwrap that the client ran? The trace is of strace -f.
ran_ours() {
	grep -q "execve(\"$work/bin/bwrap\"" "$1" && return
	say "FAILED: the client did not run $work/bin/bwrap"
	failed=1
}

finish() {
	[ "$failed" -eq 0 ] && say "passed"
	exit "$failed"
}
