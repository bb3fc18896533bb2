#!/usr/bin/env bash
# The same words to cordon by bubblewrap's name and to bubblewrap itself, BWRAP or
# the one in PATH: medians, interleaved, as ratios of the overhead over the bare
# command. Never part of `make check'.
set -eu
script=$(realpath "$0")
rounds=${ROUNDS:-100}
pairs=$HELPERS/pairs
theirs=${BWRAP:-$(command -v bwrap || true)}
[ -n "$theirs" ] || { echo "bubblewrap is not installed: no ratios" && exit; }
work=$(mktemp -d "${TMPDIR:-/tmp}/cordon-bench.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
cp "$CORDON" "$work/bwrap"
cd "$work"
call=(--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --unshare-all
	--die-with-parent)

# against NAME GOAL ROUNDS [WORD...]: each run by a shell that gives it ./binds.
against() {
	local bare us them
	{ read -r bare; read -r us; read -r them; } < <("$pairs" "$3" :: bash run true \
		:: bash run "$work/bwrap" "${call[@]}" "${@:4}" true \
		:: bash run "$theirs" "${call[@]}" "${@:4}" true)
	awk -v name="$1" -v goal="$2" -v bare="$bare" -v ours="$us" -v theirs="$them" '
	BEGIN {
		printf "%-34s %8.2f ms %8.2f ms  %5.3f x  (goal %s)\n", name,
			(ours - bare) / 1000, (theirs - bare) / 1000,
			(ours - bare) / (theirs - bare), goal
	}'
}
echo 'exec "$@" 9<binds' >run
for ((i = 0; i < 2000; i++)); do
	printf -- '--ro-bind\0/usr\0/tmp/%d\0' $i
done >binds

if [ "${1:-}" = mounts ]; then # inside a mount namespace of our own
	mkdir on
	mount -t tmpfs none on
	for ((i = 0; i < 2000; i++)); do
		mkdir "on/$i"
		echo "on/$i"
	done | xargs -n 1 mount -t tmpfs -o size=4k none
	against 'bwrap, 2,000 mounts on the host' '0.2' 10
	umount -l on
	exit
fi

echo "overhead over the bare command       cordon   $("$theirs" --version)  ratio"
against "bwrap, an agent's call" '0.6' "$rounds"
against 'bwrap, 2,000 binds' '0.03' 3 --args 9
unshare --map-root-user --mount --propagation private bash "$script" mounts ||
	echo "2,000 mounts: no mount namespace here"
