#!/usr/bin/env bats
# bubblewrap's command line: from the start of a sandbox to its end. Descriptors,
# what is told about it, locks, waiting, signals, and what is left.

# shellcheck disable=SC2016
load bwrap

eval "bwrap_$(declare -f setup)"
eval "box_$(declare -f teardown)"

setup() {
	bwrap_setup
	# what this test's own processes are known by
	MARK=$((1000000 + BASHPID))
}

teardown() {
	pkill -KILL -xf "sleep $MARK" || true
	box_teardown
}

marked() {
	pgrep -xf "sleep $MARK" >/dev/null
}

is_gone() {
	run pgrep -xf "sleep $MARK"
	[ "$status" -eq 1 ]
}

# Which of 5 to 9 the command has; bats has others of its own.
held='for fd in 5 6 7 8 9; do [ ! -e /proc/self/fd/$fd ] || echo $fd; done'

# -- descriptors ---------------------------------------------------------------

@test "bwrap life: root's program is out of reach (CVE-2019-5736)" {
	require_root
	fails bw --unshare-pid --cap-drop ALL --proc /proc readlink /proc/1/exe
	fails bw --cap-drop ALL --dev /dev --sync-fd 9 sh -c 'readlink /proc/$PPID/exe' 9<"$W"
	# the control: one's own
	works bw --unshare-pid --cap-drop ALL --proc /proc readlink /proc/self/exe
	local i locks=()
	for i in {1..100}; do locks+=(--lock-file /etc/passwd); done
	works bw "${locks[@]}" true
}

@test "bwrap life: all the caller's descriptors arrive" {
	works bw sh -c "$held; cat <&5" 5<<<text 6</dev/null 7</ 8<&0 9>&1
	assert_output_is "5
6
7
8
9
text"
	works bw --unshare-pid sh -c "$held" 6</dev/null 9>&1
	assert_output_is "6
9"
}

# consumed NAMES WORD...: these of 5 to 9 do not arrive, and others do.
consumed() {
	local gone=$1 fd expected=
	shift
	for fd in 5 6 7 8 9; do
		[[ $gone == *$fd* ]] || expected+=$fd$'\n'
	done
	works bw "$@" sh -c "$held"
	assert_output_is "${expected%$'\n'}"
}

@test "bwrap life: what was meant for bwrap does not arrive" {
	local reaper
	mkfifo free
	program >filter
	exec 5</dev/null 6</dev/null 7</dev/null 8</dev/null 9</dev/null
	for reaper in '' --unshare-pid; do
		consumed '' $reaper
		consumed 5 $reaper --args 5 5< <(printf -- '--setenv\0A\0b\0')
		consumed 5 $reaper --info-fd 5 5>info
		consumed 5 $reaper --json-status-fd 5 5>info
		consumed 5 $reaper --block-fd 5
		consumed 5 $reaper --seccomp 5 5<filter
		consumed 56 $reaper --add-seccomp-fd 5 --add-seccomp-fd 6 5<filter 6<filter
		consumed 567 $reaper --tmpfs /mnt --file 5 /mnt/a --bind-data 6 /mnt/b \
			--ro-bind-data 7 /mnt/c
		consumed 89 $reaper --bind-fd 8 /mnt --ro-bind-fd 9 /srv 8<. 9<.
		consumed 5 $reaper --sync-fd 5
	done
	# the one exception, by the original's design
	consumed '' --unshare-pid --as-pid-1 --sync-fd 5
	exec 5<&- 6<&- 7<&- 8<&- 9<&-
}

# -- what is told --------------------------------------------------------------

# number_of NAME: a namespace of the command's, as it found it.
number_of() {
	tr -dc 0-9 <"space.$1"
}

note='for n in cgroup ipc mnt net pid uts; do readlink /proc/self/ns/$n >space.$n; done'

