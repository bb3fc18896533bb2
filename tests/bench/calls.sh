#!/usr/bin/env bash
# What the wall costs while a command runs: system calls under the filter, and
# the memory of supervisor and init.
set -eu
cordon=$CORDON
loop='$n = getppid() for 1 .. 1_000_000'

# Having a filter at all costs something, whatever is in it: that is the kernel's.
one=$(mktemp "${TMPDIR:-/tmp}/cordon-bench.XXXXXX")
trap 'rm -f "$one"' EXIT
echo '{ "defaultAction": "SCMP_ACT_ALLOW" }' >"$one"

box=("$cordon" --read / --cwd /)
{ read -r bare; read -r none; read -r least; read -r ours; } < <(
	"$HELPERS/pairs" 21 :: perl -e 1 \
		:: "${box[@]}" --seccomp none -- perl -e "$loop" \
		:: "${box[@]}" --seccomp "$one" -- perl -e "$loop" \
		:: "${box[@]}" -- perl -e "$loop"
)
ratio() {
	awk -v name="$1" -v ours="$2" -v theirs="$3" -v bare="$bare" 'BEGIN {
		printf "%-34s %5.3f x%s\n", name,
			(ours - bare) / (theirs - bare),
			name ~ /ours/ ? "  (goal 1.03)" : "" }'
}
ratio "1e6 calls, the least filter, none" "$least" "$none"
ratio "1e6 calls, ours, the least filter" "$ours" "$least"

# pss PID: its proportional memory in KiB and its first child's, which both
# programs have as process 1 of the new namespace. The child is another's to read.
pss() {
	cat "/proc/$1/smaps_rollup" \
		"/proc/$(pgrep -P "$1" | head -n 1)/smaps_rollup" |
		awk '/^Pss:/ { sum += $2 } END { print sum }'
}

# held COMMAND...: what runs it, in KiB.
held() {
	"$@" -- sleep 30 &
	sleep 0.5
	pss $!
	kill $!
	wait $! || true
}

if [ "$(id -u)" -ne 0 ] || ! command -v bwrap >/dev/null; then
	echo "supervisor and init, PSS             not measured: needs root and bwrap"
	exit
fi
ours=$(held "${box[@]}")
theirs=$(held bwrap --unshare-all --ro-bind / / --proc /proc)
awk -v ours="$ours" -v theirs="$theirs" 'BEGIN {
	printf "%-34s %5.3f x  (goal 0.5; %d KiB)\n", "supervisor and init, PSS",
		ours / theirs, ours }'
