#!/usr/bin/env bats
# git in a write root, without --git's rules.

load programs

setup() {
	work_make
	require git
	git config --global user.name Me
	git config --global user.email me@example
	git config --global init.defaultBranch main
	# the home inside is private; a settled user has these in a set
	GIT_CONFIG_COUNT=0
	GIT_AUTHOR_NAME=Me GIT_AUTHOR_EMAIL=me@example
	GIT_COMMITTER_NAME=Me GIT_COMMITTER_EMAIL=me@example
	export GIT_CONFIG_COUNT GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL
	export GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
}

make_repository() {
	git init -q repo
	echo one >repo/one
	git -C repo add one
	git -C repo commit -q -m one
}

@test "programs: git status, add, commit, clone, worktree, gc" {
	make_repository
	inside <<-'END'
		cd repo
		git status --short
		echo two >two
		git add two
		git commit -q -m two
		git log --format=%s
		git branch topic
		git worktree add -q ../tree topic
		git -C ../tree status --short
		git clone -q "file://$PWD" ../clone
		git -C ../clone fsck --no-progress
		git stash list
		git gc -q
		git -C ../tree rebase -q main
	END
	assert_status 0
	assert_output_is $'two\none'
	[ "$(git -C repo log -1 --format=%s main)" = two ]
	[ "$(stat -c %u clone/.git/HEAD)" = "$(id -u)" ]
}

@test "programs: git takes a repository for its own, as root and as user" {
	make_repository
	inside <<-'END'
		git -C repo status 2>&1
	END
	assert_status 0
	assert_output_lacks dubious
	# control: another id inside is a stranger to files that it sees as its own
	inside --uid 0 --gid 0 <<-'END'
		git -C repo status 2>&1
	END
	assert_status 0
}

@test "programs: git, from root as the owner" {
	require_root
	make_repository
	chown -R "$(other_uid)" repo "$W"
	local options=()
	be_ordinary
	inside "${options[@]}" <<-'END'
		cd repo
		echo two >two
		git add two
		git commit -q -m two
		git status --short
	END
	assert_status 0
	assert_output_is ''
	[ "$(stat -c %u repo/two)" = "$(other_uid)" ]
	# control: root inside is not the owner
	inside <<-'END'
		true
	END
	assert_status 125
	assert_output_has '--uid'
}

@test "programs: git's hooks run inside" {
	make_repository
	printf '#!/bin/sh\necho hooked; hostname\n' >repo/.git/hooks/pre-commit
	chmod +x repo/.git/hooks/pre-commit
	inside <<-'END'
		cd repo
		git commit -q --allow-empty -m hooked 2>&1
	END
	assert_status 0
	assert_output_is $'hooked\ncordon'
}

@test "programs: git daemon and a clone from it" {
	make_repository
	[ -x "$(git --exec-path)/git-daemon" ] || skip_or_fail "not found: git daemon"
	inside <<-'END'
		git daemon --reuseaddr --export-all --base-path="$PWD" \
			--listen=127.0.0.1 >log 2>&1 &
		for try in $(seq 100); do
			git ls-remote git://127.0.0.1/repo >/dev/null 2>&1 && break
			sleep 0.1
		done
		git clone -q git://localhost/repo cloned
		cat cloned/one
	END
	assert_status 0
	assert_output_is one
}
