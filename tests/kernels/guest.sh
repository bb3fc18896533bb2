# shellcheck shell=sh
# What must hold on this kernel, for one caller. One line each: "ok NAME", or
# "no NAME: what came instead".
who=$1
export PATH=/usr/bin:/bin
release=$(uname -r)
mkdir -p d
echo secret >d/s
echo kept >d/p

# expect NAME STATUS PATTERN COMMAND...
expect() {
	name=$1 status=$2 pattern=$3
	shift 3
	out=$("$@" 2>&1 </dev/null)
	got=$?
	if [ $got = "$status" ] && echo "$out" | grep -q "$pattern"; then
		echo "ok $who: $name"
	else
		echo "no $who: $name: status $got: $(echo "$out" | head -3 | tr '\n' '|')"
	fi
}

wall() {
	/cordon --write . "$@"
}

told() { # the same, and then the status stream
	wall --status-fd 3 "$@" 3>events
	got=$?
	cat events
	return $got
}

before() { # VERSION: is this kernel older?
	[ "$(printf '%s\n%s\n' "$release" "$1" | sort -V | head -1)" = "$release" ]
}

expect 'the control: a secret can be read' 0 secret cat d/s
expect 'a command runs and writes' 0 '^x$' wall -- sh -c 'echo x >f && cat f'
expect 'the root is sealed' 1 'Read-only' wall -- sh -c 'echo x >/f'
expect '/.. is the root' 0 '^same$' wall -- sh -c \
	'[ "$(stat -c %i /)" = "$(stat -c %i /..)" ] && ls /.. | grep -q guest.sh || echo same'
expect 'a mask' 1 'Permission denied' wall --mask d/s -- cat d/s
expect 'a masked directory' 1 'Permission denied' wall --mask d -- ls d
expect 'a protection' 1 'Read-only' wall --protect d/p -- sh -c 'echo z >d/p'
expect 'its directory is pinned' 1 'busy' wall --protect d/p -- mv d e
expect 'devices' 0 '^4$' wall -- sh -c 'head -c 4 /dev/zero | wc -c'
expect 'no host process' 0 '^ok$' wall -- sh -c '[ $(ls -d /proc/[0-9]* | wc -l) -lt 6 ] && echo ok'
expect 'sysctl is shut' 1 "can't create" wall -- sh -c 'echo 1 >/proc/sys/kernel/sysrq'
expect 'no user namespace inside' 1 'not permitted' wall -- unshare -U true
expect 'unless nested' 0 '' wall --nested -- unshare -U true
expect 'no capability, no new privileges' 0 '^CapEff:.0*$' wall -- grep CapEff /proc/self/status
expect 'the filter' 0 'Seccomp:.2' wall -- grep Seccomp: /proc/self/status
expect 'loopback is up' 0 'LOOPBACK,UP' wall -- ip link show lo
expect 'a report of the network' 123 'connect 192.0.2.1:80 (ENETUNREACH), nc' \
	wall --report --fail-on denied -- sh -c 'nc 192.0.2.1 80; true'
expect 'of a name' 0 'resolve name.example, .*nslookup' \
	wall --report -- sh -c 'nslookup name.example; true'
expect 'of a file' 0 "write $PWD/d/x (EROFS), sh .*--unprotect $PWD/d" \
	wall --protect d --report -- sh -c 'echo x >d/x; true'
expect 'of a call' 1 'call unshare(0x10000000) (EPERM), unshare .*--nested' \
	wall --report -- unshare -U true
expect 'of nothing' 0 'denied: nothing' wall --report -- sh -c 'echo x >f'
expect 'a status' 7 '' wall -- sh -c 'exit 7'
expect 'a signal' 137 '' wall -- sh -c 'kill -9 $$'
expect 'a timeout' 124 '' wall --timeout 1s -- sleep 9
expect 'nothing is left running' 3 '' wall -- sh -c 'setsid sleep 77 & exit 3'
expect 'and nothing is' 1 '^$' pidof cordon-init
expect 'a limit of memory' 0 '^0$' wall --limit memory=20M -- sh -c \
	'head -c 100m /dev/zero | tail -c 90m | wc -c'
expect 'and what ended it is said' 137 '"cause":"limit".*"limit":"memory"' told \
	--limit memory=20M -- sh -c 'exec tail -c 90m /dev/zero'
