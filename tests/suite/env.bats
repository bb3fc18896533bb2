#!/usr/bin/env bats
# The environment: what passes, what never does, what is set.

load box

inside() {
	"$CORDON" --cwd / "$@" -- env
}

@test "env: the caller's variables pass, byte for byte" {
	export PLAIN='a b"c$d;e' EMPTY='' LINES_2=$'one\ntwo'
	works "$CORDON" --cwd / -- sh -c 'printf "%s|%s|%s" "$PLAIN" "${EMPTY-unset}" "$LINES_2"'
	assert_output_is 'a b"c$d;e||one
two'
}

@test "N-14: agents' variables are dropped, and named in ready" {
	export SSH_AUTH_SOCK=/s SSH_AGENT_PID=1 GPG_AGENT_INFO=/g FOO_AGENT_PID=1 \
		FOO_AGENT_INFO=x FOO_AGENT_SOCK=y DBUS_SESSION_BUS_ADDRESS=unix:x
	export AI_AGENT=1 CLAUDE_AGENT_SDK_VERSION=2 AGENT=3
	works env
	assert_output_has SSH_AUTH_SOCK
	works "$CORDON" --status-fd 4 --cwd / -- env 4>"$SCRATCH/s"
	local name
	for name in SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO FOO_AGENT_PID \
		FOO_AGENT_INFO FOO_AGENT_SOCK DBUS_SESSION_BUS_ADDRESS; do
		[[ $'\n'$output != *$'\n'$name=* ]]
		grep -q "\"$name\"" "$SCRATCH/s"
	done
	assert_output_has AI_AGENT=1
	assert_output_has CLAUDE_AGENT_SDK_VERSION=2
	assert_output_has AGENT=3
	run grep -c AI_AGENT "$SCRATCH/s"
	assert_output_is 0
}

@test "N-14: no names when nothing was dropped, and never a value" {
	export SSH_AUTH_SOCK=/telling/value
	works "$CORDON" --status-fd 4 --cwd / -- true 4>"$SCRATCH/s"
	run cat "$SCRATCH/s"
	assert_output_lacks telling
	unset SSH_AUTH_SOCK DBUS_SESSION_BUS_ADDRESS
	run env -i PATH="$PATH" HOME="$HOME" sh -c \
		"'$CORDON' --status-fd 4 --cwd / -- true 4>'$SCRATCH/s'; grep -c AGENT '$SCRATCH/s'"
	assert_output_is 0
}

@test "env: an agent's variable passes when it is named" {
	export SSH_AUTH_SOCK=/s
	works inside --env SSH_AUTH_SOCK
	assert_output_has SSH_AUTH_SOCK=/s
	works inside --env @agent-env
	assert_output_has SSH_AUTH_SOCK=/s
}

@test "N-13: temp variables point at the private temp" {
	TMPDIR=$SCRATCH TMP=/x TEMP=/y TMPPREFIX=/z works inside
	assert_output_has TMPDIR=/tmp
	assert_output_has TMP=/tmp
	assert_output_has TEMP=/tmp
	assert_output_has TMPPREFIX=/tmp/zsh
	assert_output_has "XDG_RUNTIME_DIR=/run/user/$(id -u)"
	works "$CORDON" --cwd / -- sh -c 'mktemp'
	assert_output_has /tmp/
}

@test "case 83: a long TMPDIR outside is no trouble inside" {
	TMPDIR=$SCRATCH/$(printf 'x%.0s' {1..150})
	export TMPDIR
	mkdir "$TMPDIR"
	works "$CORDON" --cwd / -- sh -c 'echo $TMPDIR'
	assert_output_is /tmp
	unset TMPDIR
}

@test "--env: sets, replaces and passes; the last word holds" {
	export OLD=1
	works inside --env NEW=2 --env OLD=3 --env EMPTY= --env WITH==x
	assert_output_has NEW=2
	assert_output_has OLD=3
	assert_output_has WITH==x
	run inside --env A=1 --env A=2
	assert_output_has A=2
	assert_output_lacks A=1
	works inside --env TMPDIR=/var/tmp
	assert_output_has TMPDIR=/var/tmp
}

@test "--env: of a variable that is not set adds none" {
	unset NOT_SET
	works inside --env NOT_SET
	assert_output_lacks NOT_SET
}