@test "bwrap life: --info-fd and --json-status-fd, byte for byte" {
	works bw --unshare-all --info-fd 8 --json-status-fd 9 sh -c "$note; exit 0" 8>info 9>json
	child_pid info
	local pid=$CHILD
	cat >expected <<-EOF
		{
		    "child-pid": $pid,
		    "cgroup-namespace": $(number_of cgroup),
		    "ipc-namespace": $(number_of ipc),
		    "mnt-namespace": $(number_of mnt),
		    "net-namespace": $(number_of net),
		    "pid-namespace": $(number_of pid),
		    "uts-namespace": $(number_of uts)
		}
	EOF
	cmp info expected
	cat >expected <<-EOF
		{ "child-pid": $pid, "cgroup-namespace": $(number_of cgroup), "ipc-namespace": $(number_of ipc), "mnt-namespace": $(number_of mnt), "net-namespace": $(number_of net), "pid-namespace": $(number_of pid), "uts-namespace": $(number_of uts) }
		{ "exit-code": 0 }
	EOF
	cmp json expected
	# only what is not shared
	run bw --info-fd 8 --json-status-fd 9 sh -c "$note; echo \$\$ >pid; exit 42" 8>info 9>json
	assert_status 42
	pid=$(cat pid)
	[ "$pid" -ne "$CHILD" ]
	printf '{\n    "child-pid": %d,\n    "mnt-namespace": %d\n}\n' "$pid" "$(number_of mnt)" >expected
	cmp info expected
	printf '{ "child-pid": %d, "mnt-namespace": %d }\n{ "exit-code": 42 }\n' \
		"$pid" "$(number_of mnt)" >expected
	cmp json expected
}

@test "bwrap life: the process that is told is the sandbox's first" {
	local words
	for words in '' --unshare-pid '--unshare-pid --as-pid-1'; do
		# shellcheck disable=SC2086
		start told bw $words --json-status-fd 9 \
			sh -c "echo up; exec sleep $MARK" 9>json
		child_pid json
		[ "$(readlink "/proc/$CHILD/ns/mnt")" != "$(readlink /proc/self/ns/mnt)" ]
		if [ "$words" = --unshare-pid ]; then
			[ "$(sed -n 's/^NSpid:.*\t//p' "/proc/$CHILD/status")" -eq 1 ]
		else
			[ "$(tr '\0' ' ' <"/proc/$CHILD/cmdline")" = "sleep $MARK " ]
		fi
		kill -KILL "$CHILD"
	done
}

@test "bwrap life: exit codes, and where none is told" {
	local words code
	for words in '' --unshare-pid '--unshare-pid --as-pid-1' '--unshare-user --disable-userns'; do
		for code in 0 1 42 126 255; do
			# shellcheck disable=SC2086
			run bw $words --json-status-fd 9 sh -c "exit $code" 9>json
			assert_status "$code"
			[ "$(tail -n +2 json)" = "{ \"exit-code\": $code }" ]
		done
		# shellcheck disable=SC2086
		run bw $words --json-status-fd 9 -- none-such 9>json
		assert_status 1
		assert_output_is "bwrap: execvp none-such: No such file or directory"
		[ "$(grep -c child-pid json)" -eq 1 ]
		[ "$(grep -c exit-code json)" -eq 0 ]
		# shellcheck disable=SC2086
		run bw $words --json-status-fd 9 --chdir /none true 9>json
		assert_status 1
		assert_output_is "bwrap: Can't chdir to /none: No such file or directory"
		[ "$(grep -c exit-code json)" -eq 0 ]
		# shellcheck disable=SC2086
		run bw $words --json-status-fd 9 --chmod 700 /none/such true 9>json
		assert_status 1
		[ "$(grep -c exit-code json)" -eq 0 ]
	done
	for words in '' --unshare-pid; do
		for code in 1 9 11 15; do
			# shellcheck disable=SC2086
			run bw $words --json-status-fd 9 sh -c "ulimit -c 0; kill -$code \$\$" 9>json
			assert_status $((128 + code))
			[ "$(tail -n +2 json)" = "{ \"exit-code\": $((128 + code)) }" ]
		done
	done
	: >plain
	run bw "$W/plain"
	assert_status 1
	assert_output_is "bwrap: execvp $W/plain: Permission denied"
}

# -- process 1 -----------------------------------------------------------------

@test "bwrap life: --as-pid-1" {
	works bw --unshare-pid --as-pid-1 sh -c 'echo $$; ls -d /proc/[0-9]* | wc -l'
	[ "${lines[0]}" -eq 1 ]
	works bw --unshare-pid sh -c 'echo $$'
	assert_output_is 2
	says "Specifying --as-pid-1 requires --unshare-pid" --as-pid-1 true
	says "Specifying --as-pid-1 and --lock-file is not permitted" \
		--unshare-pid --as-pid-1 --lock-file /x true
}

