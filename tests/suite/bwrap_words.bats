#!/usr/bin/env bats
# bubblewrap's command line: its words, and what it says of wrong ones. The texts
# are bubblewrap's, because tools look for them.

load bwrap

@test "bwrap: the version, by both names" {
	works "$BWRAP" --version
	assert_output_is "bubblewrap 0.12.0"
	works "$CORDON" bwrap --version
	assert_output_is "bubblewrap 0.12.0"
}

@test "bwrap: the help on stdout, and without a command on stderr" {
	"$BWRAP" --help >out 2>err
	[ "$(head -n 1 out)" = "usage: $BWRAP [OPTIONS...] [--] COMMAND [ARGS...]" ]
	[ -z "$(sed -n 2p out)" ]
	[ ! -s err ]
	# one line an option
	[ "$(grep -c '^    --' out)" -eq 68 ]
	"$BWRAP" >out2 2>err && return 1
	cmp out err
	[ ! -s out2 ]
	"$BWRAP" --ro-bind / / >out2 2>err && return 1
	cmp out err
}

@test "bwrap: options end at the first other word, or at --" {
	works "$BWRAP" "${RO[@]}" sh -c 'echo "$1"' sh --version
	assert_output_is --version
	works "$BWRAP" "${RO[@]}" -- sh -c 'echo "$1"' sh --version
	assert_output_is --version
	says "execvp --version: No such file or directory" "${RO[@]}" -- --version
	says "Unknown option --ro-bin" --ro-bin / / true
	says "Unknown option --bind=/" --bind=/ / true
	says "Unknown option -" - true
	says "Unknown option -v" -v
	# none of them ran anything
	says "Unknown option --nope" "${RO[@]}" --bind "$W" "$W" --nope -- touch "$W/ran"
	assert_absent ran
}

@test "bwrap: the hidden switch of its tests" {
	works "$BWRAP" --debug-opt=print-assumed-kernel
	assert_output_is 5.12.0
	works bw --debug-opt=force-openat-fallback --debug-opt=force-mount-setattr-fallback true
	says "Unknown --debug-opt value: x" --debug-opt=x true
	says "Unknown option --debug-opt" --debug-opt x true
}

@test "bwrap: too few words" {
	local option
	for option in args bind ro-bind dev-bind bind-try; do
		run "$BWRAP" "--$option"
		assert_status 1
		assert_output_has "bwrap: --$option takes "
	done
	says "--chdir takes one argument" --chdir
	says "--argv0 takes one argument" --argv0
	says "--remount-ro takes one argument" --remount-ro
	says "--uid takes an argument" --uid
	says "--tmpfs takes an argument" --tmpfs
	says "--bind takes two arguments" --bind /
	says "--setenv takes two arguments" --setenv A
	says "--overlay takes three arguments" --overlay-src / --overlay / /
	says "--bind-fd takes two arguments" --ro-bind-fd 3
}

@test "bwrap: numbers" {
	local word
	for word in x -1 1x '' ' 1' 99999999999; do
		says "Invalid fd: $word" --sync-fd "$word" true
		says "Invalid uid: $word" --unshare-user --uid "$word" true
		says "Invalid gid: $word" --unshare-user --gid "$word" true
		says "Invalid fd: $word" --bind-fd "$word" /x true
	done
}

@test "bwrap: the last of several counts, and is said to" {
	local pair
	for pair in chdir:/ hostname:a uid:1 gid:1 info-fd:9 json-status-fd:9 \
		block-fd:9 sync-fd:9; do
		run "$BWRAP" "--${pair%:*}" "${pair#*:}" "--${pair%:*}" "${pair#*:}" --nope
		assert_status 1
		assert_output_is "bwrap: Only the last --${pair%:*} option will take effect
bwrap: Unknown option --nope"
	done
	# others may be repeated
	says "Unknown option --nope" --lock-file /a --lock-file /a --setenv A 1 \
		--setenv A 2 --cap-add ALL --cap-add ALL --nope
	says "--argv0 used multiple times" --argv0 a --argv0 b true
	run bw --chdir /usr --chdir /etc pwd
	assert_status 0
	assert_output_has /etc
}

@test "bwrap: levels of syslog from where they are asked for" {
	run "$BWRAP" --chdir / --level-prefix --chdir / --nope
	assert_output_is "<4>bwrap: Only the last --chdir option will take effect
<3>bwrap: Unknown option --nope"
	run "$BWRAP" --chdir / --chdir / --level-prefix --nope
	assert_output_is "bwrap: Only the last --chdir option will take effect
<3>bwrap: Unknown option --nope"
	run "$BWRAP" --level-prefix --bind /none /x true
	assert_output_is "<3>bwrap: Can't find source path /none: No such file or directory"
	run "$BWRAP" --level-prefix "${RO[@]}" nothing-such
	assert_output_is "<3>bwrap: execvp nothing-such: No such file or directory"
}

@test "bwrap: words from a descriptor" {
	printf '%s\0' --setenv A 1 >one
	printf '%s\0%s\0%s' --setenv B 2 >two
	printf '%s\0' --setenv C 3 -- not-the-command >three
	works bw --args 7 --setenv B 0 --args 8 --args 9 -- sh -c 'echo $A$B$C' \
		7<one 8<two 9<three
	assert_output_is 123
	printf '%s\0' --args 8 >four
	run "$BWRAP" --args 7 true 7<four
	assert_status 1
	assert_output_is "bwrap: --args not supported in arguments file"
	printf '%s\0' --bind / >five
	run "$BWRAP" --args 7 true 7<five
	assert_output_is "bwrap: --bind takes two arguments"
	says "Can't read --args data: Bad file descriptor" --args 77 true
	# a command cannot come from there
	printf 'true\0' >six
	run "$BWRAP" "${RO[@]}" --args 7 7<six
	assert_status 1
	assert_output_has "usage:"
}

