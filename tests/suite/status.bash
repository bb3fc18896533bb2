# Loaded by the bats files that read a status stream, which is in ./status.
# shellcheck shell=bash

# holds FILTER: true for the stream read as one array of events.
holds() {
	jq -es "$1" status >/dev/null && return
	echo "does not hold: $1"
	cat status
	return 1
}
