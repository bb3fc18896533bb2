#!/usr/bin/env bats
# What a mask hides, under which names, and that it stays.

load box

# A masked path: opening fails, whatever the way.
assert_masked() { # PATH OPTION...
	local path=$1
	shift
	fails "$CORDON" "$@" --cwd / -- cat "$path"
	assert_output_has "Permission denied"
	fails "$CORDON" "$@" --cwd / -- sh -c "echo x >>'$path'"
	fails "$CORDON" "$@" --cwd / -- ls "$path/"
}

@test "case 34: a file in a read root" {
	echo key >secret
	works "$CORDON" --read "$W" -- cat secret
	assert_masked "$W/secret" --read "$W" --mask "$W/secret"
}

@test "R-9 R-29 masks: a file in a write root, which is unharmed" {
	echo key >secret
	works box -- sh -c 'cat secret >>secret.2'
	assert_masked "$W/secret" --write "$W" --mask "$W/secret"
	works box --mask secret -- stat -c '%a %s %F' secret
	assert_output_is "0 0 regular empty file"
	assert_content secret key
}

@test "masks: a directory, with all below it" {
	mkdir -p s/deep
	echo key >s/deep/k
	works box -- cat s/deep/k
	fails box --mask s -- cat s/deep/k
	assert_output_has "Permission denied"
	fails box --mask s -- ls s
	assert_output_has "Permission denied"
	fails box --mask s -- sh -c 'cd s'
	works box --mask s -- stat -c '%a %F' s
	assert_output_is "0 directory"
	[ -e s/deep/k ]
}

@test "R-34 case 35 P4: a masked directory takes no writes, nor a change of its mode" {
	mkdir s
	works box -- touch s/control
	fails box --mask s -- touch s/x
	fails box --mask s -- mkdir s/x
	fails box --mask s -- chmod 777 s
	assert_output_has Read-only
	: >f
	works box -- chmod 600 f
	fails box --mask f -- chmod 600 f
	assert_output_has Read-only
	assert_absent s/x
	[ "$(stat -c %a f)" = 600 ]
}

@test "masks: of a special file, a FIFO, a socket, a link" {
	mkfifo pipe
	: >target
	ln -s target link
	works box -- sh -c '[ -p pipe ]'
	fails box --mask pipe -- sh -c '[ -p pipe ]'
	# a link stands for what it leads to
	fails box --mask link -- cat target
	assert_output_has "Permission denied"
	fails box --mask link -- cat link
	works box -- cat link target
}

@test "case 31: most specific wins, in all six orders" {
	mkdir -p h/p/state
	echo key >h/secret
	local orders=("1 2 3" "1 3 2" "2 1 3" "2 3 1" "3 1 2" "3 2 1") order n
	local rule1="--mask $W/h" rule2="--read $W/h/p" rule3="--write $W/h/p/state"
	for order in "${orders[@]}"; do
		local words=()
		for n in $order; do
			local name=rule$n
			# shellcheck disable=SC2206 # two words each
			words+=(${!name})
		done
		works "$CORDON" --read "$W" "${words[@]}" -- \
			sh -c 'touch h/p/state/x && ls h/p'
		assert_output_is state
		fails "$CORDON" --read "$W" "${words[@]}" -- touch h/p/x
		assert_output_has Read-only
		fails "$CORDON" --read "$W" "${words[@]}" -- cat h/secret
		fails "$CORDON" --read "$W" "${words[@]}" -- ls h
		assert_output_has "Permission denied"
		fails "$CORDON" --read "$W" "${words[@]}" -- touch h/x
		rm h/p/state/x
	done
	assert_absent h/x
}

@test "case 37: three levels, write in mask in write, in all six orders" {
	mkdir -p a/b/c
	local orders=("1 2 3" "1 3 2" "2 1 3" "2 3 1" "3 1 2" "3 2 1") order n
	local rule1="--write $W/a" rule2="--read $W/a/b" rule3="--mask $W/a/b/c"
	for order in "${orders[@]}"; do
		local words=()
		for n in $order; do
			local name=rule$n
			# shellcheck disable=SC2206
			words+=(${!name})
		done
		works "$CORDON" "${words[@]}" --cwd / -- touch "$W/a/x"
		fails "$CORDON" "${words[@]}" --cwd / -- touch "$W/a/b/x"
		fails "$CORDON" "${words[@]}" --cwd / -- ls "$W/a/b/c"
		fails "$CORDON" "${words[@]}" --cwd / -- mv "$W/a/b" "$W/a/d"
		assert_output_has busy
	done
}

