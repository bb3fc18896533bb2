#!/usr/bin/env bash
# What watching costs: connects and denied calls that are heard, and a compile,
# which makes few.
set -eu
cordon=$CORDON
work=$(mktemp -d "${TMPDIR:-/tmp}/cordon-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT

for i in 1 2 3 4 5 6 7 8; do
	printf '#include <stdio.h>\n#include <stdlib.h>\n#include <sys/socket.h>\nint f%d(int n) { char s[99]; snprintf(s, sizeof s, "%%d", n); return atoi(s); }\n' \
		$i >"$work/$i.c"
done
compile='for i in 1 2 3 4 5 6 7 8; do cc -O2 -c $i.c -o $i.o; done'
box=("$cordon" --write "$work" --read "$HELPERS" --cwd "$work")
reach=("$HELPERS/reach" connect 127.0.0.1 9 10000)
denied=("$HELPERS/reach" connect none 9 10000) # no address family

# ratio TITLE GOAL: of the second line of stdin to the first.
ratio() {
	awk -v title="$1" -v goal="$2" '{ t[NR] = $1 } END {
		printf "%-34s %5.3f x%s\n", title, t[2] / t[1],
			goal == "" ? "" : "  (goal " goal ")" }'
}

"$HELPERS/pairs" 9 :: "${box[@]}" -- "${reach[@]}" \
	:: "${box[@]}" --report -- "${reach[@]}" 2>/dev/null |
	ratio "10,000 connects, heard or not" ""
"$HELPERS/pairs" 9 :: "${box[@]}" -- "${denied[@]}" \
	:: "${box[@]}" --report -- "${denied[@]}" 2>/dev/null |
	ratio "10,000 denied calls, told or not" ""
"$HELPERS/pairs" 31 :: "${box[@]}" -- sh -c "$compile" \
	:: "${box[@]}" --report -- sh -c "$compile" 2>/dev/null |
	ratio "a compile, watched or not" 1.10
"$HELPERS/pairs" 99 :: "${box[@]}" -- true \
	:: "${box[@]}" --report -- true 2>/dev/null |
	ratio "true, watched or not" ""
