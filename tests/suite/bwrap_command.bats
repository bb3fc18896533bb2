#!/usr/bin/env bats
# bubblewrap's command line: the command itself. Its filters, where it starts, how
# it is found and what it is called.

# shellcheck disable=SC2016
load bwrap

number() {
	printf '#include <sys/syscall.h>\nSYS_%s\n' "$1" | cc -E -P -x c - | tail -n 1
}

# -- filters -------------------------------------------------------------------

@test "bwrap command: --seccomp, for the command and process 1" {
	require cc
	program "$(number sync):42" >filter
	[ $(($(stat -c %s filter) % 8)) -eq 0 ]
	works bw --seccomp 9 "$HELPERS/trycall" sync 9<filter
	assert_output_is ENOMSG
	works bw "$HELPERS/trycall" sync
	assert_output_is "ok 0"
	# a moment after the command's own start, as the original's
	works bw --unshare-pid --seccomp 9 sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do
		grep -q "^Seccomp:.*2" /proc/1/status && echo filtered && exit; sleep 0.1
	done' 9<filter
	assert_output_is filtered
	works bw --unshare-pid grep Seccomp: /proc/1/status
	assert_output_is "$(grep Seccomp: /proc/self/status)"
	# the last one counts
	program "$(number sync):43" >other
	run bw --seccomp 8 --seccomp 9 "$HELPERS/trycall" sync 8<filter 9<other
	assert_output_is "bwrap: Only the last --seccomp option will take effect
EIDRM"
}

@test "bwrap command: --add-seccomp-fd, one after the other" {
	require cc
	program "$(number sync):42" "$(number getuid):42" >first
	program "$(number sync):43" >second
	works bw --add-seccomp-fd 8 --add-seccomp-fd 9 "$HELPERS/trycall" sync 8<first 9<second
	assert_output_is EIDRM
	works bw --add-seccomp-fd 9 --add-seccomp-fd 8 "$HELPERS/trycall" sync 8<first 9<second
	assert_output_is ENOMSG
	works bw --add-seccomp-fd 9 --add-seccomp-fd 8 "$HELPERS/trycall" getuid 8<first 9<second
	assert_output_is ENOMSG
	# one that denies prctl must be the last
	program "$(number prctl):1" >last
	says "prctl(PR_SET_SECCOMP): Operation not permitted" \
		"${RO[@]}" --add-seccomp-fd 8 --add-seccomp-fd 9 true 8<last 9<first
	works bw --add-seccomp-fd 9 --add-seccomp-fd 8 true 8<last 9<first
	works bw --unshare-pid --add-seccomp-fd 9 --add-seccomp-fd 8 true 8<last 9<first
}

@test "bwrap command: a filter that is too long is not its own beginning" {
	# 4096 that would let all through, and then more; 65537, which is 1 in 16 bits
	/usr/bin/python3 - <<-'END'
		import struct
		allow = struct.pack('<HBBI', 6, 0, 0, 0x7fff0000)
		deny = struct.pack('<HBBI', 6, 0, 0, 0x50001)
		load = struct.pack('<HBBI', 0x20, 0, 0, 0)
		open('longest', 'wb').write(load * 4095 + allow)
		open('longer', 'wb').write(load * 4095 + allow + deny)
		open('wraps', 'wb').write(allow + load * 65535 + deny)
	END
	local how
	for how in --seccomp --add-seccomp-fd; do
		says "prctl(PR_SET_SECCOMP): Invalid argument" "${RO[@]}" $how 9 true 9<longer
		says "prctl(PR_SET_SECCOMP): Invalid argument" "${RO[@]}" $how 9 true 9<wraps
		# the control
		works bw $how 9 true 9<longest
	done
}

