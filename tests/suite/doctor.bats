#!/usr/bin/env bats
# cordon doctor under simulated lacks: it names the lack, no other, and a line to
# mend it; a start under the same lack fails with the same line.

load box

# filter CALL ERRNO [ARGUMENT]: makes the call fail; "kill" for an errno kills.
filter() {
	local action='"SCMP_ACT_ERRNO", "errnoRet": '$2
	[ "$2" != kill ] || action='"SCMP_ACT_KILL_PROCESS"'
	cat >"$W/$1.json" <<-END
		{ "defaultAction": "SCMP_ACT_ALLOW", "syscalls": [
		{ "names": ["$1"], "action": $action, "args": [ ${3:-} ] } ] }
	END
	"$TOP_BUILDDIR/cordon-seccomp" -o "$W/$1.bpf" "$W/$1.json" || return
	LACK=("$HELPERS/withfilter" "$W/$1.bpf" --)
}

# sysctl_zero NAME: user.NAME is 0, in a user namespace around the command.
sysctl_zero() {
	# shellcheck disable=SC2016 # for the inner shell
	LACK=(unshare -Ur sh -c
		'echo 0 >"/proc/sys/user/$0" && exec "$@"' "$1")
}

# changed COMMANDS: they are run first, in a mount namespace of their own.
changed() {
	# shellcheck disable=SC2016 # for the inner shell
	LACK=(unshare -Urm sh -c 'eval "$0" && exec "$@"' "$1")
}

doctor() {
	run "${LACK[@]}" "$CORDON" doctor "$@"
}

# Names of the things in a state. What a cgroup hands on depends on whose it is.
in_state() {
	sed -n "s/^$1 *//p" <<<"$output" | sed 's/:.*//' |
		grep -vx 'cgroup delegation' || true
}

# What is said of the first thing in a state; its mend.
told_of() {
	sed -n "/^$1/,/mend:/p" <<<"$output" | sed '/mend:/q'
}

mend_of() {
	told_of "$1" | sed -n 's/^ *mend: *//p'
}

# told STATE WORDS...: they are all said of that thing.
told() {
	local word state=$1
	shift
	for word in "$@"; do
		[[ $(told_of "$state") == *"$word"* ]] && continue
		echo "expected to be told: $word"
		show_run
		return 1
	done
}

# missing NAME WORDS...: this alone is missing, its line has the words, and a
# start is mended by the same line.
missing() {
	local name=$1 mend
	shift
	doctor
	assert_status 1 || return
	[ "$(in_state 'NO ')" = "$name" ] || { show_run; return 1; }
	[ "$(in_state part)" = "$LIMITED" ] || { show_run; return 1; }
	mend=$(mend_of 'NO ')
	[ -n "$mend" ] || { show_run; return 1; }
	told 'NO ' "$@" || return
	[[ ${lines[-1]} == 'cordon cannot run here: 1 missing'* ]] || {
		show_run
		return 1
	}
	run "${LACK[@]}" "$CORDON" run --cwd / -- true
	assert_status 125 || return
	assert_output_has 'cordon: failed: ' || return
	assert_output_has ": $mend"
}

# limited NAME WORDS...: cordon runs, and this is told on top of the rest.
limited() {
	local name=$1
	shift
	doctor
	assert_status 0 || return
	[ -z "$(in_state 'NO ')" ] || { show_run; return 1; }
	# an older kernel may lack it without any simulation
	[ "$(in_state part | sort -u)" = "$(
		printf '%s\n' "$LIMITED" "$name" | sed '/^$/d' | sort -u
	)" ] || {
		show_run
		return 1
	}
	told "part $name" "$@"
}

# What this machine lacks without any simulation.
usual() {
	LACK=()
	doctor
	LIMITED=$(in_state part)
	[ "$status" -eq 0 ]
}

@test "doctor: everything needed is here" {
	usual
	[ -z "$(in_state 'NO ')" ]
	[ -z "$(in_state '- ')" ]
	assert_output_has 'ok   user namespaces'
	assert_output_has 'ok   a start'
	[[ ${lines[-1]} == 'cordon can run here'* ]]
	# the frames of the simulations take nothing away
	usual
	LACK=(unshare -Ur)
	doctor
	assert_status 0
	[ "$(in_state part)" = "$LIMITED" ]
	changed true
	doctor
	assert_status 0
	filter reboot 1
	doctor
	assert_status 0
	[ "$(in_state part)" = "$LIMITED" ]
}

