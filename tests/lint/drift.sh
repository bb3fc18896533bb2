#!/usr/bin/env bash
# Drift: `cordon features', the manual and the completions name the same options;
# every reason and event of the status stream has its entry in its manual page.
. "$(dirname "$0")/common.sh"
need python3

cordon=$TOP_BUILDDIR/cordon
manual=man/cordon.1
status_manual=man/cordon-status.5

# Each shell's completion, and how it spells an option.
completions='
completions/cordon       --
completions/_cordon      --
completions/cordon.fish  -l
'

for file in "$cordon" "$manual" "$status_manual"; do
	[ -f "$file" ] || fault "missing: $file"
done
[ "$faults" -eq 0 ] || finish

# KEY NAME of each entry of an array of strings, or of objects with a name.
features=$("$cordon" features </dev/null | python3 -c '
import json, sys
features = json.load(sys.stdin)
for key in ("options", "reasons", "events"):
    for entry in features[key]:
        name = entry["name"] if isinstance(entry, dict) else entry
        print(key, name.lstrip("-"))
') || { echo "cordon features: not what was expected"; exit 1; }

names() {
	sed -n "s/^$1 //p" <<<"$features" | sort -u
}

# An entry of a list in mdoc: each `Fl -name' on its .It line.
manual_options() {
	grep '^\.It ' "$manual" | grep -oE 'Fl -[a-z0-9][a-z0-9-]*' |
		sed 's/^Fl -//' | sort -u
}

completed_options() {
	local file=$1 spelling=$2
	if [ "$spelling" = -l ]; then
		grep -oE -- '-l +[a-z0-9][a-z0-9-]*' "$file" | sed 's/^-l *//'
	else
		grep -oE -- '--[a-z0-9][a-z0-9-]*' "$file" | sed 's/^--//'
	fi | sort -u
}

# compare WHERE OPTIONS: against those of the code, both ways.
compare() {
	faults_from < <(comm -23 <(echo "$options") <(echo "$2") |
		sed "s,.*,$1 lacks --&,")
	faults_from < <(comm -13 <(echo "$options") <(echo "$2") |
		sed "/^$/d; s,.*,$1 has --&\, which cordon does not,")
}

# documented WHAT NAMES: each has an .It of its own in the status manual.
documented() {
	local name
	for name in $2; do
		grep '^\.It ' "$status_manual" | grep -qw -- "$name" ||
			fault "$status_manual has no .It for the $1 $name"
	done
}

options=$(names options) reasons=$(names reasons) events=$(names events)
[ -n "$options" ] || fault "cordon features lists no options"
[ -n "$reasons" ] || fault "cordon features lists no reasons"
[ -n "$events" ] || fault "cordon features lists no events"

compare "$manual" "$(manual_options)"
while read -r file spelling; do
	[ -n "$file" ] || continue
	if [ -f "$file" ]; then
		compare "$file" "$(completed_options "$file" "$spelling")"
	else
		fault "missing: $file"
	fi
done <<<"$completions"
documented reason "$reasons"
documented event "$events"
finish