@test "bwrap: at most 9000 words" {
	local i
	for ((i = 0; i < 4490; i++)); do
		printf -- '--unsetenv\0X\0'
	done >many
	works bw --args 7 -- true 7<many
	for ((i = 0; i < 20; i++)); do
		printf -- '--unsetenv\0X\0'
	done >>many
	run "$BWRAP" "${RO[@]}" --args 7 -- true 7<many
	assert_status 1
	assert_output_is "bwrap: Exceeded maximum number of arguments 9000"
}

@test "bwrap: --perms, --size and --overlay-src are for the next one" {
	local file="--perms must be followed by an option that creates a file"
	says "$file" --perms 700 --bind / / true
	says "$file" --perms 700 --symlink a /b true
	says "--perms given twice for the same action" --perms 700 --perms 700 --dir /a true
	for mode in 8 77777 x '' -1 0x1; do
		says "--perms takes an octal argument <= 07777" --perms "$mode" --dir /a true
		says "--chmod takes an octal argument <= 07777" --chmod "$mode" /a true
	done
	says "--size must be followed by --tmpfs" --size 4096 --dir /a true
	says "--size given twice for the same action" --size 1 --size 1 --tmpfs /a true
	for size in 0 x 1x '' -1 ' 1' 18446744073709551616; do
		says "--size takes a non-zero number of bytes" --size "$size" --tmpfs /a true
	done
	says "--size (for tmpfs) is limited to 9223372036854775807" \
		--size 9223372036854775808 --tmpfs /a true
	local must="--overlay-src must be followed by another --overlay-src or one of --overlay, --tmp-overlay, or --ro-overlay"
	says "$must" --overlay-src / --dir /a true
	says "$must" --overlay-src / true
	says "--overlay requires at least one --overlay-src" --overlay / / /a true
	says "--tmp-overlay requires at least one --overlay-src" --tmp-overlay /a true
	says "--ro-overlay requires at least two --overlay-src" --overlay-src / --ro-overlay /a true
	# one modifier may follow another, and a last one is for nobody
	works bw --perms 700 --size 8192 --tmpfs /mnt --perms 700 stat -c %a /mnt
	assert_output_is 700
}

@test "bwrap: words that do not go together" {
	says "--userns is not compatible with --unshare-user" --userns 7 --unshare-user true
	says "--userns is not compatible with --unshare-user-try" --unshare-all --userns 7 true
	says "--disable-userns requires --unshare-user" --disable-userns true
	says "--disable-userns is not compatible with --userns-block-fd" \
		--unshare-user --disable-userns --userns-block-fd 7 --info-fd 8 true
	says "--userns-block-fd requires --unshare-user" --userns-block-fd 7 --info-fd 8 true
	says "--userns-block-fd requires --info-fd" --unshare-user --userns-block-fd 7 true
	says "Specifying --hostname requires --unshare-uts" --hostname a true
	says "Specifying --as-pid-1 requires --unshare-pid" --as-pid-1 true
	says "Specifying --as-pid-1 and --lock-file is not permitted" \
		--unshare-pid --as-pid-1 --lock-file / true
	says "unknown cap: cap_such" --cap-add cap_such true
	says "unknown cap: kill" --cap-drop kill true
}

@test "bwrap: root needs a user namespace for another id" {
	require_root
	says "Specifying --uid requires --unshare-user or --userns" --uid 7 true
	says "Specifying --gid requires --unshare-user or --userns" --gid 7 true
	works "$BWRAP" "${RO[@]}" --uid 0 --gid 0 true
	works "$BWRAP" --unshare-user --uid 7 "${RO[@]}" id -u
	assert_output_is 7
}

@test "bwrap: empty paths" {
	local option
	for option in bind ro-bind-try symlink; do
		says "--$option does not take an empty path argument" "--$option" '' /a true
		says "--$option does not take an empty path argument" "--$option" /a '' true
	done
	for option in bind-fd ro-bind-fd file bind-data ro-bind-data; do
		says "--$option does not take an empty path argument" "--$option" 7 '' true
	done
	says "--chmod does not take an empty path argument" --chmod 700 '' true
	for option in dir tmpfs proc dev chdir remount-ro lock-file; do
		says "--$option does not take an empty path argument" "--$option" '' true
	done
}

@test "bwrap: variables in spoken order" {
	export KEPT=1 GONE=1
	works bw --setenv A 1 --unsetenv GONE --setenv A 2 -- \
		sh -c 'echo "$A ${GONE-gone} $KEPT"'
	assert_output_is "2 gone 1"
	works bw --setenv A 1 --clearenv --setenv B 2 --chdir / -- /usr/bin/env
	assert_output_is "B=2
PWD=/"
	says "setenv failed: Invalid argument" --setenv A=B c true
	says "unsetenv failed: Invalid argument" --unsetenv '' true
}

@test "bwrap: an unknown word of ours is none of bubblewrap's" {
	says "Unknown option --read" --read / true
	# and the other way round
	run "$CORDON" --ro-bind / / -- true
	assert_status 125
}