expect 'also when it was a child' 1 'out_of_memory' told \
	--limit memory=20M -- sh -c 'tail -c 90m /dev/zero; exit 1'
expect 'the control: no limit, nothing said' 137 '"cause":"command"' told \
	-- sh -c 'kill -9 $$'
expect 'runtimes find the limit' 0 '^0::/ 20971520$' wall --limit memory=20M -- \
	sh -c 'echo $(cat /proc/self/cgroup /sys/fs/cgroup/memory.max)'
expect 'and cannot change it' 1 'Read-only' wall --limit memory=20M -- \
	sh -c 'echo max >/sys/fs/cgroup/memory.max'
expect 'explain tells of the one that would be made' 0 \
	"limit's own cgroup.*\"create\":\"EROFS\"" \
	/cordon explain --json --limit memory=20M /sys/fs/cgroup/memory.max
expect 'and nothing is made in it' 1 'Read-only' wall --limit memory=20M -- \
	sh -c 'echo x >/sys/fs/cgroup/x'
# root's sandbox cannot map its uid 0 again
[ "$who" = root ] || expect 'nor in a namespace of their own' 1 \
	'Read-only' wall --nested --limit memory=20M -- unshare -Urm sh -c \
	'mount -o remount,rw /sys/fs/cgroup; echo max >/sys/fs/cgroup/memory.max'
expect 'the control: without one it is not there' 0 '^0::/ *\(max\)\?$' wall -- \
	sh -c 'echo $(cat /proc/self/cgroup /sys/fs/cgroup/memory.max 2>/dev/null)'
expect 'a limit of processes' 2 "can't fork" wall --limit procs=5 -- sh -c \
	'for i in 1 2 3 4 5 6 7 8; do sleep 1 & done; wait'
expect 'cgroups are gone' 1 '^$' sh -c 'ls /sys/fs/cgroup /sys/fs/cgroup/u | grep cordon'
/cordon --write . --limit memory=20M -- sleep 66 &
sleep 1
expect 'the control: one is there' 0 cordon sh -c 'ls /sys/fs/cgroup /sys/fs/cgroup/u | grep cordon'
kill -9 $!
sleep 1
expect 'gone after SIGKILL too' 1 '^$' sh -c 'ls /sys/fs/cgroup /sys/fs/cgroup/u | grep cordon'
if before 6.6; then
	expect 'an overlay is refused' 125 'bad_overlay' wall --overlay d -- true
fi
if before 6.12; then
	expect 'the host network is refused' 125 'unsupported' wall --net host -- true
	expect 'unless its sockets are accepted' 0 '' wall --net host --allow-abstract -- true
else
	expect 'the host network' 0 '' wall --net host -- true
fi

# bubblewrap's command line
bwrap() {
	/cordon bwrap --ro-bind / / --dev /dev --proc /proc --bind . "$PWD" "$@"
}
expect 'bwrap: all namespaces, a new root and its root' 0 '^ok$' bwrap --unshare-all sh -c \
	'[ $(ls -d /proc/[0-9]* | wc -l) -lt 6 ] && touch b && ! touch /b 2>/dev/null && echo ok'
expect 'bwrap: a root that is made' 0 'bin' /cordon bwrap --ro-bind /bin /bin \
	--ro-bind /lib /lib --chdir / /bin/busybox ls /..
expect 'bwrap: places, data and modes' 0 '^700 text$' /cordon bwrap --ro-bind / / \
	--proc /proc --tmpfs /tmp --perms 700 --dir /tmp/a/b --ro-bind-data 7 /tmp/a/data sh -c \
	'echo $(stat -c %a /tmp/a/b) $(cat /tmp/a/data)' 7<<-END
		text
	END
expect 'bwrap: a mount in the place of the root' 0 '^1$' /cordon bwrap --tmpfs / \
	--ro-bind / / --proc /proc grep -c ' / / ' /proc/self/mountinfo
expect 'bwrap: no user namespace left' 1 '' bwrap --unshare-user --disable-userns \
	unshare -U true
expect 'bwrap: the control' 0 '' bwrap --unshare-user sh -c \
	'[ $(id -u) = 0 ] || unshare -U true'
expect 'bwrap: no capability' 0 '^CapEff:.0*$' bwrap --unshare-user --cap-drop ALL \
	grep CapEff /proc/self/status
