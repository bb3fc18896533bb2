# What the filter tests share: programs, a way to run under a filter, and an
# interpreter for filters that does not depend on the running kernel.
#
# Taken from the environment when set, else built here:
#   CORDON_SECCOMP TRYCALL WITHFILTER   the programs
#   CORDON_FILTER_RUNNER                a prefix that runs a command under the
#                                       default filter, like "./cordon --"

SOURCE=${TOP_SRCDIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
BUILD=${TOP_BUILDDIR:-$SOURCE}
PROFILES=$SOURCE/seccomp

# A skip that a set-up with MUST_WORK=1 does not accept.
filter_require() { # WHAT COMMAND...
	local what=$1
	shift
	if "$@" >/dev/null 2>&1; then
		return 0
	fi
	if [ "${MUST_WORK:-0}" = 1 ]; then
		echo "required here, and missing: $what"
		return 1
	fi
	echo "# SKIPPED: needs $what" >&3
	skip "needs $what"
}

# What no set-up can bring: the kernel has it or has not.
filter_kernel() { # WHAT COMMAND...
	local what=$1
	shift
	"$@" >/dev/null 2>&1 || skip "only for kernels with $what"
}

# The built program of the tree, else one made of its sources now.
find_program() { # VARIABLE BUILT OPTIONS SOURCE...
	local variable=$1 built=$BUILD/$2 made=$BATS_FILE_TMPDIR/${2##*/}
	local options=$3
	shift 3
	if [ -z "${!variable:-}" ]; then
		if [ ! -x "$built" ]; then
			built=$made
			# shellcheck disable=SC2086 # several options
			"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -O2 -o "$made" \
				"-I$BATS_FILE_TMPDIR" "$@" $options
		fi
		export "$variable=$built"
	fi
}

# As the rule in seccomp/local.mk does.
make_callnames() {
	echo '#include <sys/syscall.h>' | "${CC:-cc}" -E -dM - |
		sed -n 's/^#define SYS_\([a-z0-9_]*\) .*/{ "\1", SYS_\1 },/p'
}

filter_setup_file() {
	make_callnames >"$BATS_FILE_TMPDIR/callnames.h"
	find_program CORDON_SECCOMP cordon-seccomp '-lseccomp -ljson-c' \
		"$SOURCE"/seccomp/*.c
	find_program TRYCALL tests/helpers/trycall '' \
		"$SOURCE/tests/helpers/trycall.c"
	find_program WITHFILTER tests/helpers/withfilter '' \
		"$SOURCE/tests/helpers/withfilter.c"
	write_oracle >"$BATS_FILE_TMPDIR/oracle.py"
	export ORACLE=$BATS_FILE_TMPDIR/oracle.py
	local names
	for names in default 'default devel' 'default nested' \
		'default devel nested'; do
		# shellcheck disable=SC2086 # one word a profile
		compile "$(filter "$names")" $names
	done
}

filter() { # NAMES: the file of the program compiled from these profiles
	echo "$BATS_FILE_TMPDIR/${1// /+}.bpf"
}

compile() { # OUTPUT NAME...: shipped profiles, in order
	local output=$1
	shift
	local files=("${@/#/$PROFILES/}")
	"$CORDON_SECCOMP" -o "$output" "${files[@]/%/.json}"
}

under() { # NAMES COMMAND...: run under a shipped filter
	local names=$1
	shift
	if [ -n "${CORDON_FILTER_RUNNER:-}" ] && [ "$names" = default ]; then
		$CORDON_FILTER_RUNNER "$@"
	else
		"$WITHFILTER" "$(filter "$names")" -- "$@"
	fi
}

# Reads calls, one a line, and writes the answer to each. Descriptor 0, which a
# call with zeros means, is closed: fchmod(0, 0) by root is no harmless call.
answers() { # COMMAND...: a prefix such as `under default`, or nothing
	# shellcheck disable=SC2016 # for the inner shell
	"$@" sh -c 'while read -r words; do "$0" $words <&-; done' "$TRYCALL"
}

answer() { # NAMES CALL...
	local names=$1
	shift
	under "$names" "$TRYCALL" "$@"
}

oracle() { # SCRIPT on stdin, ARGUMENT...
	python3 -c "import json, re, sys; sys.argv[0:1] = []
exec(open('$ORACLE').read()); exec(sys.stdin.read())" - "$@"
}

# A line for each denied call: NAME ARGUMENTS = ERRNO.
denials() {
	oracle "$PROFILES/default.json" <<'PYTHON'
# Arguments with which the kernel itself would say something else. Rows that
# are not here are called with zeros.
SAMPLE = {
    "clone": "0x10000011", "unshare": "0x10000000", "socketpair": "2 1 0 @",
    "ptrace": "99 0", "process_vm_readv": "999999 0 0 0 0 0",
    "pidfd_getfd": "-1 0 0", "process_madvise": "-1 0 0 0 0", "bpf": "999 @ 8",
    "add_key": "1 1", "request_key": "1 1", "keyctl": "9999",
    "userfaultfd": "0xff", "fanotify_init": "0xffff",
    "sethostname": "1 65", "setdomainname": "1 65", "settimeofday": "1 0",
    "clock_settime": "99 @", "kexec_load": "0 0 0 0xff",
    "kexec_file_load": "-1 -1 0 0 0xff",
    "init_module": "0 0 0", "finit_module": "-1 @ 0", "acct": "1",
    "quotactl": "0xffffffff 0 0 0", "quotactl_fd": "-1 0", "syslog": "99 0 0",
    "reboot": "0 0 0 0", "iopl": "9", "ioperm": "0 0 0", "vmsplice": "-1 @ 1 0",
    "open_by_handle_at": "-1 1 0", "migrate_pages": "0 0 0 0",
    "statmount": "1 1 1 1", "listmount": "1 1 1 1", "listns": "1 1 1 1",
    "cachestat": "-1 0 0 0", "modify_ldt": "0 @ 0",
    "lookup_dcookie": "0 0 0", "personality": "0x400000",
}
profile = Profile(sys.argv[1:])
for name in sorted(profile.entries):
    for entry in profile.entries[name]:
        args = [0] * 6
        text = ""
        for test in entry.get("args", []):
            args[test["index"]] = test["valueTwo"]
        if entry.get("args"):
            text = " ".join(map(str, args))
        elif name in SAMPLE:
            text = SAMPLE[name]
            given = [int(a, 0) if a != "@" else 1 for a in text.split()]
            args[:len(given)] = [a & M64 for a in given]
        elif name == "socket":
            args[0], text = 17, "17 3 0"
        want, found = profile.decide(name, args)
        if want != ALLOW and name in profile.numbers:
            print(name, text, "=", word(want))
PYTHON
}

# A second reading of the profile and an interpreter of the program, in
# another language and by another way than the compiler's.
write_oracle() {
	cat <<'PYTHON'
import errno, struct, sys

M32, M64 = (1 << 32) - 1, (1 << 64) - 1
X86_64, I386, AARCH64 = 0xc000003e, 0x40000003, 0xc00000b7
ALLOW, ERRNO = 0x7fff0000, 0x00050000
CHECKED = "clone unshare socket socketpair ioctl personality prctl".split()

class Profile:
    def __init__(self, paths):
        import json
        files = [json.load(open(path)) for path in paths]
        self.default = ERRNO | files[0]["defaultErrnoRet"]
        self.numbers = header_numbers()
        for file in files:
            for name, number in file.get("cordon", {}).get("numbers", {}).items():
                if isinstance(number, dict):
                    number = number.get("SCMP_ARCH_X86_64")
                if number is not None:
                    self.numbers[name] = number
        self.entries = {}
        for file in files:
            mine = {}
            for entry in file["syscalls"]:
                for name in entry["names"]:
                    mine.setdefault(name, []).append(entry)
            self.entries.update(mine)

    def by_number(self):
        return {self.numbers[n]: n for n in self.entries if n in self.numbers}

    def decide(self, name, args):
        for entry in self.entries.get(name, []):
            if all(holds(test, args) for test in entry.get("args", [])):
                return action(entry), entry
        return self.default, None

def header_numbers():
    import re, subprocess
    text = subprocess.run(["cc", "-E", "-dM", "-include", "sys/syscall.h", "-"],
                          input="", capture_output=True, text=True).stdout
    return {m[1]: int(m[2])
            for m in re.finditer(r"#define __NR_(\w+) (\d+)\n", text)}

def action(entry):
    return (ALLOW if entry["action"] == "SCMP_ACT_ALLOW"
            else ERRNO | entry["errnoRet"])

def holds(test, args):
    value = args[test["index"]]
    if test["op"] == "SCMP_CMP_MASKED_EQ":
        return value & test["value"] == test["valueTwo"]
    return value == test["value"]

def word(result):
    # Python has ENOTSUP for 95 too, libc says EOPNOTSUPP.
    if result == ALLOW:
        return "ok"
    return errno.errorcode[result & 0xffff].replace("ENOTSUP", "EOPNOTSUPP")

class Program:
    def __init__(self, path):
        raw = open(path, "rb").read()
        self.code = list(struct.iter_unpack("<HBBI", raw))

    def run(self, number, args=(0,) * 6, arch=X86_64):
        """The action, and whether more than number and architecture was read."""
        data = struct.pack("<IIQ6Q", number & M32, arch, 0x1000,
                           *[a & M64 for a in args])
        a, at, looked = None, 0, False
        while True:
            code, jt, jf, k = self.code[at]
            at += 1
            if code == 0x20:
                a = struct.unpack_from("<I", data, k)[0]
                looked |= k > 4
            elif code == 0x06:
                return k, looked
            elif code == 0x05:
                at += k
            elif code == 0x54:
                a &= k
            else:
                at += jt if {0x15: a == k, 0x25: a > k, 0x35: a >= k,
                             0x45: a & k != 0}[code] else jf

def interesting(entries):
    """Values near every value that the entries test, by argument."""
    values = [{0, 1, M32, M64, 1 << 32} for _ in range(6)]
    for entry in entries:
        for test in entry.get("args", []):
            here = values[test["index"]]
            for v in (test["value"], test.get("valueTwo", 0)):
                here |= {v, v ^ 1, v | 1 << 32, (v - 1) & M64, v + 1 & M64}
            if bin(test["value"]).count("1") > 1:
                here |= {1 << bit for bit in range(64)}
    return values
PYTHON
}
