#!/usr/bin/env bash
# What the wall costs while a command runs: system calls under the filter, and
# the memory of supervisor and init.
set -eu
cordon=$CORDON
loop='$n = getppid() for 1 .. 1_000_000'

{ read -r bare; read -r open; read -r shut; } < <("$HELPERS/pairs" 5 :: \
	perl -e 1 :: "$cordon" --read / --cwd / --seccomp none -- perl -e "$loop" \
	:: "$cordon" --read / --cwd / -- perl -e "$loop")
awk -v bare="$bare" -v open="$open" -v shut="$shut" 'BEGIN {
	printf "%-34s %5.3f x  (goal 1.03)\n", "1e6 calls, filter against none",
		(shut - bare) / (open - bare) }'

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