@test "bwrap life: process 1 tells neither words nor variables" {
	export HUSH=secret-variable
	works bw --unshare-pid --setenv OTHER secret-setting --tmpfs /mnt --dir /mnt/secret-path \
		sh -c 'cat /proc/1/cmdline /proc/1/environ /proc/1/comm | tr "\0" "\n"'
	assert_output_lacks secret
	assert_output_lacks "$W"
	# nor anything else of these, also before all is done
	works bw --clearenv --setenv PATH "$PATH" --unshare-pid \
		sh -c 'for i in 1 2 3 4 5; do tr -d "\0" </proc/1/cmdline; tr -d "\0" </proc/1/environ; done'
	assert_output_is ""
	# the control: outside they are there
	start one "$BWRAP" --ro-bind / / --bind "$W" "$W" --die-with-parent \
		sh -c 'echo up; exec sleep 60'
	grep -q "$W" "/proc/${STARTED[0]}/cmdline"
	grep -q secret-variable "/proc/${STARTED[0]}/environ"
}

# Process 1 keeps the lock's, --sync-fd's, and the launcher's socket.
@test "bwrap life: no descriptor of process 1 leads anywhere" {
	local words
	for words in '' '--cap-drop ALL' '--unshare-user --uid 0 --cap-add ALL'; do
		# shellcheck disable=SC2086
		works bw --unshare-pid $words sh -c 'cd /proc/1 && until cd fd 2>/dev/null; do :; done
			while [ -e 5 ] || [ -e 6 ]; do :; done
			for fd in *; do readlink $fd || true; done' 5</ 6<.
		[ "$output" = "${output#socket:}" ] || [ "${#lines[@]}" -eq 1 ]
		assert_output_lacks /
	done
}

# One who looks at once: every descriptor that can be opened below, or read as a
# link to a directory.
look='import os, sys, time
end = time.monotonic() + float(sys.argv[1])
seen = set()
while time.monotonic() < end:
    try:
        for fd in os.listdir("/proc/1/fd"):
            if os.path.isdir("/proc/1/fd/" + fd):
                seen.add(fd)
    except OSError:
        pass
print(len(seen))'

@test "bwrap life: nor at once at the start, for anybody" {
	local words i
	for words in '' '--cap-drop ALL' '--unshare-user --uid 0 --cap-add ALL'; do
		for i in 1 2 3 4 5; do
			# shellcheck disable=SC2086
			works bw --unshare-pid $words /usr/bin/python3 -ISc "$look" 0.05
			assert_output_is 0
		done
	done
	# the control: what process 1 has is seen so
	works bw --unshare-pid --sync-fd 9 /usr/bin/python3 -ISc "$look" 0.05 9</
	assert_output_is 1
}

@test "bwrap life: nor while process 1 is held up" {
	require strace
	local words slow=(strace -f -o /dev/null -e trace=close_range
		-e inject=close_range:delay_enter=400000)
	for words in '' '--cap-drop ALL' '--unshare-user --uid 0 --cap-add ALL'; do
		# shellcheck disable=SC2086
		works "${slow[@]}" "$BWRAP" "${RO[@]}" --unshare-pid $words \
			/usr/bin/python3 -ISc "$look" 0.5
		assert_output_is 0
	done
}

@test "bwrap life: --lock-file is held while it runs" {
	: >"$W/lock"
	local try='import fcntl, sys
f = open(sys.argv[1], "r+")
fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB)'
	start one bw --lock-file "$W/lock" --die-with-parent sh -c 'echo up; exec sleep 60'
	fails /usr/bin/python3 -c "$try" lock
	assert_output_has BlockingIOError
	# shared: two may hold it
	works bw --lock-file "$W/lock" true
	end_started
	await /usr/bin/python3 -c "$try" lock
	says "Unable to open lock file $W/none: No such file or directory" \
		"${RO[@]}" --lock-file "$W/none" true
	start two /usr/bin/python3 -uc "$try
print('up')
import time
time.sleep(60)" lock
	says "Unable to lock file $W/lock: Resource temporarily unavailable" \
		"${RO[@]}" --bind "$W" "$W" --lock-file "$W/lock" true
}

