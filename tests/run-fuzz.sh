#!/usr/bin/env bash
# usage: run-fuzz.sh SECONDS ENTRY...     (make fuzz, FUZZ_SECONDS=60)
#
# Runs libFuzzer entries (tests/fuzz/NAME) with ASan and UBSan for so many
# seconds each. New inputs go to the build tree; inputs worth keeping are copied
# by hand to tests/fuzz/corpus/NAME, which `make check' replays.
set -eu

seconds=$1
shift
src=${TOP_SRCDIR:-.} build=${TOP_BUILDDIR:-.}
cc=${FUZZ_CC:-clang}
bin=$build/tests/fuzz/bin

if ! command -v "$cc" >/dev/null; then
	echo "make fuzz needs clang (or FUZZ_CC)" >&2
	exit 1
fi
if [ $# -eq 0 ]; then
	echo "no fuzz entries" >&2
	exit 1
fi
mkdir -p "$bin"

compile() {
	"$cc" -g -O1 -std=c11 -D_GNU_SOURCE \
		-DCORDON_LIBEXECDIR='"/nonexistent"' \
		-DCORDON_PROFILEDIR='"/nonexistent"' \
		-DCORDON_CONTRIBDIR='"/nonexistent"' \
		-DCORDON_SYSCONFDIR='"/nonexistent"' \
		-I"$build" -I"$src" -I"$src/src" \
		-fno-omit-frame-pointer -fno-sanitize-recover=undefined "$@"
}

# The rooms as one archive, so that an entry which includes a .c file to reach
# its static functions has that file once. Verbs stay out: they hold main().
rm -rf "$bin/rooms" "$bin/rooms.a"
mkdir -p "$bin/rooms"
while IFS= read -r file; do
	object=${file#src/}
	compile -fsanitize=fuzzer-no-link,address,undefined -c "$src/$file" \
		-o "$bin/rooms/${object//\//-}.o"
done < <(make -s -C "$build" print-sources | grep '\.c$' | grep -v '^src/verbs/')
ar cr "$bin/rooms.a" "$bin"/rooms/*.o

for entry in "$@"; do
	name=${entry##*/}
	echo "== $name, $seconds s"
	compile -fsanitize=fuzzer,address,undefined "$src/$entry.c" \
		"$bin/rooms.a" -o "$bin/$name"
	mkdir -p "$bin/$name.found"
	corpus=("$bin/$name.found")
	[ ! -d "$src/tests/fuzz/corpus/$name" ] ||
		corpus+=("$src/tests/fuzz/corpus/$name")
	dictionary=()
	[ ! -f "$src/tests/fuzz/$name.dict" ] ||
		dictionary=(-dict="$src/tests/fuzz/$name.dict")
	"$bin/$name" -max_total_time="$seconds" -timeout=5 -print_final_stats=1 \
		-artifact_prefix="$bin/$name." "${dictionary[@]}" "${corpus[@]}"
done
