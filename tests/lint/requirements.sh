#!/usr/bin/env bash
# Requirements: each must and should of the four systems that cordon is to serve
# (N nova-sandbox, R Reasonix, L LittleGhost, I Insika) stands in the name of a
# test, or in HACKING.md with the reason why it does not.
. "$(dirname "$0")/common.sh"

ids='
N-1 N-3 N-4 N-5 N-6 N-7 N-9 N-11 N-12 N-13 N-14 N-15 N-16 N-18 N-19 N-20 N-21
N-22 N-24 N-25 N-28 N-40 N-41 N-42 N-43 N-44 N-45 N-46 N-47 N-48 N-52 N-53 N-54
N-55 N-61 N-64 N-70 N-71 N-72 N-73 N-74 N-76 N-80 N-81 N-83 N-86 N-87 N-89 N-91
N-92 N-93 N-94 N-99
R-3 R-7 R-8 R-9 R-10 R-13 R-14 R-15 R-16 R-21 R-23 R-26 R-29 R-30 R-31 R-32 R-33
R-34 R-35
L-2 L-3 L-4 L-8 L-10 L-11 L-12 L-13 L-14 L-20 L-21 L-22 L-23 L-25 L-26 L-27 L-40
L-61 L-62 L-63 L-64 L-65
I-30 I-40 I-43
'

# The names of the tests, of the golden cases by what their files say first.
tested=$(sed -n 's/^@test "\(.*\)" {$/\1/p' tests/suite/*.bats tests/escape/*.bats 2>/dev/null
	sed -n 1p tests/golden/cases/*.case 2>/dev/null)
excused=$(sed -n '/^## Requirements/,/^## /p' HACKING.md)

for id in $ids; do
	grep -qwF -- "$id" <<<"$tested" && is_tested=1 || is_tested=
	grep -qwF -- "$id" <<<"$excused" && is_excused=1 || is_excused=
	case $is_tested$is_excused in
	'') fault "$id: in no test's name, and HACKING.md does not say why" ;;
	11) fault "$id: a test has it, and HACKING.md says that none does" ;;
	esac
done
finish
