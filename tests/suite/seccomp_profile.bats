#!/usr/bin/env bats
# Profiles of users: what cordon-seccomp accepts, what it refuses, and which
# of several rules decides.

load filter_common

setup_file() {
	filter_setup_file
}

setup() {
	cd "$BATS_TEST_TMPDIR" || exit 1
}

# Compiles the profile on stdin as p.json into p.bpf.
profile() {
	cat >p.json
	run "$CORDON_SECCOMP" -o p.bpf p.json
}

# A profile whose only entry has the given members, over a default of ERRNO.
entry() {
	profile <<-EOF
		{ "defaultAction": "SCMP_ACT_ERRNO", "syscalls": [ { $1 } ] }
	EOF
}

refused() { # WORDS of the only complaint
	echo "$output"
	[ "$status" -eq 125 ]
	[ "$output" = "cordon-seccomp: p.json: $1" ]
	[ ! -e p.bpf ]
}

accepted() {
	echo "$output"
	[ "$status" -eq 0 ]
	[ -s p.bpf ]
}

# The actions for calls, "NUMBER [ARG...]" each, by interpretation: ok, an
# errno or the number. All in one line.
decides() {
	python3 -ISs -c "import sys; exec(open('$ORACLE').read())
program, out = Program('p.bpf'), []
for call in sys.argv[1:]:
    words = [int(w, 0) for w in call.split()]
    got = program.run(words[0], words[1:] + [0] * (7 - len(words)), $ARCH)[0]
    out.append(word(got) if got == ALLOW or got >> 16 == 5 else hex(got))
print(*out)" "$@"
}
ARCH=X86_64

OK='"names": ["read"], "action": "SCMP_ACT_ALLOW"'

@test "profile: one allowed call" {
	entry "$OK"
	accepted
	run decides 0 1
	[ "$output" = 'ok ENOSYS' ]
}

@test "profile: malformed JSON" {
	echo '{ "defaultAction": ' >p.json
	run "$CORDON_SECCOMP" -o p.bpf p.json
	refused 'byte 20: unexpected end of data'
	profile <<<'{} {}'
	refused 'byte 3: text after the end'
	profile <<<'{ "a": 1, }'
	[ "$status" -eq 125 ]
	profile <<<'[]'
	refused 'must be an object'
	profile </dev/null
	[ "$status" -eq 125 ]
	printf '{ "comment": "\377" }' >p.json
	run "$CORDON_SECCOMP" -o p.bpf p.json
	[ "$status" -eq 125 ]
	run "$CORDON_SECCOMP" -o p.bpf absent.json
	[ "$output" = 'cordon-seccomp: absent.json: No such file or directory' ]
	[ "$status" -eq 125 ]
	run "$CORDON_SECCOMP" -o p.bpf .
	[ "$output" = 'cordon-seccomp: .: Is a directory' ]
	[ ! -e p.bpf ]
}

@test "profile: too large, too deep" {
	{
		head -c 1048577 /dev/zero | tr '\0' ' '
		echo '{}'
	} | cat >p.json
	run "$CORDON_SECCOMP" -o p.bpf p.json
	refused 'larger than 1 MiB'
	{
		printf '[%.0s' {1..40}
		printf ']%.0s' {1..40}
	} >p.json
	run "$CORDON_SECCOMP" -o p.bpf p.json
	[[ "$output" == *'nesting too deep' ]]
	[ "$status" -eq 125 ]
}

