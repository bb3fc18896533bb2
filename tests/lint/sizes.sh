#!/usr/bin/env bash
# Sizes: how long functions and files may be, those of the tests too, and how
# deep and how wide functions.
# Says the five longest functions, the median and the 90th percentile.
. "$(dirname "$0")/common.sh"
need python3

function_lines=60
main_lines=30
nesting=3
parameters=5
file_lines=600

mapfile -t files < <(c_files)
[ ${#files[@]} -gt 0 ] || exit 0

# FILE:LINE:name:lines:nesting:parameters, the longest first.
functions=$(python3 "$lint/csource.py" functions "${files[@]}" |
	sort -t: -k4,4nr -k1,2)

faults_from < <(awk -F: -v most="$function_lines" -v most_main="$main_lines" \
	-v deepest="$nesting" -v widest="$parameters" '
	function over(what, is, may) {
		if (is > may)
			printf "%s:%d: %s: %d %s, at most %d\n",
				$1, $2, $3, is, what, may
	}
	NF { over("lines", $4, $3 == "main" ? most_main : most) }
	NF { over("levels of nesting", $5, deepest) }
	NF { over("parameters", $6, widest) }' <<<"$functions")

mapfile -t tests < <(tracked_files |
	grep -E '^tests/.*\.(c|sh|py|bats|bash)$')
for file in "${files[@]}" "${tests[@]}"; do
	lines=$(wc -l <"$file")
	[ "$lines" -le $file_lines ] ||
		fault "$file: $lines lines, at most $file_lines"
done

echo "the longest functions:"
head -n 5 <<<"$functions" | awk -F: 'NF { printf "%6d %s (%s)\n", $4, $3, $1 }'
awk -F: 'NF { lines[NR] = $4 }
	function rank(part) { return lines[NR - int((NR - 1) * part)] }
	END {
		if (NR)
			printf "%d functions, median %d, 90th percentile %d\n",
				NR, rank(0.5), rank(0.9)
	}' <<<"$functions"
finish
