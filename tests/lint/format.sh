#!/usr/bin/env bash
# Format: C by clang-format, scripts by shellcheck, manuals by mandoc; bats lines
# that assert nothing; and what belongs to one machine or site only.
. "$(dirname "$0")/common.sh"
need clang-format
need shellcheck
need mandoc

mapfile -t files < <(tracked_files)

c_sources() {
	printf '%s\n' "${files[@]}" | grep '\.[ch]$'
}

scripts() {
	local file first
	for file in "${files[@]}"; do
		case $file in
		*.bats | *.bash | *.sh) echo "$file" ;;
		*.*) ;;
		*)
			first=
			IFS= read -r first <"$file" 2>/dev/null
			[[ $first =~ ^#!.*[/\ ](ba|da)?sh( |$) ]] && echo "$file"
			;;
		esac
	done
	return 0
}

manuals() {
	printf '%s\n' "${files[@]}" | grep '^man/.*\.[1-9]$'
}

check_c() {
	local -a sources
	mapfile -t sources < <(c_sources)
	[ ${#sources[@]} -gt 0 ] || return 0
	faults_from < <(clang-format --dry-run -Werror "${sources[@]}" 2>&1 |
		grep 'error:')
}

# Sourced files are looked at by themselves (1091, 2317); words in single quotes
# are for the shell behind the wall (2016); each bats test is a subshell (2030,
# 2031); bats and its helpers pass variables between files (2034, 2153, 2154).
excused=SC1091,SC2317,SC2016,SC2030,SC2031,SC2034,SC2153,SC2154

check_scripts() {
	local -a sources
	mapfile -t sources < <(scripts)
	[ ${#sources[@]} -gt 0 ] || return 0
	faults_from < <(shellcheck -x -P SCRIPTDIR -f gcc -S warning -e "$excused" \
		"${sources[@]}" 2>&1)
}

check_manuals() {
	local -a pages
	mapfile -t pages < <(manuals)
	[ ${#pages[@]} -gt 0 ] || return 0
	faults_from < <(mandoc -T lint -W warning "${pages[@]}" 2>&1)
}

# `! command' never ends a bats test, unless it is the last line.
check_bats() {
	local file
	for file in "${files[@]}"; do
		[[ $file == *.bats ]] || continue
		faults_from < <(grep -nE '^[[:space:]]*!' "$file" |
			sed "s,^\([0-9]*\):,$file:\1: asserts nothing (write \`run !'): ,")
	done
}

# Paths of the machine: the checkout itself, and what lies under the same
# top-level directory when that is not one every system has. Hosts of the site:
# mirrors, registries and proxies by the names such hosts have.
check_places() {
	local top=/${TOP_SRCDIR#/} hosts
	local -a paths=()
	[ "${#top}" -lt 6 ] || paths+=(-e "$top")
	top=${top#/}
	case ${top%%/*} in
	bin | boot | dev | etc | home | lib | media | mnt | opt | proc | root | run | \
		sbin | srv | sys | tmp | usr | var | '') ;;
	*) paths+=(-e "/${top%%/*}/") ;;
	esac
	[ ${#paths[@]} -eq 0 ] ||
		faults_from < <(grep -HnIF "${paths[@]}" -- "${files[@]}" |
			sed 's/^\([^:]*:[0-9]*\):.*/\1: a path of this machine/')

	hosts='(registry|artifactory|nexus|mirrors?|proxy|pypi|crates|deb|archive)'
	hosts="(https?://|[^A-Za-z0-9_./-])${hosts}[.-]([a-z0-9-]+\\.)*(org|com|io|net|dev)"
	faults_from < <(grep -HnIE "$hosts([^A-Za-z0-9_.-]|\$)" -- "${files[@]}" |
		sed 's/^\([^:]*:[0-9]*\):.*/\1: a host of a registry or mirror/')
}

if [ ${#files[@]} -gt 0 ]; then
	check_c
	check_scripts
	check_manuals
	check_bats
	check_places
fi
finish
