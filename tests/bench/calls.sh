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

# pss PID: proportional memory in KiB.
pss() { awk '/^Pss:/ { print $2 }' "/proc/$1/smaps_rollup"; }

"$cordon" --read / --cwd / -- sleep 30 &
supervisor=$!
sleep 0.5
init=$(pgrep -P $supervisor | head -n 1)
ours=$(($(pss $supervisor) + $([ "$(id -u)" = 0 ] && pss "$init" || echo 0)))
kill $supervisor
wait $supervisor || true
echo "supervisor and init, PSS             $ours KiB"