@test "bwrap life: --sync-fd ends with the sandbox, and not before" {
	mkfifo fifo
	sh -c 'cat fifo; echo ended' >ended 3>&- &
	STARTED+=($!)
	"$BWRAP" "${RO[@]}" --unshare-pid --sync-fd 9 sh -c "sleep $MARK & exit 0" 9>fifo 3>&- >/dev/null 2>&1
	# something still lives in it
	marked
	[ ! -s ended ]
	pkill -KILL -xf "sleep $MARK"
	await grep -q ended ended
}

# -- waiting -------------------------------------------------------------------

@test "bwrap life: --block-fd, released by a byte or by the end" {
	mkfifo fifo
	local end
	for end in 'printf x >&9' 'exec 9>&-'; do
		rm -f ran info
		exec 9<>fifo
		bw --info-fd 7 --block-fd 8 touch ran 7>info 8<fifo 9>&- 3>&- &
		STARTED+=($!)
		await grep -q '^}' info
		sleep 0.1
		assert_absent ran
		eval "$end"
		wait "${STARTED[-1]}"
		[ -e ran ]
		exec 9>&-
	done
}

@test "bwrap life: --userns-block-fd, the map written by the caller" {
	mkfifo fifo
	exec 9<>fifo
	bw --unshare-user --info-fd 7 --userns-block-fd 8 sh -c \
		'id -u; id -g; cat /proc/self/uid_map | xargs' 7>info 8<fifo 9>&- 3>&- >out &
	STARTED+=($!)
	await grep -q '^}' info
	child_pid info
	# bwrap has written none
	[ -z "$(cat "/proc/$CHILD/uid_map")" ]
	echo deny >"/proc/$CHILD/setgroups"
	echo "7 $(id -u) 1" >"/proc/$CHILD/uid_map"
	echo "8 $(id -g) 1" >"/proc/$CHILD/gid_map"
	printf x >&9
	wait "${STARTED[-1]}"
	exec 9>&-
	assert_content out "7
8
7 $(id -u) 1"
	says "--userns-block-fd requires --info-fd" --unshare-user --userns-block-fd 8 true
}

# -- its end -------------------------------------------------------------------

@test "bwrap life: --new-session" {
	local mine
	mine=$(cut -d' ' -f6 /proc/self/stat)
	works bw cut -d' ' -f6 /proc/self/stat
	assert_output_is "$mine"
	works bw --new-session cut -d' ' -f6 /proc/self/stat
	[ "$output" -ne "$mine" ]
	# without it the session is one of outside, 0 seen from inside
	works bw --unshare-pid cut -d' ' -f6 /proc/self/stat
	assert_output_is 0
	works bw --unshare-pid --new-session cut -d' ' -f6 /proc/self/stat
	assert_output_is 1
}

kinds=('' --unshare-pid '--unshare-pid --as-pid-1' --lock-file\ /etc/passwd)

@test "bwrap life: --die-with-parent, the parent or the launcher killed" {
	local words
	for words in "${kinds[@]}"; do
		# shellcheck disable=SC2086
		start parent sh -c '"$@" & wait' sh "$BWRAP" "${RO[@]}" --die-with-parent $words \
			sh -c "echo up; exec sleep $MARK"
		marked
		kill -KILL "${STARTED[-1]}"
		await is_gone
		# shellcheck disable=SC2086
		start launcher "$BWRAP" "${RO[@]}" --die-with-parent $words \
			sh -c "echo up; exec sleep $MARK"
		marked
		kill -KILL "${STARTED[-1]}"
		await is_gone
	done
}

# The parent, which kills itself so many milliseconds after the launcher knows it:
# that one reads more than a pipe holds.
parent='import os, subprocess, sys, time
words, give = os.pipe()
subprocess.Popen(sys.argv[2:4] + [str(words)] + sys.argv[4:], pass_fds=[words])
os.write(give, b"--setenv\0PAD\0" + bytes(b"x" * 70000) + b"\0--unsetenv\0PAD\0")
os.close(give)
time.sleep(float(sys.argv[1]) / 1000)
os.kill(os.getpid(), 9)'