@test "--env: what is no name is refused" {
	local word
	for word in '' =x; do
		run inside --env "$word"
		assert_refused bad_env
	done
}

@test "--unset-env: names, patterns and sets" {
	export AAA_ONE=1 AAA_TWO=2 BBB=3 MY_TOKEN=t API_KEY=k AWS_SECRET_ACCESS_KEY=s
	works inside --unset-env 'AAA_*'
	assert_output_lacks AAA_
	assert_output_has BBB=3
	works inside --unset-env BBB
	assert_output_lacks BBB=
	assert_output_has AAA_ONE=1
	works inside --unset-env @secret-env
	assert_output_lacks MY_TOKEN
	assert_output_lacks API_KEY
	assert_output_lacks AWS_SECRET
	assert_output_has BBB=3
	works inside --unset-env @secret-env --env MY_TOKEN
	assert_output_has MY_TOKEN=t
	assert_output_lacks API_KEY
}

@test "L-3 --clear-env: only what is named, and what is ours" {
	export KEEP=1 DROP=2
	works inside --clear-env --env KEEP --env PATH
	assert_output_has KEEP=1
	assert_output_lacks DROP
	run bash -c "'$CORDON' --clear-env --cwd / -- /usr/bin/env | cut -d= -f1 | sort | tr '\n' ' '"
	assert_output_has "TEMP TMP TMPDIR TMPPREFIX XDG_RUNTIME_DIR"
	local name
	for name in $output; do
		case $name in
		FAKEROOTDONTTRYCHOWN | HOME | PWD | TEMP | TMP | TMPDIR) ;;
		TMPPREFIX | XDG_RUNTIME_DIR) ;;
		*) echo "not ours: $name"; return 1 ;;
		esac
	done
	works inside --clear-env --env @basic-env
	assert_output_has PATH=
	assert_output_lacks DROP
}

@test "env: order counts, what is set before --clear-env is gone" {
	works inside --env A=1 --clear-env --env B=2 --env PATH
	assert_output_has B=2
	assert_output_lacks A=1
}

@test "env: @sets of paths are no sets of names" {
	run inside --env @system
	assert_refused bad_env
	run inside --unset-env @none
	assert_refused bad_env
}

@test "N-18: no variable changes the launcher" {
	local name
	for name in CORDON CORDON_DISABLE CORDON_NO_SANDBOX NO_SANDBOX IN_SANDBOX \
		CORDON_OPTIONS CORDON_PROFILE CORDON_ARGS LD_PRELOAD \
		LD_LIBRARY_PATH BASH_ENV ENV GCONV_PATH; do
		run env "$name=1" "$CORDON" --cwd / -- sh -c "touch $W/x"
		assert_absent x
	done
	works touch x
}

@test "A25: hostile variables do not make the launcher run or load anything" {
	printf '#!/bin/sh\ntouch %s\n' "$SCRATCH/ran" >evil
	chmod +x evil
	run env LD_PRELOAD="$W/evil" LD_AUDIT="$W/evil" BASH_ENV="$W/evil" \
		ENV="$W/evil" PAGER="$W/evil" "$CORDON" --clear-env --cwd / -- true
	assert_absent "$SCRATCH/ran"
}

@test "env: a variable without = or twice does no harm" {
	require python3
	run python3 -c "
import ctypes, sys
libc = ctypes.CDLL(None)
argv = (ctypes.c_char_p * 6)(sys.argv[1].encode(), b'--cwd', b'/', b'--', b'/usr/bin/env', None)
envp = (ctypes.c_char_p * 6)(b'PATH=/usr/bin:/bin', b'BROKEN', b'A=1', b'A=2', b'=x', None)
libc.execve(sys.argv[1].encode(), argv, envp)" "$CORDON"
	assert_status 0
	assert_output_has A=1
	assert_output_lacks A=2
	assert_output_lacks BROKEN
}

@test "env: PWD is the working directory inside" {
	works "$CORDON" --cwd / -- sh -c 'echo $PWD'
	assert_output_is /
	works box -- env
	assert_output_has "PWD=$W"
}

@test "case 84: the caller's environment is untouched" {
	local before
	before=$(env | sort)
	works inside --clear-env --env X=1 --env PATH
	[ "$(env | sort)" = "$before" ]
}
