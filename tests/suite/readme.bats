# The examples of README.md run, and print what it says.
#
# The convention: a block fenced as ```sh run [STATUS] is executed, in order, in
# one project directory; STATUS is what it exits with (0). A block fenced as
# ```output right behind it is what it prints, standard error included. Every
# other block is only shown.
load common

setup() {
	scratch_make
	export HOME=$SCRATCH/me
	mkdir -p "$HOME/.ssh" "$HOME/project" "$SCRATCH/bin"
	echo key >"$HOME/.ssh/id_ed25519"
	ln -s "$CORDON" "$SCRATCH/bin/cordon"
	# a build out of the tree does not have the shipped ones beside it
	mkdir -p "$HOME/.config/cordon"
	cp "$TOP_SRCDIR"/profiles/{agent,build,offline} "$HOME/.config/cordon"
	PATH=$SCRATCH/bin:$PATH
	unset XDG_CONFIG_HOME MAKEFLAGS
	cd "$HOME/project" || return
	printf 'all: hello\nclean:\n\trm -f hello\n' >Makefile
	printf 'int main(void)\n{\n\treturn 0;\n}\n' >hello.c
}

# extract FILE: the blocks as SCRATCH/N.sh, N.status and, if any, N.output.
extract() {
	awk -v to="$SCRATCH" '
	/^```/ && inside { inside = 0; after = NR; close(file); next }
	/^```sh run/ {
		n++; inside = 1; file = to "/" n ".sh"
		print ($3 == "" ? 0 : $3) >(to "/" n ".status")
		next
	}
	/^```output/ && NR == after + 1 { inside = 1; file = to "/" n ".output"; next }
	/^```/ { inside = 1; file = "/dev/null"; next }
	inside { print >file }
	END { print n + 0 }
	' "$1"
}

@test "N-87: README: every example runs and prints what is written there" {
	require make cc
	count=$(extract "$TOP_SRCDIR/README.md")
	[ "$count" -ge 5 ]
	for ((n = 1; n <= count; n++)); do
		status=0
		output=$(bash -eu "$SCRATCH/$n.sh" 2>&1 </dev/null) || status=$?
		output=${output//"$SCRATCH/me"//home/me}
		echo "example $n: $(cat "$SCRATCH/$n.sh")"
		assert_status "$(cat "$SCRATCH/$n.status")"
		[ ! -e "$SCRATCH/$n.output" ] ||
			assert_output_is "$(cat "$SCRATCH/$n.output")"
	done
}

@test "README: an example that prints something else is noticed" {
	local fence='```'
	printf '%s\n' "${fence}sh run 3" 'exit 3' "$fence" "${fence}output" yes \
		"$fence" >"$SCRATCH/x.md"
	[ "$(extract "$SCRATCH/x.md")" = 1 ]
	[ "$(cat "$SCRATCH/1.status")" = 3 ]
	[ "$(cat "$SCRATCH/1.output")" = yes ]
	output='no'
	run assert_output_is "$(cat "$SCRATCH/1.output")"
	[ "$status" -ne 0 ]
}

@test "README: at most 200 lines" {
	[ "$(wc -l <"$TOP_SRCDIR/README.md")" -le 200 ]
}