@test "profile: members with wrong names, types and values" {
	profile <<<'{ "defaultAction": 1 }'
	[[ "$output" == *'p.json: defaultAction: must be string, is int'* ]]
	profile <<<'{}'
	refused 'lacks "defaultAction"'
	profile <<<'{ "defaultAction": "SCMP_ACT_KIL" }'
	refused 'defaultAction: unknown action "SCMP_ACT_KIL"'
	profile <<<'{ "defaultAction": "SCMP_ACT_ALLOW", "syscall": [] }'
	refused 'syscall: unknown key'
	entry "$OK, \"arg\": []"
	refused 'syscalls[0].arg: unknown key'
	entry '"names": ["read"]'
	refused 'syscalls[0]: lacks "action"'
	entry '"action": "SCMP_ACT_ALLOW"'
	refused 'syscalls[0]: lacks "names"'
	entry "$OK, \"name\": \"write\""
	refused 'syscalls[0].name: name and names exclude each other'
	entry '"names": [0], "action": "SCMP_ACT_ALLOW"'
	refused 'syscalls[0].names[0]: must be string, is int'
	entry '"names": ["ptrace\u0000x"], "action": "SCMP_ACT_ALLOW"'
	refused 'syscalls[0].names[0]: contains a NUL'
	entry "$OK, \"errnoRet\": 1"
	refused 'syscalls[0]: only SCMP_ACT_ERRNO has an errno'
	entry '"names": ["read"], "action": "SCMP_ACT_ERRNO", "errnoRet": 4096'
	refused 'syscalls[0].errnoRet: 4096 is not between 0 and 4095'
	entry '"names": ["read"], "action": "SCMP_ACT_ERRNO", "errnoRet": -1'
	refused 'syscalls[0].errnoRet: -1 is not between 0 and 4095'
	entry '"names": ["read"], "action": "SCMP_ACT_ERRNO", "errno": "EBAD"'
	refused 'syscalls[0].errno: unknown errno "EBAD"'
	entry '"names": ["read"], "action": "SCMP_ACT_ERRNO", "errno": "EIO",
		"errnoRet": 1'
	refused 'syscalls[0]: errno by name (5) and by number (1) differ'
	entry '"names": ["read"], "action": "SCMP_ACT_\u001b[2J"'
	refused 'syscalls[0].action: unknown action "SCMP_ACT_\u001b[2J"'
}

@test "profile: argument tests" {
	args() {
		entry "$OK, \"args\": [ $1 ]"
	}
	args '{ "index": 6, "value": 0, "op": "SCMP_CMP_EQ" }'
	refused 'syscalls[0].args[0].index: 6 is not between 0 and 5'
	args '{ "index": 0, "value": -1, "op": "SCMP_CMP_EQ" }'
	refused 'syscalls[0].args[0].value: -1 is not between 0 and 18446744073709551615'
	args '{ "index": 0, "value": 1.5, "op": "SCMP_CMP_EQ" }'
	refused 'syscalls[0].args[0].value: must be int, is double'
	args '{ "index": 0, "value": 0, "op": "X" }'
	refused 'syscalls[0].args[0].op: unknown operator "X"'
	args '{ "index": 0, "value": 1, "valueTwo": 1, "op": "SCMP_CMP_GE" }'
	refused 'syscalls[0].args[0]: valueTwo is for SCMP_CMP_MASKED_EQ'
	args '{ "index": 0, "value": 1, "valueTwo": 2,
		"op": "SCMP_CMP_MASKED_EQ" }'
	refused 'syscalls[0].args[0]: valueTwo has bits outside the mask: this never holds'
	args '{ "index": 0, "value": 1, "op": "SCMP_CMP_NE" },
		{ "index": 0, "value": 2, "op": "SCMP_CMP_NE" }'
	refused 'syscalls[0].args[1]: argument 0 is tested twice; write one entry for each test'
	args '{ "index": 0, "value": 99999999999999999999, "op": "SCMP_CMP_EQ" }'
	[[ "$output" == *'number out of range' ]]
	[ "$status" -eq 125 ]
	# In a string it is no number; the largest one is one.
	entry "$OK, \"comment\": \"\\\" 99999999999999999999\", \"args\": [
		{ \"index\": 0, \"value\": 18446744073709551615,
		  \"op\": \"SCMP_CMP_EQ\" } ]"
	accepted
	run decides '0 0xffffffffffffffff' '0 0xfffffffffffffffe'
	[ "$output" = 'ok EPERM' ]
}

@test "profile: actions that need a supervisor, by name" {
	local action
	for action in SCMP_ACT_NOTIFY SCMP_ACT_TRACE; do
		entry "\"names\": [\"read\"], \"action\": \"$action\""
		refused "syscalls[0].action: $action needs a supervising process, which cordon does not give it"
	done
}

