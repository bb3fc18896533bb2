# Sourced by every lint script: where the trees are, and how faults are said.
#
# TOP_SRCDIR and TOP_BUILDDIR come from make; run alone, a script finds its own
# tree. LINT_CC replaces the compiler and flags that the Makefile knows.
# shellcheck shell=bash

set -u
lint=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${TOP_SRCDIR:=$(cd "$lint/../.." && pwd)}"
: "${TOP_BUILDDIR:=$TOP_SRCDIR}"
export LC_ALL=C.UTF-8
cd "$TOP_SRCDIR" || exit 1

faults=0
fault() {
	printf '%s\n' "$*"
	faults=$((faults + 1))
}

# Reads faults, one a line.
faults_from() {
	local line
	while IFS= read -r line; do
		fault "$line"
	done
}

finish() {
	[ "$faults" -eq 0 ] && exit 0
	printf '%s: %d faults\n' "$(basename "$0" .sh)" "$faults"
	exit 1
}

# need PROGRAM: without it the lint has not been done. 77 is a skip.
need() {
	command -v "$1" >/dev/null && return
	echo "not found: $1"
	[ "${MUST_WORK:-0}" = 1 ] && exit 1
	exit 77
}

# C files of the rooms and of the helper programs.
c_files() {
	find src seccomp net inspect -name '*.[ch]' ! -path seccomp/filters.h ! -path seccomp/callnames.h \
		2>/dev/null | sort
}

# Everything that would be committed: what git knows or would add, else (in a
# release tarball) all files but what the build makes.
tracked_files() {
	if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
		git ls-files --cached --others --exclude-standard |
			while IFS= read -r file; do
				[ ! -f "$file" ] || printf '%s\n' "$file"
			done
	else
		find . -type f ! -path './build*' ! -path './autom4te.cache/*' \
			! -path './.git/*' ! -path '*/.deps/*' \
			! -name '*.[ao]' ! -name '*.log' ! -name '*.trs' \
			! -name 'config[.u]*' ! -name 'configure*[!c]' \
			! -name filters.h ! -name callnames.h \
			! -name Makefile ! -name '*.in' ! -name aclocal.m4 |
			sed 's,^\./,,'
	fi | sort
}

# The compiler of the rooms with all its flags, to be run in TOP_BUILDDIR.
compiler() {
	printf '%s\n' "${LINT_CC:-$("${MAKE:-make}" -s -C "$TOP_BUILDDIR" \
		--no-print-directory print-flags)}"
}