@test "masks: without a root that shows it, a mask changes nothing" {
	mkdir -p h/p
	echo key >h/secret
	works "$CORDON" --mask "$W/h" --read "$W/h/p" --cwd / -- ls "$W/h/p"
	fails "$CORDON" --mask "$W/h" --read "$W/h/p" --cwd / -- cat "$W/h/secret"
}

@test "R-35 M25: a mask cannot be renamed, removed, truncated or linked away" {
	echo key >secret
	mkdir dir
	local try
	for try in 'rm -f secret' 'mv secret x' 'mv -f other secret' \
		'truncate -s 0 secret' 'dd if=/dev/null of=secret' \
		'ln secret x' 'ln -f other secret' 'unlink secret' \
		'rmdir dir' 'mv dir x' 'rm -rf dir'; do
		: >other
		fails box --mask secret --mask dir -- sh -c "$try"
		assert_content secret key
		[ -d dir ]
		assert_absent x
	done
	for try in 'ln secret y' 'mv secret x' 'mv dir z' 'truncate -s 0 x'; do
		works box -- sh -c "$try"
	done
}

@test "R-35 M25 A9: a mask cannot be unmounted" {
	echo key >secret
	fails box --mask secret -- "$HELPERS/probe" umount "$W/secret" 0
	fails box --mask secret -- "$HELPERS/probe" umount "$W/secret" 2
	fails box --mask secret -- umount "$W/secret"
}

@test "masks: hold at every place that shows the object" {
	mkdir -p d/in
	echo key >d/secret
	echo key >d/in/k
	works "$CORDON" --read "$W/d:/srv/x" --cwd / -- cat /srv/x/secret
	local at
	for at in /srv/x "$W/elsewhere"; do
		fails "$CORDON" --read "$W/d:$at" --mask "$W/d/secret" \
			--mask "$W/d/in" --cwd / -- cat "$at/secret"
		fails "$CORDON" --read "$W/d:$at" --mask "$W/d/secret" \
			--mask "$W/d/in" --cwd / -- cat "$at/in/k"
	done
	# shown twice, and one place inside the other's tree
	fails "$CORDON" --write "$W" --read "$W/d:/srv/x" --mask "$W/d/secret" \
		--cwd / -- cat "$W/d/secret"
	fails "$CORDON" --write "$W" --read "$W/d:/srv/x" --mask "$W/d/secret" \
		--cwd / -- cat /srv/x/secret
}

@test "masks: a linked spelling masks the object, and every spelling" {
	mkdir real
	ln -s real link
	echo key >real/secret
	works box -- cat link/secret
	fails box --mask "$W/link/secret" -- cat real/secret
	fails box --mask "$W/link/secret" -- cat link/secret
	fails box --mask "$W/real/secret" -- cat link/secret
}

@test "masks: a file bind shows no more than its mask allows" {
	echo key >secret
	run "$CORDON" --mask "$W/secret" --read "$W/secret" --cwd / -- \
		cat "$W/secret"
	assert_refused conflict
	run "$CORDON" --mask "$W/secret" --read "$W/secret:/srv/s" --cwd / -- \
		cat /srv/s
	assert_status 125
}

@test "R-32 M21 A7: a masked file with a second name is refused, with the count" {
	echo key >secret
	ln secret second
	works box -- cat second
	run box --mask secret -- cat second
	assert_refused hard_links
	assert_output_has "2 names"
	assert_output_has "mend: --allow-hard-links"
	works box --mask secret --allow-hard-links -- cat second
	fails box --mask secret --allow-hard-links -- cat secret
}

@test "M21: both names masked is fine" {
	echo key >secret
	ln secret second
	run box --mask secret --mask second -- sh -c 'cat secret; cat second'
	assert_status 1
	assert_output_lacks key
}

@test "masks: of a set with hard links are a note, not a refusal" {
	mkdir -p "$HOME/.ssh"
	echo key >"$HOME/.netrc"
	ln "$HOME/.netrc" "$HOME/again"
	run "$CORDON" --read "$HOME" --cwd / -- cat "$HOME/.netrc"
	assert_status 1
	assert_output_has "2 names"
	assert_output_lacks key
}

