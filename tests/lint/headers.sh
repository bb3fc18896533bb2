#!/usr/bin/env bash
# Headers: each compiles alone, twice over, with the flags of the build.
. "$(dirname "$0")/common.sh"

read -ra compile < <(compiler)
[ ${#compile[@]} -gt 0 ] || { echo "no compiler flags: configure first"; exit 1; }

check_header() {
	local header=${1#src/} source=$TOP_SRCDIR
	# A translation unit of nothing but macros would not be ISO C.
	printf '#include "%s"\n#include "%s"\nextern int header_alone;\n' \
		"$header" "$header" |
		(cd "$TOP_BUILDDIR" && "${compile[@]}" -I"$source/src" \
			-I"$source" -fsyntax-only -Werror -x c - 2>&1)
}

while IFS= read -r header; do
	said=$(check_header "$header") ||
		fault "$header does not compile alone:"$'\n'"$said"
done < <(find src -name '*.h' | sort)
finish
