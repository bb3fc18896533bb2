#!/usr/bin/env bash
# Banned: what no file calls, what only one file may do, and descriptors that
# would not be born close-on-exec.
. "$(dirname "$0")/common.sh"
need python3

# What (an extended regular expression for code, which has no literals): where
# it is allowed all the same (beginnings of file names, `*_main' for a file that
# defines a function of such a name, `-' for nowhere): why not.
banned='
(strcpy|strcat|stpcpy|sprintf|vsprintf|gets)\( : - : no bound on what it writes
(strtok|strtok_r)\( : - : changes its argument; see base/text.h
(atoi|atol|atoll|atof|sscanf)\( : - : takes anything for a number; see base/number.h
(system|popen|wordexp)\( : - : runs a shell
(alloca|strdupa)\( : - : no bound on the stack
(signal|siginterrupt)\( : - : sigaction says what it does
(mktemp|tmpnam|tempnam)\( : - : names a file it does not make
(fopen|freopen|fdopen|tmpfile)\( : seccomp/ : stdio hides its descriptor; see base/io.h
(pipe|accept|creat|epoll_create|inotify_init|dup)\( : - : its descriptor is not close-on-exec; use the newer call
F_DUPFD([^_]|$) : - : use F_DUPFD_CLOEXEC
(fork|vfork|clone|clone3|posix_spawnp?|daemon)\( : src/base/proc.c : only base/proc.c creates processes
(SYS|__NR)_(clone3?|v?fork) : src/base/proc.c : only base/proc.c creates processes
(stderr|STDERR_FILENO) : src/base/report.c src/base/arena.c seccomp/ inspect/inspect.c : only base/report.c speaks to the user
(perror|psignal|v?warnx?|v?errx?|error)\( : - : only base/report.c speaks to the user
(stdout|STDOUT_FILENO) : src/verbs/ seccomp/ inspect/ : only verbs write to stdout
(v?printf|puts|putchar)\( : src/verbs/ seccomp/ : only verbs write to stdout
(_?exit|_Exit|quick_exit|exit_group)\( : src/verbs/main.c src/base/arena.c seccomp/ *_main : only main.c and a *_main end a process
'

# Calls that must be told, and what the arguments must then contain.
close_on_exec='
open openat           O_CLOEXEC
socket socketpair     SOCK_CLOEXEC
accept4               SOCK_CLOEXEC
pipe2 dup3            O_CLOEXEC
memfd_create          MFD_CLOEXEC
epoll_create1         EPOLL_CLOEXEC
eventfd               EFD_CLOEXEC
signalfd              SFD_CLOEXEC
timerfd_create        TFD_CLOEXEC
inotify_init1         IN_CLOEXEC
fanotify_init         FAN_CLOEXEC
open_tree             OPEN_TREE_CLOEXEC
fsopen                FSOPEN_CLOEXEC
fspick                FSPICK_CLOEXEC
fsmount               FSMOUNT_CLOEXEC
'

mapfile -t files < <(c_files)
[ ${#files[@]} -gt 0 ] || exit 0

# shellcheck disable=SC2016 # awk
check='
function may(file, where,    i, n, places) {
	n = split(where, places, " ")
	for (i = 1; i <= n; i++)
		if (index(file, places[i]) == 1 ||
		    (places[i] == "*_main" && (file in ends)))
			return 1
	return 0
}

FILENAME == "/dev/fd/3" && NF {
	split($0, row, " : ")
	rows++
	what[rows] = "(^|[^A-Za-z0-9_.>])" row[1]
	where[rows] = row[2]
	why[rows] = row[3]
}

# FILE:LINE:code
FILENAME == "-" {
	split($0, at, ":")
	text = substr($0, length(at[1] at[2]) + 3)
	if (text ~ /^([a-z].*[ *])?[a-z0-9_]+_main\([^;]*$/)
		ends[at[1]] = 1
	for (i = 1; i <= rows; i++)
		if (text ~ what[i])
			found[++finds] = at[1] SUBSEP at[2] SUBSEP i SUBSEP text
}

END {
	for (i = 1; i <= finds; i++) {
		split(found[i], one, SUBSEP)
		gsub(/^[ \t]+/, "", one[4])
		if (!may(one[1], where[one[3]]))
			printf "%s:%d: banned, %s: %s\n",
				one[1], one[2], why[one[3]], one[4]
	}
}'

faults_from < <(python3 "$lint/csource.py" code "${files[@]}" |
	awk "$check" /dev/fd/3 - 3<<<"$banned")

declare -A flags
while read -ra names; do
	for name in "${names[@]::${#names[@]}-1}"; do
		flags[$name]=${names[-1]}
	done
done < <(sed '/^$/d' <<<"$close_on_exec")

while IFS=: read -r file line name arguments; do
	[[ $arguments == *"${flags[$name]}"* ]] ||
		fault "$file:$line: $name($arguments) without ${flags[$name]}"
done < <(python3 "$lint/csource.py" calls "$(IFS=,; echo "${!flags[*]}")" \
	"${files[@]}")
finish
