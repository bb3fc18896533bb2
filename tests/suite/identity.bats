#!/usr/bin/env bats
# Who the command is, inside and for the host.

load box

@test "case 98: the ids inside are the caller's" {
	works box -- sh -c 'id -u; id -g; touch f; stat -c "%u %g" f'
	assert_output_is "$(id -u)
$(id -g)
$(id -u) $(id -g)"
	[ "$(stat -c '%u %g' f)" = "$(id -u) $(id -g)" ]
}

@test "--uid --gid: of an ordinary user are those inside, the files stay the user's" {
	require_user
	works box --uid 4242 --gid 4343 -- sh -c 'id -u; id -g; touch f; stat -c %u:%g f'
	assert_output_is "4242
4343
4242:4343"
	[ "$(stat -c '%u:%g' f)" = "$(id -u):$(id -g)" ]
}

@test "--uid: a root caller really becomes that user" {
	require_root
	mkdir d
	chown 1001:1001 d
	works "$CORDON" --uid 1001 --write "$W/d" --cwd "$W/d" -- \
		sh -c 'id -u; touch f; cat /proc/self/uid_map | tr -s " "'
	assert_output_is "1001
 1001 1001 1"
	[ "$(stat -c %u d/f)" = 1001 ]
	# not with root's rights: what only root may read cannot be had
	echo key >root-only
	chmod 600 root-only
	run "$CORDON" --uid 1001 --read "$W" -- cat root-only
	assert_status 1
	assert_output_has "Permission denied"
	works "$CORDON" --read "$W" -- cat root-only
}

@test "--uid: a root caller's groups are gone" {
	require_root
	works "$CORDON" --uid 1001 --cwd / -- sh -c 'id -G'
	local expected
	expected=$(getent passwd 1001 | cut -d: -f4)
	assert_output_is "${expected:-1001}"
	works "$CORDON" --uid 1001 --gid 1002 --cwd / -- id -g
	assert_output_is 1002
}

@test "--uid --gid: what is no id is refused" {
	local word
	for word in x -1 '' 4294967295 4294967296 0x10 1.5; do
		run "$CORDON" --uid "$word" --cwd / -- true
		assert_refused bad_user
		run "$CORDON" --gid "$word" --cwd / -- true
		assert_refused bad_user
	done
}

@test "identity: passwd and group have a line for the ids" {
	local options=()
	is_root || options=(--uid 4242 --gid 4343)
	works box "${options[@]}" -- sh -c 'getent passwd "$(id -u)" && getent group "$(id -g)" && id -un && id -gn'
	works box "${options[@]}" -- sh -c 'whoami'
	fails box -- sh -c 'echo x >>/etc/passwd'
}

@test "L-25 identity: getpwuid gives the home inside" {
	require_user
	require python3
	works box --uid 4242 -- /usr/bin/python3 -c \
		'import os, pwd; print(pwd.getpwuid(os.getuid()).pw_dir, os.path.expanduser("~"))'
	assert_output_is "$HOME $HOME"
}

@test "identity: the host's own users are still known" {
	works box -- sh -c 'getent passwd root && getent group root'
	assert_output_has "root:x:0:0"
}

@test "--hostname: that name inside, the host's stays" {
	local before
	before=$(uname -n)
	works box -- uname -n
	assert_output_is cordon
	works box --hostname build-7.local -- sh -c 'uname -n; getent hosts build-7.local'
	assert_output_has build-7.local
	[ "$(uname -n)" = "$before" ]
}

@test "--hostname: what is no host name is refused" {
	local name
	for name in '' 'a b' -x 'a/b' $'a\nb' "$(printf 'x%.0s' {1..65})"; do
		run box --hostname "$name" -- true
		assert_refused bad_hostname
	done
}

@test "case 85: ssh reads its configuration" {
	command -v ssh >/dev/null || skip_or_fail "no ssh"
	works box -- ssh -G localhost
	assert_output_has "hostname localhost"
	assert_output_lacks "Bad owner"
	is_root || works box --uid 0 --gid 0 -- ssh -G localhost
}

@test "case 98: git works in a directory of the caller's" {
	require git
	git init -q .
	works box -- git status --short
	works box -- git -c user.name=a -c user.email=a@localhost commit -q --allow-empty -m x
}

@test "identity: tar extracts as the user" {
	: >f
	tar cf t.tar f
	rm f
	works box -- tar xf t.tar
	[ "$(stat -c %u f)" = "$(id -u)" ]
}