@test "bwrap command: filters that are none" {
	program >filter
	head -c 7 filter >short
	local words
	for words in '' --unshare-pid; do
		# shellcheck disable=SC2086
		{
			says "Invalid seccomp data, must be multiple of 8" \
				"${RO[@]}" $words --seccomp 9 true 9<short
			says "Invalid seccomp data, must be multiple of 8" \
				"${RO[@]}" $words --add-seccomp-fd 9 true 9<short
			says "Can't read seccomp data: Is a directory" \
				"${RO[@]}" $words --seccomp 9 true 9</
			says "prctl(PR_SET_SECCOMP): Invalid argument" \
				"${RO[@]}" $words --seccomp 9 true 9</dev/null
		}
	done
	says "--seccomp cannot be combined with --add-seccomp-fd" \
		--add-seccomp-fd 8 --seccomp 9 true 8<filter 9<filter
	says "--add-seccomp-fd cannot be combined with --seccomp" \
		--seccomp 9 --add-seccomp-fd 8 true 8<filter 9<filter
}

# -- the command ---------------------------------------------------------------

@test "bwrap command: where it starts" {
	mkdir dir
	ln -s dir link
	works bw sh -c 'pwd -P; echo "$PWD"'
	assert_output_is "$W
$W"
	works bw --chdir "$W/dir" printenv PWD
	assert_output_is "$W/dir"
	# as it was typed
	works bw --chdir "$W/link" sh -c 'printenv PWD; pwd -P'
	assert_output_is "$W/link
$W/dir"
	# where the old one is not: the home, as it is set for the command
	local new=(--ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64
		--symlink usr/bin /bin --dir /h --dir /g)
	works "$BWRAP" "${new[@]}" --setenv HOME /h sh -c 'pwd -P; printenv PWD'
	assert_output_is "/h
/h"
	HOME=/g works "$BWRAP" "${new[@]}" printenv PWD
	assert_output_is /g
	works "$BWRAP" "${new[@]}" --setenv HOME /none printenv PWD
	assert_output_is /
	works "$BWRAP" "${new[@]}" --unsetenv HOME printenv PWD
	assert_output_is /
	# PWD is never the caller's word for it
	PWD=/wrong works bw printenv PWD
	assert_output_is "$W"
	works bw --setenv PWD /wrong printenv PWD
	assert_output_is "$W"
	works bw --unsetenv PWD printenv PWD
	assert_output_is "$W"
	# a relative one is inside's, from the root
	works bw --chdir etc pwd
	assert_output_is /etc
}

@test "bwrap command: it is looked for by the PATH that it gets" {
	mkdir one two
	printf '#!/bin/sh\necho one\n' >one/it
	printf '#!/bin/sh\necho two\n' >two/it
	chmod +x one/it two/it
	works bw --setenv PATH "$W/one:$W/two" it
	assert_output_is one
	works bw --setenv PATH "$W/two:$W/one" it
	assert_output_is two
	chmod -x one/it
	works bw --setenv PATH "$W/one:$W/two" it
	assert_output_is two
	says "execvp it: Permission denied" "${RO[@]}" --bind "$W" "$W" --setenv PATH "$W/one:/none" it
	says "execvp it: No such file or directory" "${RO[@]}" --setenv PATH /none it
	# an empty part is the current directory
	works bw --setenv PATH : --chdir "$W/two" it
	assert_output_is two
	# none at all: /bin and /usr/bin
	works bw --clearenv env
	assert_output_is "PWD=$W"
	works bw --unsetenv PATH printenv PWD
	assert_output_is "$W"
	works bw --chdir "$W/two" ./it
	assert_output_is two
	says "execvp : No such file or directory" "${RO[@]}" ""
}

@test "bwrap command: its own name" {
	works bw --argv0 other sh -c 'tr "\0" "," </proc/$$/cmdline | cut -d, -f1'
	assert_output_is other
	works bw --argv0 '' cat /proc/self/cmdline
	[ "${output:0:1}" = "/" ] || [ "$status" -eq 0 ]
	says "--argv0 used multiple times" --argv0 a --argv0 b true
}

@test "bwrap command: a script without #! is sh's" {
	printf 'echo "script $#" "$@"\n' >script
	chmod +x script
	works bw "$W/script"
	assert_output_is "script 0"
	works bw "$W/script" a 'b c'
	assert_output_is "script 2 a b c"
	works bw --setenv PATH "$W:$PATH" script x
	assert_output_is "script 1 x"
	works bw --unshare-pid --argv0 other "$W/script" x
	assert_output_is "script 1 x"
}