@test "L-8 R-13 doctor: words, and JSON" {
	require python3
	run "$CORDON" doctor --jsn
	assert_status 2
	assert_output_has '(bad_option)'
	run "$CORDON" doctor --json more
	assert_status 2
	usual
	filter fsopen 1
	doctor --json
	assert_status 1
	python3 - "$output" <<-'END'
		import json, sys
		told = json.loads(sys.argv[1])
		things = {thing["name"]: thing for thing in told["things"]}
		assert told["can_run"] is False
		lack = things["mount API"]
		assert lack["state"] == "missing" and lack["errno"] == "EPERM"
		assert lack["call"] == "fsopen" and lack["means"] and lack["mend"]
		assert things["pivot_root"] == {"name": "pivot_root",
		    "state": "untried", "without": "mount API"}
		assert things["user namespaces"]["state"] == "ok"
		assert things["newuidmap"]["state"] == "info"
	END
	[ -z "$(LC_ALL=C tr -d '[:print:]\n' <<<"$output")" ]
}

@test "doctor: clone3 denied" {
	usual
	filter clone3 1
	missing clone3 EPERM docker-seccomp.json
	assert_output_has 'a system call filter'
}

@test "doctor: clone3 hidden, as Docker's filter does" {
	usual
	filter clone3 38
	doctor
	assert_status 0
	[ -z "$(in_state 'NO ')" ]
	# clone does where a cgroup is not asked for
	run "${LACK[@]}" "$CORDON" run --cwd / -- echo started
	assert_status 0
	assert_output_is started
}

@test "doctor: each limit of namespaces" {
	local kind name
	usual
	while IFS=: read -r kind name; do
		sysctl_zero "max_${kind}_namespaces"
		missing "$name" 'clone3: ENOSPC' \
			"sudo sysctl -w user.max_${kind}_namespaces="
	done <<-'END'
		user:user namespaces
		mnt:mount namespaces
		pid:pid namespaces
		ipc:ipc namespaces
		uts:host name (uts namespaces)
		net:network namespaces
	END
	# inside another sandbox cordon does without this one
	sysctl_zero max_cgroup_namespaces
	limited 'cgroup namespaces' 'clone3: ENOSPC'
	run "${LACK[@]}" "$CORDON" run --cwd / -- echo started
	assert_output_is started
}

# settings NAME=VALUE COMMAND...: what this kernel may not have, in /proc/sys/kernel.
settings() {
	local setting=$1 frame
	shift
	changed "mount -t tmpfs settings /proc/sys/kernel &&
		echo '${setting#*=}' >/proc/sys/kernel/${setting%=*}"
	frame=("${LACK[@]}")
	"$@"
	LACK=("${frame[@]}" "${LACK[@]}")
}

@test "R-15 doctor: settings of Debian and Ubuntu" {
	usual
	settings unprivileged_userns_clone=0 filter clone3 1
	missing clone3 EPERM 'sudo sysctl -w kernel.unprivileged_userns_clone=1'
	settings unprivileged_userns_clone=1 filter clone3 1
	missing clone3 EPERM docker-seccomp.json
	settings apparmor_restrict_unprivileged_userns=1 filter clone3 13
	missing clone3 EACCES 'apparmor_parser -r'
	settings apparmor_restrict_unprivileged_userns=0 filter clone3 13
	missing clone3 EACCES journalctl
	# with the profile unprivileged_userns they are made, without rights
	no_rights() {
		LACK=(setpriv --bounding-set=-setfcap)
	}
	settings apparmor_restrict_unprivileged_userns=1 no_rights
	missing 'id maps' 'uid_map: EPERM' 'apparmor_parser -r'
}

@test "doctor: ids that mean nothing" {
	usual
	LACK=(unshare -U)
	missing 'user namespaces' 'clone3: EPERM' --map-root-user
}

