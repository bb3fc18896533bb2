#!/usr/bin/env bash
# Link: each room, with only the rooms it may call, leaves nothing undefined but
# what libc has. The headers of a room can lie about this, the linker cannot.
. "$(dirname "$0")/common.sh"
need nm

# room: rooms whose functions it may call. (verbs calls any, and cordon links.)
calls='
base
policy  base
host    base
plan    base policy
engine  base plan
watch   base plan engine
'

# Symbols of the libc and the compiler's own library that the launcher uses.
libc_symbols() {
	local -a compile
	local specs
	read -ra compile < <(compiler)
	specs=$(printf '%s\n' "${compile[@]}" | sed -n 's/^-specs=//p')
	if [ -n "$specs" ]; then
		nm -gj --defined-only "$(dirname "$specs")/libc.a"
	else
		nm -gj --defined-only "$("${compile[0]}" -print-file-name=libc.a)"
	fi 2>/dev/null
	nm -gj --defined-only "$("${compile[0]}" -print-libgcc-file-name)" \
		2>/dev/null
	echo _GLOBAL_OFFSET_TABLE_
}

defined() {
	nm -gj --defined-only "$@" 2>/dev/null
}

# What the sanitizers add is theirs.
undefined() {
	nm -u "$1" 2>/dev/null | sed -n 's/^ *[Uvw] //p' |
		grep -vE '^__(asan|ubsan|lsan|sanitizer)_' | sort -u
}

libc=$(libc_symbols | sort -u)
[ "$(wc -l <<<"$libc")" -gt 100 ] || { echo "no libc symbols found"; exit 1; }

while read -r room may_call; do
	[ -n "$room" ] || continue
	archives=("$TOP_BUILDDIR/lib$room.a")
	[ -f "${archives[0]}" ] || { fault "lib$room.a is not built"; continue; }
	for other in $may_call; do
		archives+=("$TOP_BUILDDIR/lib$other.a")
	done
	faults_from < <(comm -23 <(undefined "${archives[0]}") \
		<({ defined "${archives[@]}"; echo "$libc"; } | sort -u) |
		sed "s/.*/$room calls & of a room it may not see/")
done <<<"$calls"
finish
