#!/usr/bin/env bash
# Selftest: every lint passes on a small sound tree, and fails for the right
# reason when one fault is planted in it.
. "$(dirname "$0")/common.sh"
for program in python3 nm ld gcc clang-format shellcheck mandoc; do
	need "$program"
done

work=$(mktemp -d "${TMPDIR:-/tmp}/cordon-lint.XXXXXX")
trap 'rm -rf "$work"' EXIT
clang_format=$TOP_SRCDIR/.clang-format
compile="gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -ffunction-sections -Isrc"

# put FILE: its text comes on stdin.
put() {
	mkdir -p "$(dirname "$1")"
	cat >"$1"
}

# function NAME [LINE...]: a function in the house style.
function_named() {
	printf '\nint %s(int a)\n{\n' "$1"
	shift
	[ $# -eq 0 ] || printf '\t%s\n' "$@"
	printf '\treturn a;\n}\n'
}

# room NAME [LIBRARY CALL]: one source, one header, one archive.
room() {
	put "src/$1/$1.h" <<-END
		#ifndef ROOM_$1
		#define ROOM_$1
		int $1_do(int a);
		#endif
	END
	{
		printf '#include "%s/%s.h"\n' "$1" "$1"
		function_named "$1_do"
	} | put "src/$1/$1.c"
}

archives() {
	local dir room
	for dir in src/*/; do
		room=$(basename "$dir")
		[ "$room" != verbs ] || continue
		rm -f "lib$room.a"
		$compile -w -c "src/$room/$room.c" -o "$room.o" &&
			ar cr "lib$room.a" "$room.o" || return
	done
}

# What resembles a fault and is none.
near_misses() {
	printf '/* strcpy(a, b) and fork() are banned. */\n'
	function_named near_miss 'int err = open(b, O_CLOEXEC);' \
		'if (err != 0)' '	snprintf(b, c, "exit(1), printf(stderr)");' \
		'a = fcntl(a, F_DUPFD_CLOEXEC, 3);' 'b->exit(a);' \
		'b.signal(sys_dup(a));' 'sigaction(a, b, NULL);'
}

sound_tree() {
	local name
	for name in base policy host plan engine watch verbs; do
		room $name
	done
	near_misses | put src/base/near_misses.c
	put src/host/facts.h </dev/null
	put src/engine/handshake.h </dev/null
	cp "$clang_format" .clang-format
	put script.sh <<-'END'
		#!/bin/sh
		echo "$1"
	END
	put tests/suite/a.bats <<-'END'
		#!/usr/bin/env bats
		@test "a" {
			run ! false
		}
	END
	put cordon <<-'END'
		#!/bin/sh
		echo '{"options":[{"name":"read"},{"name":"mask"}],' \
			'"reasons":["bad_read"],"events":["ready"]}'
	END
	chmod +x cordon
	put man/cordon.1 <<-'END'
		.Dd January 1, 2026
		.Dt CORDON 1
		.Os
		.Sh NAME
		.Nm cordon
		.Nd run a command behind a wall
		.Sh DESCRIPTION
		.Bl -tag -width Ds
		.It Fl -read Ar SRC
		Read.
		.It Fl -mask Ar PATH
		Mask.
		.El
	END
	put man/cordon-status.5 <<-'END'
		.Dd January 1, 2026
		.Dt CORDON-STATUS 5
		.Os
		.Sh NAME
		.Nm cordon-status
		.Nd the status stream
		.Sh DESCRIPTION
		.Bl -tag -width Ds
		.It Sy bad_read
		A reason.
		.It Sy ready
		An event.
		.El
	END
	echo 'complete -W "--read --mask" cordon' | put completions/cordon
	echo '_arguments --read --mask' | put completions/_cordon
	printf 'complete -c cordon -l %s\n' read mask | put completions/cordon.fish
	{
		echo '## Requirements'
		sed -n "/^ids='/,/^'/p" "$lint/requirements.sh"
	} | put HACKING.md
	archives
}

run_lint() {
	TOP_SRCDIR=$PWD TOP_BUILDDIR=$PWD LINT_CC=$compile \
		bash "$lint/$1.sh" 2>&1
}

count=0

# plant LINT EXPECTED...: runs the commands on stdin in a fresh copy of the sound
# tree; LINT must then fail with a line for each EXPECTED (a pattern of the
# shell's).
plant() {
	local name=$1 expected said script before=$faults
	shift
	script=$(cat)
	cp -a "$work/sound" "$work/planted"
	cd "$work/planted" || exit 1
	eval "$script" || fault "$name: faults could not be planted: $script"
	! said=$(run_lint "$name") || fault "$name passes over: $script"
	for expected in "$@"; do
		count=$((count + 1))
		# shellcheck disable=SC2053 # a pattern
		[[ $said == *$expected* ]] || fault "$name does not say: $expected"
	done
	[ "$before" -eq "$faults" ] || printf '%s said:\n%s\n' "$name" "$said"
	cd "$work" && rm -rf "$work/planted"
}

mkdir "$work/sound"
cd "$work/sound" || exit 1
sound_tree || fault "the sound tree does not compile"
for name in banned doors drift format headers link purity requirements \
	sizes; do
	said=$(run_lint "$name") || fault "$name fails on the sound tree: $said"
done

plant doors '"policy/words.h" is no door of plan' \
	'src/policy/policy.c: "host/facts.h" is no door of policy' \
	'engine sees policy/policy.h through src/plan/plan.h' \
	'src/attic: a room without a line in the table' <<'END'
echo '#include "policy/words.h"' >>src/plan/plan.c
echo '#include "host/facts.h"' >>src/policy/policy.c
echo '#include "policy/policy.h"' >>src/plan/plan.h
echo '#include "plan/plan.h"' >>src/engine/engine.c
mkdir src/attic
END

plant requirements 'N-15: in no test' 'L-2: in no test' 'N-16: a test has it' <<'END'
sed -i 's/ N-15 / /; s/^L-2 //' HACKING.md
printf '@test "N-16 a: b" {\n\ttrue\n}\n' >>tests/suite/a.bats
END

plant link 'engine calls policy_do' 'base calls plan_do' <<'END'
function_named engine_ask 'int policy_do(int);' 'a = policy_do(a);' >>src/engine/engine.c
function_named base_ask 'int plan_do(int);' 'a = plan_do(a);' >>src/base/base.c
archives
END

plant purity 'policy calls getenv' 'plan reaches getpid' <<'END'
function_named policy_ask 'char *getenv(const char *);' 'a += !getenv("A");' >>src/policy/policy.c
function_named base_ask 'int getpid(void);' 'a += getpid();' >>src/base/base.c
function_named plan_ask 'int base_ask(int);' 'a = base_ask(a);' >>src/plan/plan.c
archives
END

plant sizes 'long_one: 61 lines' 'main: 31 lines' 'deep: 4 levels of nesting' \
	'wide: 6 parameters' 'src/base/blank.h: 601 lines' \
	'tests/suite/blank.bats: 601 lines' <<'END'
mapfile -t lines < <(yes 'a++;' | head -n 57)
function_named long_one "${lines[@]}" >>src/base/base.c
function_named main "${lines[@]::27}" >>src/verbs/verbs.c
function_named deep 'if (a)' 'for (;;)' 'while (a) {' 'do' 'a++;' 'while (a);' '}' >>src/base/base.c
printf 'int wide(int a, int b, int c,\n\t int d, int e, int (*f)(int, int))\n{\n\treturn 0;\n}\n' >>src/base/base.c
yes '' | head -n 601 >src/base/blank.h
yes '' | head -n 601 | put tests/suite/blank.bats
END

plant headers 'src/base/base.h does not compile alone' <<'END'
echo 'size_t base_size(void);' >>src/base/base.h
END

# Each in a file of its own: what is said of the file must be the right reason.
banned_calls='
base/b1.c   : no bound on what it writes : strcpy(b, c);
base/b2.c   : changes its argument       : strtok(b, c);
base/b3.c   : anything for a number      : a = atoi(b);
base/b4.c   : runs a shell               : system(b);
base/b5.c   : no bound on the stack      : b = alloca(a);
base/b6.c   : sigaction says             : signal(a, b);
base/b7.c   : a file it does not make    : mktemp(b);
base/b8.c   : stdio hides                : f = fopen(b, c);
base/b9.c   : not close-on-exec          : pipe(b);
base/b10.c  : use F_DUPFD_CLOEXEC        : fcntl(a, F_DUPFD, 3);
base/b11.c  : creates processes          : if (fork())
engine/e1.c : creates processes          : syscall(SYS_clone3, b);
verbs/v1.c  : speaks to the user         : fprintf(stderr, b);
verbs/v2.c  : speaks to the user         : perror(b);
base/b12.c  : verbs write to stdout      : write(STDOUT_FILENO, b, c);
engine/e2.c : verbs write to stdout      : printf(b);
engine/e3.c : end a process              : _exit(a);
base/b13.c  : without O_CLOEXEC          : open(b, O_RDONLY);
base/b14.c  : without SOCK_CLOEXEC       : socket(AF_UNIX, f(SOCK_STREAM), 0);
base/b15.c  : without O_CLOEXEC          : pipe2(b, 0);
base/b16.c  : without FSMOUNT_CLOEXEC    : fsmount(a, 0, 0);
'
expected=()
while IFS='|' read -r file why call; do
	function_named x "$call" | put "$work/sound/banned/$file"
	expected+=("src/$file:4: "*"$why")
done < <(sed '/^$/d; s/ *: */|/; s/ *: */|/' <<<"$banned_calls")
plant banned "${expected[@]}" <<'END'
cp -r banned/* src
END

plant drift 'man/cordon.1 lacks --mask' 'man/cordon.1 has --write' \
	'completions/cordon lacks --mask' 'completions/_cordon has --unread' \
	'completions/cordon.fish lacks --read' 'no .It for the reason bad_read' \
	'no .It for the event ready' <<'END'
sed -i '/-mask/d; s/-read/-read , Fl -write/' man/cordon.1
sed -i 's/ --mask//' completions/cordon
echo --unread >>completions/_cordon
sed -i /read/d completions/cordon.fish
sed -i 's/bad_read/bad_write/; s/ready/done/' man/cordon-status.5
END
plant drift 'missing: man/cordon.1' 'missing: */cordon' <<'END'
rm man/cordon.1 cordon
END
plant drift 'cordon features' <<'END'
echo 'echo {}' >cordon
END

plant format 'src/base/base.c:7:4: error' 'script.sh:3:1: warning' 'tool:2:1: warning' \
	'man/cordon.1:15' 'tests/suite/a.bats:3: asserts nothing' \
	'README:1: a path of this machine' 'README:2: a host of a registry' <<'END'
printf 'int  a ;\n' >>src/base/base.c
printf '%s\n' 'cd "$1"' >>script.sh
printf '#!/bin/sh\n%s\n' 'cd "$1"' >tool
printf '.Bl -tag\n.Xx\n' >>man/cordon.1
sed -i 's/run ! false/! false/' tests/suite/a.bats
printf 'see %s/src\nfrom http://%s.%s/debian\n' "$PWD" mirror example.org >README
END

cd "$TOP_SRCDIR" || exit 1
echo "$count planted faults"
finish
