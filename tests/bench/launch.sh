#!/usr/bin/env bash
# What a start costs, against bubblewrap where it is installed: the same visible
# tree, interleaved, medians, as ratios of the overhead over the bare command.
# Never part of `make check'. ROUNDS sets how often (100).
set -eu
script=$(realpath "$0")
rounds=${ROUNDS:-100}
cordon=$CORDON
pairs=$HELPERS/pairs
bwrap=$(command -v bwrap || true)
if [ "${1:-}" = mounts ]; then
	work=$PWD
else
	work=$(mktemp -d "${TMPDIR:-/tmp}/cordon-bench.XXXXXX")
	trap 'rm -rf --one-file-system "$work"' EXIT
fi
cd "$work"

# bubblewrap's words for the tree that cordon shows: from the plan itself.
mapfile -t wall < <("$cordon" show --ops --write "$work" --cwd "$work" | awk '
	$1 == "source" { from[$2] = $3 }
	$1 == "bind" {
		print $4 == "read" ? "--ro-bind" : "--bind"
		print from[$2]
		print $3
	}
	$1 == "private" { print "--tmpfs"; print $2 }
	$1 == "link" { print "--symlink"; print $3; print $2 }
	$1 == "dev" || $1 == "proc" { print "--" $1; print $2 }')
wall=(--unshare-all --die-with-parent "${wall[@]}" --chdir "$work")

# ratio NAME GOAL BARE OURS THEIRS: overheads as a quotient.
ratio() {
	awk -v name="$1" -v goal="$2" -v bare="$3" -v ours="$4" -v theirs="$5" '
	BEGIN {
		printf "%-34s %8.2f ms %8.2f ms  %5.3f x  (goal %s)\n", name,
			(ours - bare) / 1000, (theirs - bare) / 1000,
			(ours - bare) / (theirs - bare), goal
	}'
}

alone() {
	awk -v name="$1" -v goal="$2" -v bare="$3" -v ours="$4" '
	BEGIN { printf "%-34s %8.2f ms  (goal %s)\n", name,
		(ours - bare) / 1000, goal }'
}

against() { # NAME GOAL ROUNDS, then the extra words of both in ours, theirs
	local bare us them
	{ read -r bare; read -r us; read -r them; } < <("$pairs" "$3" :: \
		/bin/true :: "$cordon" --write "$work" "${ours[@]}" -- true \
		:: "$bwrap" "${wall[@]}" "${theirs[@]}" true)
	ratio "$1" "$2" "$bare" "$us" "$them"
}

masks() { # COUNT: fills ours and theirs
	ours=() theirs=()
	mkdir -p "$work/masked"
	for ((i = 0; i < $1; i++)); do
		: >"$work/masked/$i"
		theirs+=(--ro-bind /dev/null "$work/masked/$i")
		echo "mask $work/masked/$i"
	done >"$work/masks"
	ours=(--profile "$work/masks")
}

if [ "${1:-}" = mounts ]; then # inside a mount namespace of our own
	mkdir m m/on
	mount -t tmpfs none m/on
	for ((i = 0; i < 2000; i++)); do
		mkdir "m/on/$i"
		echo "m/on/$i"
	done | xargs -n 1 mount -t tmpfs -o size=4k none
	ours=() theirs=()
	against 'true, 2,000 mounts on the host' '0.12' 20
	exit
fi

echo "overhead over the bare command       cordon   bubblewrap  ratio"
if [ -n "$bwrap" ]; then
	ours=() theirs=()
	against 'true behind the default wall' '0.35' "$rounds"
	unshare --map-root-user --mount --propagation private \
		bash "$script" mounts || echo "2,000 mounts: no mount namespace here"
	masks 1000
	against '1,000 masks' '0.03' 5
	{ read -r bare; read -r us; read -r them; } < <(
		"$pairs" -p 8 20 :: /bin/true :: "$cordon" --write "$work" -- \
			true :: "$bwrap" "${wall[@]}" true)
	ratio '8 at once' '0.40' "$bare" "$us" "$them"
else
	echo "bubblewrap is not installed: no ratios"
fi
masks 10000
{ read -r bare; read -r us; } < <("$pairs" 5 :: /bin/true :: \
	"$cordon" --write "$work" "${ours[@]}" -- true)
alone '10,000 masks' '500 ms' "$bare" "$us"
