#!/usr/bin/env bash
# The slow analyzers, `make analyze': gcc -fanalyzer, clang-tidy and cppcheck, as
# far as they are installed. No part of `make check'.
. "$(dirname "$0")/common.sh"

mapfile -t sources < <(c_files | grep '^src/.*\.c$')
[ ${#sources[@]} -gt 0 ] || exit 0
read -ra compile < <(compiler)

# -I. and the kernel's headers are relative to the build tree; clang does not
# read gcc specs.
flags=()
for word in "${compile[@]:1}"; do
	case $word in
	-specs=* | -fanalyzer) ;;
	*) flags+=("$word") ;;
	esac
done
cd "$TOP_BUILDDIR" || exit 1
sources=("${sources[@]/#/$TOP_SRCDIR/}")

has() {
	command -v "$1" >/dev/null && echo "== $1" && return
	echo "== $1 is not installed"
	return 1
}

if has gcc; then
	for source in "${sources[@]}"; do
		said=$(gcc "${flags[@]}" -Wno-error -fanalyzer -c -o /dev/null \
			"$source" 2>&1) || fault "$source: does not compile"
		[ -z "$said" ] || fault "$said"
	done
fi

if has clang-tidy; then
	said=$(clang-tidy --quiet "${sources[@]}" -- "${flags[@]}" \
		-Wno-unknown-warning-option 2>/dev/null) || fault "$said"
fi

# A descriptor with the cleanup attribute is initialized twice in its eyes.
if has cppcheck; then
	said=$(cppcheck --quiet --std=c11 --error-exitcode=1 \
		--enable=warning,portability --inline-suppr \
		--suppress=redundantInitialization --suppress=missingInclude \
		-D_GNU_SOURCE -I "$TOP_SRCDIR/src" -I . "${sources[@]}" 2>&1) ||
		fault "$said"
fi
finish
