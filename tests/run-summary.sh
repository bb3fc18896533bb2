#!/usr/bin/env bash
# usage: run-summary.sh [--logs] [--broken] BUILDDIR...
#
# Adds up the test results (.trs files) of build directories and prints, as the
# last line, `N passed, N failed' and, when there are any, `, N skipped'.
#
#   --logs    show the end of each failing log first
#   --broken  the caller saw a failure: if no test did, it counts as one
#
# Exits 1 when any failed or none passed. With MUST_WORK=1 a skip is a failure,
# unless it says "only for" (a test meant for the other kind of caller).
set -u

logs=no broken=no
while [ $# -gt 0 ]; do
	case $1 in
	--logs) logs=yes ;;
	--broken) broken=yes ;;
	*) break ;;
	esac
	shift
done

# One line a test program: passed, failed, skipped. Counts are those of the .trs;
# why something was skipped stands in the log only. The TAP driver adds an ERROR
# for a non-zero exit to the FAILs that explain it: it counts alone only.
count='
FNR == 1 { file++ }
file == 1 && /^:test-result: (PASS|XFAIL)/ { passed++ }
file == 1 && /^:test-result: (FAIL|XPASS)/ { failed++ }
file == 1 && /^:test-result: ERROR/ { errors++ }
file == 1 && /^:test-result: SKIP/ { skipped++ }
file == 2 && /^SKIP: .*only for/ { meant++ }
file == 2 && /^ERROR: .* - exited with status/ { exits++ }
END {
	if (failed && errors)
		errors -= exits
	failed += errors
	if (must_work && skipped > meant) {
		failed += skipped - meant
		skipped = meant
	}
	print passed + 0, failed + 0, skipped + 0
}'

passed=0 failed=0 skipped=0
while IFS= read -r trs; do
	read -r p f s < <(awk -v must_work="${MUST_WORK:-0}" "$count" \
		"$trs" "${trs%.trs}.log")
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	if [ "$f" -gt 0 ] && [ $logs = yes ]; then
		printf '\n--- %s\n' "${trs%.trs}"
		grep -vE '^(ok |PASS: )' "${trs%.trs}.log" | tail -n 60
	fi
done < <(find "$@" -name '*.trs' -type f | LC_ALL=C sort)

if [ $failed -eq 0 ] && [ $broken = yes ]; then
	echo "the build, or the run of a part of the suite, failed"
	failed=1
fi

summary="$passed passed, $failed failed"
[ $skipped -eq 0 ] || summary="$summary, $skipped skipped"
echo "$summary"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