@test "bwrap life: --die-with-parent, killed while it starts" {
	local words i
	for words in "${kinds[@]}"; do
		for i in 0 1 2 3 4 5 6 8 10 12 15 20; do
			# shellcheck disable=SC2086
			/usr/bin/python3 -ISc "$parent" "$i" "$BWRAP" --args "${RO[@]}" \
				--die-with-parent $words sleep "$MARK" >/dev/null 2>&1 3>&- || [ $? -eq 137 ]
		done
		await is_gone
	done
	# the control
	/usr/bin/python3 -ISc "$parent" 50 "$BWRAP" --args "${RO[@]}" sleep "$MARK" \
		>/dev/null 2>&1 3>&- || await marked
}

@test "bwrap life: --die-with-parent, also with another id" {
	require_root
	# the kernel forgets it when the id changes
	start space unshare -U sh -c 'echo up; exec sleep 60'
	echo '0 0 65536' >"/proc/${STARTED[0]}/uid_map"
	echo '0 0 65536' >"/proc/${STARTED[0]}/gid_map"
	exec 8<"/proc/${STARTED[0]}/ns/user"
	local words
	for words in "${kinds[@]}"; do
		# shellcheck disable=SC2086
		start parent sh -c '"$@" & wait' sh "$BWRAP" "${RO[@]}" --die-with-parent $words \
			--userns 8 --uid 5 --gid 5 sh -c "id -u; exec sleep $MARK"
		[ "$(cat "$SCRATCH/parent.out")" = 5 ]
		marked
		kill -KILL "${STARTED[-1]}"
		await is_gone
	done
	exec 8<&-
}

@test "bwrap life: --die-with-parent, in a namespace joined at the end" {
	start space unshare -Ur sh -c \
		'unshare -U --map-user=0 --map-group=0 sh -c "echo \$\$; exec sleep 60" & wait'
	exec 8<"/proc/${STARTED[0]}/ns/user"
	exec 9<"/proc/$(cat "$SCRATCH/space.out")/ns/user"
	start launcher "$BWRAP" "${RO[@]}" --die-with-parent --userns 8 --userns2 9 \
		sh -c "echo up; exec sleep $MARK"
	marked
	kill -KILL "${STARTED[-1]}"
	await is_gone
	exec 8<&- 9<&-
}

@test "bwrap life: without it a killed launcher leaves the sandbox alone" {
	local words
	for words in "${kinds[@]}"; do
		# shellcheck disable=SC2086
		start launcher "$BWRAP" "${RO[@]}" $words sh -c "echo up; exec sleep $MARK"
		kill -KILL "${STARTED[-1]}"
		sleep 0.2
		marked
		pkill -KILL -xf "sleep $MARK"
		await is_gone
	done
}

@test "bwrap life: no signal is passed on" {
	start one "$BWRAP" "${RO[@]}" --bind "$W" "$W" --unshare-pid sh -c \
		"trap 'echo got >got' HUP INT TERM USR1; echo up; sleep $MARK & wait; sleep 9"
	kill -USR1 "${STARTED[0]}"
	wait "${STARTED[0]}" || [ $? -eq $((128 + $(kill -l USR1))) ]
	sleep 0.1
	marked
	assert_absent got
}

@test "bwrap life: it returns with the command, others live on" {
	local code=0
	SECONDS=0
	bw --unshare-pid sh -c "sleep $MARK & exit 3" >/dev/null 2>&1 3>&- || code=$?
	[ "$code" -eq 3 ]
	[ "$SECONDS" -lt 3 ]
	marked
	# unless they are to die with it
	pkill -KILL -xf "sleep $MARK"
	bw --unshare-pid --die-with-parent sh -c "sleep $MARK & exit 3" >/dev/null 2>&1 3>&- || code=$?
	[ "$code" -eq 3 ]
	await is_gone
}

@test "bwrap life: no zombie is left to the caller" {
	local words
	for words in "${kinds[@]}"; do
		# shellcheck disable=SC2086
		works /usr/bin/python3 -c 'import ctypes, os, sys, time
assert ctypes.CDLL(None).prctl(36, 1, 0, 0, 0) == 0
for i in range(20):
    pid = os.fork()
    if pid == 0:
        os.execv(sys.argv[1], sys.argv[1:])
    ended, status = os.waitpid(pid, 0)
    assert status == 3 << 8, status
    try:
        print("left", os.waitpid(-1, os.WNOHANG))
    except ChildProcessError:
        pass' "$BWRAP" "${RO[@]}" $words sh -c 'exit 3'
		assert_output_is ""
	done
}