@test "doctor: a chroot" {
	usual
	mkdir "$W/root"
	# shellcheck disable=SC2016 # for the inner shell
	LACK=(unshare -Urm sh -c 'mount --rbind / "$0/root" &&
		exec chroot "$0/root" "$@"' "$W")
	missing 'user namespaces' 'clone3: EPERM' 'cordon run --root'
}

@test "doctor: the mount API hidden or denied, call by call" {
	local call
	usual
	for call in fsopen fsconfig fsmount open_tree mount_setattr move_mount; do
		filter $call 38
		missing 'mount API' "$call" ENOSYS docker-seccomp.json
	done
	for call in fsopen open_tree mount_setattr move_mount; do
		filter $call 1
		missing 'mount API' "$call" EPERM docker-seccomp.json
	done
}

@test "doctor: a call of the mount API that kills" {
	usual
	filter fsopen kill
	doctor
	assert_status 1
	[ "$(in_state 'NO ')" = 'mount API' ]
	told 'NO ' 'signal Bad system call'
}

@test "doctor: openat2 hidden or denied costs time" {
	usual
	echo key >secret
	local error
	for error in 38:ENOSYS 1:EPERM; do
		filter openat2 "${error%:*}"
		limited openat2 "${error#*:}" 'nothing is refused'
		works "${LACK[@]}" "$CORDON" run --write . -- cat secret
		fails "${LACK[@]}" "$CORDON" run --write . --mask secret -- \
			cat secret
		assert_output_has 'Permission denied'
	done
}

@test "doctor: a masked /proc" {
	usual
	changed 'mount -t tmpfs mask /proc/irq'
	missing 'a new /proc' 'fsmount proc: EPERM' systempaths=unconfined
	changed 'mount --bind /dev/null /proc/keys'
	missing 'a new /proc' 'fsmount proc: EPERM' systempaths=unconfined
}

@test "doctor: pivot_root denied" {
	usual
	filter pivot_root 1
	missing pivot_root EPERM docker-seccomp.json
}

@test "doctor: no name of a host, as ProtectHostname= has it" {
	usual
	filter sethostname 1
	missing 'host name (uts namespaces)' sethostname docker-seccomp.json
}

@test "doctor: no IPv4, as RestrictAddressFamilies= has it" {
	usual
	filter socket 97 \
		'{ "index": 0, "value": 2, "op": "SCMP_CMP_EQ" }'
	missing 'network namespaces' EAFNOSUPPORT RestrictAddressFamilies=
}

@test "doctor: keys denied, or used up" {
	usual
	filter keyctl 1
	missing 'session keyring' EPERM docker-seccomp.json
	filter keyctl 122
	missing 'session keyring' EDQUOT kernel.keys.maxkeys
	filter keyctl 38
	doctor
	assert_status 0
}

@test "doctor: no system call filters" {
	usual
	filter seccomp 22
	missing 'system call filters' EINVAL CONFIG_SECCOMP_FILTER
	filter seccomp 1
	missing 'system call filters' EPERM docker-seccomp.json
}

@test "doctor: no Landlock" {
	usual
	filter landlock_create_ruleset 38
	limited 'Landlock scopes' ENOSYS '--net host is refused' --allow-abstract
	run "${LACK[@]}" "$CORDON" run --net host --cwd / -- true
	assert_status 125
	assert_output_has --allow-abstract
	works "${LACK[@]}" "$CORDON" run --net host --allow-abstract --cwd / \
		-- true
}

@test "doctor: no user notification" {
	usual
	filter seccomp 16 \
		'{ "index": 1, "value": 8, "op": "SCMP_CMP_EQ" }'
	limited 'seccomp user notification' EBUSY
}

@test "doctor: a cgroup is there when limits that need one are not refused" {
	local limit works=1
	usual
	for limit in memory=256M cpus=1; do
		"$CORDON" --cwd / --limit $limit -- true || works=0
	done
	if [ $works -eq 1 ]; then
		assert_output_has 'ok   cgroup delegation: '
	else
		told 'part cgroup delegation' Delegate=yes
	fi
	assert_output_lacks cordon-doctor-
}

@test "doctor: programs and profiles that are not installed" {
	usual
	mkdir bin
	cp "$CORDON" "$TOP_BUILDDIR/cordon-inspect" \
		"$TOP_BUILDDIR/cordon-seccomp" bin
	cp -r "$TOP_SRCDIR/profiles" bin
	CORDON=$W/bin/cordon
	usual
	rm bin/cordon-seccomp
	limited cordon-seccomp ENOENT '--seccomp FILE is refused' 'make install'
	# there, and of no use: a library that it needs is not
	printf '#!/nowhere/sh\n' >bin/cordon-seccomp
	chmod +x bin/cordon-seccomp
	limited cordon-seccomp '--seccomp FILE is refused'
	cp "$TOP_BUILDDIR/cordon-seccomp" bin
	rm bin/profiles/build
	limited 'shipped profiles' profiles/build ENOENT
	rm bin/cordon-inspect
	run bin/cordon doctor
	assert_status 2
	assert_output_has 'failed: inspect: execve'
	assert_output_has 'make install'
}

@test "doctor: inside another sandbox of ours" {
	usual
	assert_output_lacks 'in   another cordon'
	LACK=("$CORDON" --read "$TOP_BUILDDIR" --cwd / --)
	doctor
	assert_status 1
	[ "$(in_state 'NO ' | head -n 1)" = 'user namespaces' ]
	assert_output_has 'in   another cordon'
	# without its filter it is the limit of namespaces
	LACK=("$CORDON" --seccomp none --read "$TOP_BUILDDIR" --cwd / --)
	doctor
	assert_status 1
	[ "$(in_state 'NO ')" = 'user namespaces' ]
	told 'NO ' 'clone3: ENOSPC'
}

@test "doctor: root without the right to map itself" {
	usual
	LACK=(unshare -Ur setpriv --bounding-set=-setfcap)
	missing 'id maps' 'write /proc/self/uid_map: EPERM' SETFCAP
}

@test "doctor: WSL1" {
	usual
	echo 4.4.0-19041-Microsoft >release
	changed "mount --bind '$W/release' /proc/sys/kernel/osrelease"
	doctor
	assert_status 1
	[ "$(in_state 'NO ' | head -n 1)" = kernel ]
	told 'NO ' 'wsl.exe --set-version'
	echo 5.15.90.1-microsoft-standard-WSL2 >release
	doctor
	[[ $(in_state 'NO ') != *kernel* ]]
}

# in NAME FLAG: this container is named, with these words in its flags.
in_container() {
	assert_output_has "in   $1 (" || return
	sed -n "/^in   $1/,/^in/p" <<<"$output" | grep -qF -e "$2" && return
	show_run
	return 1
}

@test "doctor: names the container it is in, and its flags" {
	usual
	unset GITHUB_ACTIONS GITLAB_CI KUBERNETES_SERVICE_HOST container
	doctor
	assert_output_lacks 'in   GitHub'
	assert_output_lacks 'in   Kubernetes'
	assert_output_lacks 'in   Podman'
	LACK=(env GITHUB_ACTIONS=true)
	doctor
	in_container 'GitHub Actions' apparmor_restrict_unprivileged_userns=0
	LACK=(env GITLAB_CI=true)
	doctor
	in_container 'GitLab CI' privileged
	LACK=(env KUBERNETES_SERVICE_HOST=10.0.0.1)
	doctor
	in_container Kubernetes 'procMount: Unmasked'
	in_container Kubernetes 'hostUsers: false'
	LACK=(env container=lxc)
	doctor
	in_container LXC security.nesting=true
	changed 'mount -t tmpfs run /run && >/run/.containerenv'
	doctor
	in_container Podman unmask=ALL
	changed 'mount -t tmpfs run /run && mkdir /run/systemd &&
		echo docker >/run/systemd/container'
	doctor
	in_container Docker seccomp=
	in_container Docker systempaths=unconfined
	echo '0::/system.slice/build.service' >group
	changed "mount --bind '$W/group' /proc/\$\$/cgroup"
	doctor
	assert_output_lacks 'in   a systemd unit'
	export INVOCATION_ID=x
	doctor
	in_container 'a systemd unit' RestrictNamespaces=no
	# a shell of the desktop's
	echo '0::/user.slice/user@1000.service/app.slice/vte.scope' >group
	doctor
	assert_output_lacks 'in   a systemd unit'
}

@test "contrib: cordon runs under the filter for Docker" {
	usual
	"$TOP_BUILDDIR/cordon-seccomp" -o docker.bpf \
		"$TOP_SRCDIR/contrib/docker-seccomp.json" 2>/dev/null
	LACK=("$HELPERS/withfilter" docker.bpf --)
	doctor
	assert_status 0
	[ "$(in_state part)" = "$LIMITED" ]
	works "${LACK[@]}" "$CORDON" run --cwd / -- true
	# it is a filter
	run "${LACK[@]}" "$HELPERS/trycall" kexec_load
	assert_output_is EPERM
	run "${LACK[@]}" "$HELPERS/trycall" io_uring_setup
	assert_output_is ENOSYS
}