@test "profile: all faults in one run" {
	profile <<-'EOF'
		{ "defaultAction": "A", "flags": ["F"], "syscalls": [
		{ "names": ["read"], "action": "B", "args": [
		{ "index": 9, "value": 0, "op": "X" } ] }, 7 ], "extra": {} }
	EOF
	[ "$status" -eq 125 ]
	[ "$output" = 'cordon-seccomp: p.json: defaultAction: unknown action "A"
cordon-seccomp: p.json: flags[0]: unknown flag "F"
cordon-seccomp: p.json: syscalls[0].action: unknown action "B"
cordon-seccomp: p.json: syscalls[0].args[0].index: 9 is not between 0 and 5
cordon-seccomp: p.json: syscalls[0].args[0].op: unknown operator "X"
cordon-seccomp: p.json: syscalls[1]: must be object, is int
cordon-seccomp: p.json: extra: unknown key' ]
}

@test "profile: the six operators on 64 bits" {
	local op call=0
	{
		echo '{ "defaultAction": "SCMP_ACT_ERRNO", "syscalls": [ { "names": ["getpid"], "action": "SCMP_ACT_ALLOW" }'
		for op in NE LT LE EQ GE GT; do
			echo ", { \"names\": [\"$(set -- read write open close stat fstat
				shift $call
				echo "$1")\"], \"action\": \"SCMP_ACT_ALLOW\",
				\"args\": [ { \"index\": 1, \"value\": 8589934597, \"op\": \"SCMP_CMP_$op\" } ] }"
			call=$((call + 1))
		done
		echo '] }'
	} >p.json
	run "$CORDON_SECCOMP" -o p.bpf p.json
	accepted
	# 0x200000005, its neighbours, and the same in one half only
	local value calls=()
	for value in 0x200000004 0x200000005 0x200000006 0x100000006 \
		0x300000004 5 0x200000000; do
		calls+=("0 0 $value" "1 0 $value" "2 0 $value" "3 0 $value" \
			"4 0 $value" "5 0 $value")
	done
	decides "${calls[@]}" | sed 's/ok */y/g; s/EPERM */n/g' |
		fold -w 6 >got
	run cat got
	[ "$output" = 'yyynnn
nnyyyn
ynnnyy
yyynnn
ynnnyy
yyynnn
yyynnn' ]
}

@test "profile: a deny rule under a broad allow is not lost" {
	profile <<-'EOF'
		{ "defaultAction": "SCMP_ACT_ERRNO", "syscalls": [
		{ "names": ["socket"], "action": "SCMP_ACT_ALLOW" },
		{ "names": ["socket"], "action": "SCMP_ACT_ERRNO", "errnoRet": 97,
		  "args": [ { "index": 0, "value": 38, "op": "SCMP_CMP_EQ" } ] } ] }
	EOF
	accepted
	run decides '41 38' '41 2'
	[ "$output" = 'EAFNOSUPPORT ok' ]
}

@test "profile: match first takes entries as written" {
	local entries='
		{ "names": ["socket"], "action": "SCMP_ACT_ALLOW",
		  "args": [ { "index": 0, "value": 1, "op": "SCMP_CMP_EQ" } ] },
		{ "names": ["socket"], "action": "SCMP_ACT_ERRNO", "errnoRet": 97 }'
	profile <<<"{ \"defaultAction\": \"SCMP_ACT_ALLOW\", \"syscalls\": [ $entries ] }"
	accepted
	[ "$(decides '41 1')" = EAFNOSUPPORT ]
	profile <<<"{ \"defaultAction\": \"SCMP_ACT_ALLOW\", \"cordon\": { \"match\": \"first\" }, \"syscalls\": [ $entries ] }"
	accepted
	run decides '41 1' '41 2'
	[ "$output" = 'ok EAFNOSUPPORT' ]
	rm p.bpf
	profile <<<"{ \"defaultAction\": \"SCMP_ACT_ALLOW\", \"cordon\": { \"match\": \"first\" }, \"syscalls\": [ $entries, { \"names\": [\"socket\"], \"action\": \"SCMP_ACT_ALLOW\" } ] }"
	refused 'syscalls[2]: never reached for call 41: syscalls[1] decides it'
}

# The shape of Docker's default profile, small.
docker() {
	cat <<-'EOF'
		{ "defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 1,
		"archMap": [
		{ "architecture": "SCMP_ARCH_X86_64",
		  "subArchitectures": ["SCMP_ARCH_X86", "SCMP_ARCH_X32"] },
		{ "architecture": "SCMP_ARCH_AARCH64",
		  "subArchitectures": ["SCMP_ARCH_ARM"] },
		{ "architecture": "SCMP_ARCH_RISCV64", "subArchitectures": null } ],
		"syscalls": [
		{ "names": ["read", "getpid", "socketcall", "fstatat64"],
		  "action": "SCMP_ACT_ALLOW", "args": [], "comment": "",
		  "includes": {}, "excludes": {} },
		{ "names": ["ptrace"], "action": "SCMP_ACT_ALLOW", "args": null,
		  "includes": { "minKernel": "4.8" } },
		{ "names": ["kcmp"], "action": "SCMP_ACT_ALLOW",
		  "includes": { "minKernel": "99.0" } },
		{ "names": ["arch_prctl"], "action": "SCMP_ACT_ALLOW",
		  "includes": { "arches": ["amd64", "x32"] } },
		{ "names": ["cacheflush"], "action": "SCMP_ACT_ALLOW",
		  "includes": { "arches": ["arm", "arm64"] } },
		{ "names": ["clone", "bpf"], "action": "SCMP_ACT_ALLOW",
		  "includes": { "caps": ["CAP_SYS_ADMIN"] } },
		{ "names": ["clone"], "action": "SCMP_ACT_ALLOW", "args": [
		  { "index": 0, "value": 2114060288, "valueTwo": 0,
		    "op": "SCMP_CMP_MASKED_EQ" } ],
		  "excludes": { "caps": ["CAP_SYS_ADMIN"], "arches": ["s390x"] } },
		{ "names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38,
		  "excludes": { "caps": ["CAP_SYS_ADMIN"] } } ] }
	EOF
}

@test "profile: the shape of Docker's" {
	profile < <(docker)
	accepted
	[ "$output" = '' ]
	run decides 0 101 312 158 321 '56 17' '56 0x10000011' 435 900 \
		0x40000027 0x40000000 0x40000001
	# ptrace and kcmp by kernel, arch_prctl by architecture, bpf without the
	# capability, clone, clone3, a later call, x32
	[ "$output" = 'ok ok EPERM ok EPERM ok EPERM ENOSYS ENOSYS ok ok EPERM' ]
	ARCH=I386
	run decides 20 102 0
	[ "$output" = 'ok ok EPERM' ]
	ARCH=AARCH64
	[ "$(decides 63)" = ENOSYS ]
}

@test "profile: without archMap other architectures are shut, whatever the default" {
	profile <<<'{ "defaultAction": "SCMP_ACT_ALLOW" }'
	accepted
	run decides 0 0x40000000
	[ "$output" = 'ok ENOSYS' ]
	ARCH=I386
	[ "$(decides 20)" = ENOSYS ]
	run "$WITHFILTER" p.bpf -- true
	[ "$status" -eq 0 ]
}

@test "profile: unknown calls are left out, but a denial is not" {
	entry '"names": ["read", "no_such"], "action": "SCMP_ACT_ALLOW"'
	accepted
	[ "$output" = 'cordon-seccomp: p.json: syscalls[0]: note: the call "no_such" is unknown and left out' ]
	rm p.bpf
	profile <<<'{ "defaultAction": "SCMP_ACT_ALLOW", "syscalls": [
		{ "names": ["no_such"], "action": "SCMP_ACT_ERRNO" } ] }'
	refused 'syscalls[0]: the call "no_such" is unknown and cannot be denied'
	profile <<<'{ "defaultAction": "SCMP_ACT_ALLOW",
		"cordon": { "numbers": { "no_such": 777 } }, "syscalls": [
		{ "names": ["no_such"], "action": "SCMP_ACT_ERRNO" } ] }'
	accepted
	[ "$(decides 777)" = EPERM ]
	rm p.bpf
	profile <<<'{ "defaultAction": "SCMP_ACT_ALLOW",
		"cordon": { "numbers": { "read": 7 } }, "syscalls": [
		{ "names": ["read"], "action": "SCMP_ACT_ERRNO" } ] }'
	refused 'cordon.numbers: "read" is 0, not 7'
}