@test "masks: @secrets are hidden in a visible home" {
	mkdir -p "$HOME/.ssh" "$HOME/.aws" "$HOME/.config/gh"
	echo key >"$HOME/.ssh/id_test"
	echo key >"$HOME/.aws/credentials"
	echo key >"$HOME/.config/gh/hosts.yml"
	echo key >"$HOME/.zsh_history"
	echo fine >"$HOME/.profile"
	local file
	works "$CORDON" --read "$HOME" --cwd / -- cat "$HOME/.profile"
	for file in .ssh/id_test .aws/credentials .config/gh/hosts.yml \
		.zsh_history; do
		works cat "$HOME/$file"
		fails "$CORDON" --read "$HOME" --cwd / -- cat "$HOME/$file"
		assert_output_has "Permission denied"
	done
}

@test "unmask: what a set masked is visible again, that alone" {
	mkdir -p "$HOME/.ssh" "$HOME/.aws"
	echo key >"$HOME/.ssh/k"
	echo key >"$HOME/.aws/k"
	works "$CORDON" --read "$HOME" --unmask "$HOME/.ssh" --cwd / -- \
		cat "$HOME/.ssh/k"
	fails "$CORDON" --read "$HOME" --unmask "$HOME/.ssh" --cwd / -- \
		cat "$HOME/.aws/k"
}

@test "unmask: of nothing is refused, of one's own mask contradicts" {
	mkdir x
	run box --unmask x -- true
	assert_refused bad_unmask
	run box --mask x --unmask x -- true
	assert_refused conflict
}

@test "P3: a typed read beats a set's mask at the same path" {
	mkdir -p "$HOME/.ssh"
	echo key >"$HOME/.ssh/config"
	works "$CORDON" --read "$HOME/.ssh" --cwd / -- cat "$HOME/.ssh/config"
	works "$CORDON" --read "$HOME/.ssh/config" --cwd / -- \
		cat "$HOME/.ssh/config"
}

@test "case 17: masking a linked directory of the system" {
	run "$CORDON" --mask /usr/local --cwd / -- /usr/bin/ls /usr/local
	assert_status 2
	assert_output_has "Permission denied"
	works "$CORDON" --cwd / -- /usr/bin/ls /usr/local
}

@test "case 22 23: a mask below a mask, or below what is a file" {
	mkdir -p h/in
	: >file
	fails box --mask h --mask h/in -- ls h/in
	run box --mask file/id -- true
	assert_refused bad_mask
}

@test "case 46: a thousand masks in one run" {
	mkdir many
	local i
	for ((i = 0; i < 1000; i++)); do
		echo key >many/$i
		printf '%s\0' --mask "$W/many/$i"
	done >"$SCRATCH/words"
	run box --args 4 -- sh -c 'cat many/* 2>/dev/null; ls many | wc -l' \
		4<"$SCRATCH/words"
	assert_output_is 1000
}

@test "R-31 not_yet: patterns and missing names are refused by name, not ignored" {
	run box --mask '*.key' -- true
	assert_refused not_yet
	run box --mask none -- true
	assert_refused not_yet
	assert_absent none
}

@test "root caller: what others could not read of /etc is masked" {
	require_root
	works cat /etc/shadow
	run "$CORDON" --cwd / -- cat /etc/shadow
	assert_status 1
	assert_output_has "Permission denied"
	works "$CORDON" --cwd / -- cat /etc/passwd
	works "$CORDON" --read /etc/shadow --cwd / -- head -c0 /etc/shadow
}

@test "@secrets: a link to where nobody may look hides no more than itself" {
	# an earlier run with the home writable could leave it
	mkdir "$HOME/shut"
	echo key >"$HOME/shut/netrc"
	echo kept >"$HOME/file"
	ln -s "$HOME/shut/netrc" "$HOME/.netrc"
	chmod 000 "$HOME/shut"
	run "$CORDON" --write "$HOME" --cwd / -- sh -c \
		"cat '$HOME/file'; chmod 700 '$HOME/shut'; cat '$HOME/shut/netrc'"
	local got=$output
	chmod 700 "$HOME/shut"
	ln -sf /proc/1/root/x "$HOME/.netrc"
	run "$CORDON" --write "$HOME" --cwd / -- cat "$HOME/file"
	[[ $got == *kept* ]]
	[[ $got != *key* ]]
	assert_status 0
	assert_output_is kept
}

@test "show --sets: also where a run could not start" {
	mkdir unseen
	cd unseen
	works "$CORDON" show --sets
	assert_output_has @secrets
	fails "$CORDON" show
	assert_output_has bad_cwd
}
