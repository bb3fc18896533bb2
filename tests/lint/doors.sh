#!/usr/bin/env bash
# Doors: which headers each room may include, and what it must not see even
# through another room's header.
. "$(dirname "$0")/common.sh"

# room: rooms and headers that its files may include.
doors='
base    base
policy  policy base
host    host base
plan    plan base policy/bwrap.h policy/policy.h policy/refusal.h policy/sets.h host/facts.h
engine  engine base plan/plan.h seccomp/filters.h
watch   watch base plan/plan.h engine/engine.h engine/handshake.h seccomp/callnames.h
verbs   verbs base policy host plan engine watch
'

# room: rooms whose headers must not reach it by any way. The engine does not
# know what was asked, only what is planned.
walls='
policy  host plan engine watch verbs
host    policy plan engine watch verbs
plan    engine watch verbs
engine  policy host watch verbs
watch   policy host verbs
'

# FILE HEADER of every #include "..." of the rooms.
includes=$(grep -rnE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' src |
	sed 's/:[0-9]*:[^"]*"\([^"]*\)".*/ \1/' | sort -u)

# shellcheck disable=SC2016 # awk
check='
function room_of(path) {
	sub(/^src\//, "", path)
	sub(/\/.*/, "", path)
	return path
}

# Everything that FILE includes, directly or not, with where it came through.
function climb(file, at, room,    i, header) {
	for (i = 1; i <= count[at]; i++) {
		header = included[at, i]
		if ((file, header) in seen)
			continue
		seen[file, header] = 1
		if (at != file && index(walls[room], " " room_of(header) " "))
			printf "%s: %s sees %s through %s\n",
				file, room, header, at
		climb(file, "src/" header, room)
	}
}

FILENAME == "/dev/fd/3" { line = $0; sub(/^[^ ]* */, "", line); doors[$1] = " " line " config.h " }
FILENAME == "/dev/fd/4" { line = $0; sub(/^[^ ]* */, "", line); walls[$1] = " " line " " }
FILENAME == "-" { included[$1, ++count[$1]] = $2 }

END {
	for (file in count) {
		room = room_of(file)
		for (i = 1; i <= count[file]; i++) {
			header = included[file, i]
			if (!index(doors[room], " " header " ") &&
			    !index(doors[room], " " room_of(header) " "))
				printf "%s: \"%s\" is no door of %s\n",
					file, header, room
		}
		climb(file, file, room)
	}
}'

faults_from < <(awk "$check" /dev/fd/3 /dev/fd/4 - \
	3<<<"$doors" 4<<<"$walls" <<<"$includes" | sort)

for dir in src/*/; do
	room=$(basename "$dir")
	grep -q "^$room " <<<"$doors" ||
		fault "src/$room: a room without a line in the table of doors"
done
finish