@test "profile: errno names, kills, log and trap" {
	profile <<-'EOF'
		{ "defaultAction": "SCMP_ACT_LOG", "syscalls": [
		{ "name": "read", "action": "SCMP_ACT_ERRNO", "errno": "EIO" },
		{ "names": ["write"], "action": "SCMP_ACT_KILL" },
		{ "names": ["open"], "action": "SCMP_ACT_KILL_PROCESS" },
		{ "names": ["close"], "action": "SCMP_ACT_TRAP" } ] }
	EOF
	accepted
	run decides 0 1 2 3 4
	[ "$output" = 'EIO 0x0 0x80000000 0x30000 0x7ffc0000' ]
}

@test "profile: a fragment replaces by call, and may not change the frame" {
	entry '"names": ["read", "write"], "action": "SCMP_ACT_ALLOW"'
	accepted
	echo '{ "syscalls": [ { "names": ["read"], "action": "SCMP_ACT_ERRNO",
		"errno": "EIO" } ] }' >f.json
	run "$CORDON_SECCOMP" -o p.bpf p.json f.json
	accepted
	run decides 0 1
	[ "$output" = 'EIO ok' ]
	echo '{ "defaultAction": "SCMP_ACT_ALLOW", "syscalls": [] }' >f.json
	run "$CORDON_SECCOMP" -o p.bpf p.json f.json
	[ "$output" = 'cordon-seccomp: f.json: defaultAction: unknown key' ]
	[ "$status" -eq 125 ]
}

