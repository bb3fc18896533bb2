#!/usr/bin/env bats
# cordon's own build; apart, because it is the longest of these tests.

load programs

# The sources alone: a clone's files where there is a repository, else the tree
# without what a build left.
copy_sources() {
	if git -C "$TOP_SRCDIR" rev-parse --git-dir >/dev/null 2>&1; then
		git -C "$TOP_SRCDIR" ls-files -z -co --exclude-standard |
			tar -C "$TOP_SRCDIR" --ignore-failed-read --null \
				--no-recursion -T - -cf - 2>/dev/null
	else
		tar -C "$TOP_SRCDIR" --exclude=./.git --exclude='*.o' \
			--exclude='*.a' --exclude=.deps --exclude=.dirstamp \
			--exclude='*.log' --exclude='*.trs' \
			--exclude=./configure --exclude=./Makefile \
			--exclude='./config.*' --exclude=./cordon \
			--exclude=./autom4te.cache -cf - .
	fi | tar -C "$1" -xf - --no-same-owner
}

@test "programs: cordon builds cordon, from sources alone and offline" {
	require autoreconf automake make gcc git
	mkdir clone
	copy_sources clone
	cd clone
	assert_absent Makefile config.h cordon
	run "$CORDON" --write . -- sh -euc '
		autoreconf -fi
		./configure --quiet
		make -j2' </dev/null
	assert_status 0
	run ./cordon --cwd / -- echo built
	assert_status 0
	assert_output_is built
	[ "$(stat -c %u cordon)" = "$(id -u)" ]
}
