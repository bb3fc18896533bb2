# Loaded by the programs*.bats files: real programs do their usual work behind
# the wall. Each test runs for whoever runs the suite; a root caller also works
# as somebody else, with --uid.
# shellcheck shell=bash

load common

REAL_HOME=$HOME

setup() {
	work_make
}

work_make() {
	scratch_make
	W=$SCRATCH/w
	HOME=$SCRATCH/home
	PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
	export W HOME PATH
	unset TMPDIR XDG_RUNTIME_DIR XDG_CACHE_HOME
	# what a developer's own settings would change in a build
	unset CFLAGS CPPFLAGS LDFLAGS CC CCACHE_DIR JAVA_TOOL_OPTIONS
	unset PYTHONPATH NODE_OPTIONS GIT_CONFIG_GLOBAL
	mkdir "$W" "$HOME"
	cd "$W" || return
}

teardown() {
	cd /
	scratch_remove
}

is_root() {
	[ "$(id -u)" -eq 0 ]
}

# outside: the shell steps on stdin, as anybody runs them.
outside() {
	local steps
	steps=$(cat)
	run bash -eu -o pipefail -c "$steps" </dev/null
}

# inside [OPTION...]: the same behind the wall, the work directory writable.
inside() {
	local steps
	steps=$(cat)
	run "$CORDON" --write "$W" --cwd "$W" "$@" -- \
		bash -eu -o pipefail -c "$steps" </dev/null
}

# Some ordinary user's id, for a root caller.
other_uid() {
	awk -F: '$3 >= 1000 && $3 < 60000 { print $3; exit } END { print 1000 }' \
		/etc/passwd | head -n 1
}

# Who programs that refuse to be root run as: sets $options.
be_ordinary() {
	options=()
	is_root || return 0
	options=(--uid "$(other_uid)")
	chown "$(other_uid)" "$W"
}

# tree_of DIR: everything in it, to be compared.
tree_of() {
	(cd "$1" && find . -printf '%p %y %m %s %T@ %l\n' | sort)
}