@test "profile: more than 4096 instructions" {
	local i
	{
		echo '{ "defaultAction": "SCMP_ACT_ALLOW", "syscalls": ['
		for ((i = 0; i < 2000; i++)); do
			echo "{ \"names\": [\"read\"], \"action\": \"SCMP_ACT_ERRNO\",
				\"args\": [ { \"index\": 2, \"value\": $((i + 300000)),
				\"op\": \"SCMP_CMP_EQ\" } ] },"
		done
		echo '{ "names": ["write"], "action": "SCMP_ACT_ERRNO" } ] }'
	} >p.json
	run "$CORDON_SECCOMP" -o p.bpf p.json
	[ "$output" = 'cordon-seccomp: the filter has more than 4096 instructions' ]
	[ "$status" -eq 125 ]
	# 900 fit, need long jumps, and load.
	sed -i 2702,6001d p.json
	run "$CORDON_SECCOMP" -o p.bpf p.json
	accepted
	run decides '0 0 0 300899' '0 0 0 300900' 1
	[ "$output" = 'EPERM ok EPERM' ]
	run "$WITHFILTER" p.bpf -- true
	[ "$status" -eq 0 ]
}

@test "profile: command line and output" {
	run "$CORDON_SECCOMP"
	[ "$status" -eq 125 ]
	entry "$OK"
	run "$CORDON_SECCOMP" --c '1x' p.json
	[ "$status" -eq 125 ]
	run "$CORDON_SECCOMP" --c filter p.json
	[ "${lines[0]}" = 'static const struct sock_filter filter[] = {' ]
	[ "${lines[1]}" = $'\t{ 0x20, 0, 0, 0x00000004 },' ]
	run "$CORDON_SECCOMP" -o /dev/full p.json
	[ "$output" = 'cordon-seccomp: /dev/full: No space left on device' ]
	[ "$status" -eq 125 ]
	"$CORDON_SECCOMP" p.json >q.bpf
	cmp p.bpf q.bpf
}
