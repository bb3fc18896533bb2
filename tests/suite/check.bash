# Loaded by the bats files of cordon check, behind box: check, rules of each kind,
# the mutants, and what its JSON says.
# shellcheck shell=bash

MUTANT=$HELPERS/cordon-mutant

check() {
	run "$CORDON" check "$@"
}

# apart COMMAND...: in mount and pid namespaces of its own, as the same caller.
apart() {
	local as=(--map-current-user)
	if is_root; then as=(); fi
	unshare "${as[@]}" --pid --fork --kill-child --mount-proc "$@"
}

# Rules that have one of each kind.
rules() {
	mkdir -p "$SCRATCH/read" "$SCRATCH/over" "$W/kept"
	echo secret >"$W/masked"
	RULES=(--write "$W" --read "$SCRATCH/read" --overlay "$SCRATCH/over"
		--mask "$W/masked" --protect "$W/kept" --cwd /)
}

# in_state STATE: names of the steps of a check's JSON in that state.
in_state() {
	jq -r --arg state "$1" \
		'[.steps[] | select(.state == $state) | .name] | join(" ")' \
		<<<"$output"
}

# planted_by PID: the directory of a check that runs, by its open descriptor:
# others may run beside it.
planted_by() {
	readlink "/proc/$1/fd/"* 2>/dev/null |
		sed -n '/\/cordon-check\.[A-Za-z0-9]*$/{p;q;}'
}

# Nothing of check's is left where it made something.
nothing_left() {
	local found
	found=$(find "$SCRATCH" -path "$SCRATCH/helpers" -prune -o -type f \
		-not -name masked -not -name out -print 2>/dev/null) || true
	[ -z "$found" ] && return
	echo "left behind: $found"
	return 1
}

holds() {
	assert_status 0 || return
	[[ ${lines[-1]} == 'the wall holds: '*' 0 do not, 0 unproven, '* ]] && return
	show_run
	return 1
}

# mutant PARTS STEP...: without these parts just these steps fail.
mutant() {
	local parts=$1
	shift
	require jq unshare "$MUTANT" || return
	[ -n "${RULES+x}" ] || rules
	CORDON_TEST_LEAVE_OUT=$parts run "${APART[@]:-apart}" \
		"$TOP_BUILDDIR/cordon-inspect" "$MUTANT" check --json \
		"${RULES[@]}"
	jq -e '.steps | length == 23' <<<"$output" || { show_run; return 1; }
	if [ "$(in_state no)" != "$*" ] || [ -n "$(in_state unproven)" ]; then
		echo "without $parts expected to fail: $*"
		echo "failed: $(in_state no); unproven: $(in_state unproven)"
		jq -c '.steps[].attempts[] | select(.holds | not)' <<<"$output" ||
			show_run
		return 1
	fi
	[ $# -eq 0 ] || [ "$status" -eq 1 ] || { show_run; return 1; }
	nothing_left
}

# filter_of RULE: a filter that allows everything else.
filter_of() {
	cat >"$SCRATCH/filter.json" <<-END
		{ "defaultAction": "SCMP_ACT_ALLOW", "syscalls": [ $1 ] }
	END
}

# How many filters were counted inside, beyond those that there are outside.
filters_of() {
	local outside
	outside=$(sed -n 's/^Seccomp_filters:[[:space:]]*//p' /proc/self/status)
	echo $(($(jq -r '.steps[] | select(.name == "filter") | .attempts[] |
		select(.what == "filters") | .got' <<<"$output") - outside))
}
