# Loaded by the bats files about what was denied, behind box.
# shellcheck shell=bash

load "$BATS_TEST_DIRNAME/status"

# Watched in full, the stream in ./status.
watched() {
	box --report --status-fd 4 "$@" 4>status
}

reach() {
	watched -- "$HELPERS/reach" "$@"
}

# last_count OPERATION OBJECT: how often, by the last word on it.
last_count() {
	jq -s "[.[] | select(.event == \"denied\" and .operation == \"$1\" and
		.object == \"$2\")] | last | .count // 0" status
}

python() {
	watched -- /usr/bin/python3 -c "$1"
}
