#!/usr/bin/env bash
# Purity: policy and plan call nothing that can differ between two runs, neither
# themselves nor through the functions of base and policy that they call.
. "$(dirname "$0")/common.sh"
need nm
need ld

# All of libc that a pure room may call: memory, strings, numbers, order.
pure='
abort
bsearch qsort
calloc free malloc realloc reallocarray
memccpy memchr memcmp memcpy memmem memmove mempcpy memrchr memset
stpcpy strchr strchrnul strcmp strcspn strdup strlen strncmp strndup strnlen
strpbrk strrchr strspn strstr strcasecmp strncasecmp
strerror strtol strtoll strtoul strtoull strtoimax strtoumax
isalnum isalpha isdigit isspace isxdigit tolower toupper
snprintf vsnprintf
fnmatch
__errno_location
__assert_fail
__stack_chk_fail
_GLOBAL_OFFSET_TABLE_
'

# Through base only: where the arena has its memory from, and what it says and
# does when there is none.
pure_in_base='
mmap munmap
_exit write
'

# room: rooms whose functions it calls.
rooms='
policy  base
plan    policy base
'

# glibc has names of its own for the same functions: fortified (__memcpy_chk),
# by standard (__isoc99_sscanf, __xpg_strerror_r); ASan and UBSan add theirs.
plain_names() {
	sed -E -e '/^__(asan|ubsan|lsan|sanitizer)_/d' \
		-e 's/^__(.*)_chk$/\1/' -e 's/^__isoc(99|23)_//' | sort -u
}

undefined() {
	nm -u "$@" 2>/dev/null | sed -n 's/^ *[Uvw] //p'
}

words() {
	printf '%s\n' "$@" | tr ' ' '\n' | sed '/^$/d' | sort -u
}

# own_calls ROOM OTHER...: libc functions that the room's objects call.
own_calls() {
	local room=$1 other
	shift
	comm -23 <(undefined "$TOP_BUILDDIR/lib$room.a" | sort -u) <(
		for other in "$room" "$@"; do
			nm -gj --defined-only "$TOP_BUILDDIR/lib$other.a" 2>/dev/null
		done | sort -u) | plain_names
}

# all_calls ROOM OTHER...: the same, with every function of the other rooms that
# is reached. The rooms are built with a section a function, so the linker's own
# garbage collection follows the calls.
all_calls() {
	local room=$1 object roots
	local -a others
	shift
	others=("${@/#/$TOP_BUILDDIR/lib}")
	object=$(mktemp)
	roots=$(nm -gj --defined-only "$TOP_BUILDDIR/lib$room.a" 2>/dev/null |
		grep -v ':$' | sed '/^$/d; s/^/-u /')
	# shellcheck disable=SC2086 # -u NAME -u NAME
	ld -r --gc-sections $roots -o "$object" --whole-archive \
		"$TOP_BUILDDIR/lib$room.a" --no-whole-archive --start-group \
		"${others[@]/%/.a}" \
		--end-group || echo "ld_failed"
	undefined "$object" | plain_names
	rm -f "$object"
}

while read -r room others; do
	[ -n "$room" ] || continue
	[ -f "$TOP_BUILDDIR/lib$room.a" ] || { fault "lib$room.a is not built"; continue; }
	[ -n "$(nm -gj --defined-only "$TOP_BUILDDIR/lib$room.a" 2>/dev/null)" ] ||
		continue
	# shellcheck disable=SC2086 # a list of rooms
	faults_from < <(comm -23 <(own_calls "$room" $others) <(words "$pure") |
		sed "s/.*/$room calls &, which is not pure/")
	# shellcheck disable=SC2086
	faults_from < <(comm -23 <(all_calls "$room" $others) \
		<(words "$pure" "$pure_in_base") |
		sed "s/.*/$room reaches &, which is not pure, through $others/")
done <<<"$rooms"
finish
