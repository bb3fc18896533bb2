#!/usr/bin/env bats
# /proc inside: the sandbox's own, saying nothing of the host and changing
# nothing of it.

load box

@test "P07: only the sandbox's own processes are there" {
	start sleeper "$HELPERS/probe" sleep
	local pid=${STARTED[0]}
	works "$CORDON" --cwd / -- sh -c 'echo /proc/[0-9]*; cat /proc/[0-9]*/comm'
	assert_output_lacks probe
	run "$CORDON" --cwd / -- sh -c 'ls -d /proc/[0-9]* | wc -l'
	[ "$output" -le 4 ]
	works grep -q probe "/proc/$pid/comm"
	if [ "$pid" -gt 100 ]; then
		fails "$CORDON" --cwd / -- ls "/proc/$pid"
	fi
}

@test "P07: the root and cwd links of process 1 are closed, one's own is the root" {
	local link
	for link in root cwd; do
		fails "$CORDON" --cwd / -- ls "/proc/1/$link/"
		assert_output_has "Permission denied"
	done
	works "$CORDON" --cwd / -- sh -c \
		'[ "$(ls -id /proc/self/root/ | cut -d" " -f1)" = "$(ls -id / | cut -d" " -f1)" ]'
	fails "$CORDON" --cwd / -- ls "/proc/self/root$W"
	works ls "/proc/self/root$W"
}

@test "P08 N-15: process 1 says nothing of the caller's environment" {
	export CORDON_TEST_SECRET=token-of-the-caller
	works sh -c 'tr "\0" "\n" </proc/$$/environ | grep -q token-of-the-caller'
	run box --unset-env CORDON_TEST_SECRET -- \
		sh -c 'cat /proc/*/environ /proc/*/task/*/environ | tr "\0" "\n"'
	assert_output_lacks token-of-the-caller
	assert_output_has "Permission denied"
	run box --clear-env --env PATH -- sh -c 'cat /proc/*/environ; env'
	assert_output_lacks token-of-the-caller
	# what does pass is there
	run box -- sh -c 'cat /proc/self/environ'
	assert_output_has token-of-the-caller
}

@test "P08: its command line says nothing of the caller's words and paths" {
	mkdir "$SCRATCH/telling-name"
	run box --read "$SCRATCH/telling-name:/x" --env HIDDEN=word-of-the-caller -- \
		sh -c 'cat /proc/1/cmdline | tr "\0" " "; cat /proc/1/comm'
	assert_output_lacks telling-name
	assert_output_lacks word-of-the-caller
	assert_output_lacks "$SCRATCH"
	works sh -c 'sleep 0; tr "\0" " " </proc/$$/cmdline; : telling-name'
	assert_output_has telling-name
}

@test "P10 A11: process 1 cannot be traced, read or changed" {
	start sleeper "$HELPERS/probe" sleep
	works probe ptrace "${STARTED[0]}"
	works probe peek "${STARTED[0]}"
	run box -- "$HELPERS/probe" ptrace 1
	assert_output_is EPERM
	run box -- "$HELPERS/probe" peek 1
	assert_output_is EPERM
	local file
	for file in mem maps environ auxv stack syscall io pagemap; do
		run box -- sh -c "cat /proc/1/$file | wc -c"
		[ "${lines[-1]}" = 0 ] || { echo "$file"; show_run; return 1; }
	done
	# a root caller may count its descriptors, and do nothing with them
	for file in fd map_files; do
		run box -- sh -c "readlink /proc/1/$file/*; cat /proc/1/$file/*
			ls -d /proc/1/$file/*/"
		[ "$status" -ne 0 ]
		assert_output_lacks "/dev"
		assert_output_lacks "$SCRATCH"
	done
	for file in exe cwd root ns/mnt ns/user; do
		fails box -- readlink "/proc/1/$file"
	done
	# a root caller owns these files; making process 1 more likely to be
	# killed ends its own run, and less likely takes a capability
	is_root || fails box -- sh -c 'echo 1 >/proc/1/oom_score_adj'
	fails box -- sh -c 'echo -1 >/proc/1/oom_score_adj'
	fails box -- sh -c 'echo x >/proc/1/comm'
}

@test "P01: core_pattern cannot be written" {
	run "$CORDON" --cwd / -- sh -c 'echo "|/tmp/x" >/proc/sys/kernel/core_pattern'
	assert_status 2
	[[ $output == *"Read-only"* || $output == *"Permission denied"* ]]
	works "$CORDON" --cwd / -- cat /proc/sys/kernel/core_pattern
	assert_output_is "$(cat /proc/sys/kernel/core_pattern)"
}

@test "P02: no kernel setting can be written, as root neither" {
	run box -- sh -c 'find /proc/sys -type f -not -path "/proc/sys/net/*" \
		-writable 2>/dev/null | head'
	if is_root; then
		# access(2) sees the read-only mount
		assert_output_is ""
	fi
	local file
	for file in sysrq-trigger sys/kernel/modprobe sys/kernel/hotplug \
		sys/vm/drop_caches sys/vm/overcommit_memory \
		sys/fs/binfmt_misc/register sys/kernel/hostname \
		sys/user/max_user_namespaces sys/net/ipv4/ip_forward \
		irq/default_smp_affinity; do
		[ -e "/proc/$file" ] || continue
		run box -- "$HELPERS/probe" write "/proc/$file"
		[[ $output == EACCES || $output == EROFS || $output == EPERM ]]
	done
	# control: a file of /proc that may be written
	works box -- "$HELPERS/probe" write /proc/self/oom_score_adj
}

@test "P03 N06: with uid 0 inside, the limit of namespaces stays" {
	run box --uid 0 --gid 0 -- sh -c \
		'echo 100 >/proc/sys/user/max_user_namespaces; cat /proc/sys/user/max_user_namespaces'
	[ "${lines[-1]}" = 0 ]
	run box --uid 0 --gid 0 -- "$HELPERS/probe" unshare 0x10000000
	assert_status 1
}

@test "P04: no cgroup file system can be mounted" {
	local type
	for type in cgroup cgroup2; do
		run box --nested -- "$HELPERS/probe" mount none /tmp $type 0
		assert_status 1
	done
}

@test "P05: the cgroup tree is read-only" {
	[ -d /sys/fs/cgroup ] || skip_or_fail "no cgroup tree"
	run box -- sh -c 'find /sys/fs/cgroup -name cgroup.procs | head -3'
	local file
	for file in "${lines[@]}"; do
		run box -- "$HELPERS/probe" write "$file"
		[[ $output == EROFS || $output == EACCES ]]
	done
	fails box -- mkdir /sys/fs/cgroup/x
}

@test "P06: no kernel memory, no addresses, nothing of /sys beyond two trees" {
	local file
	for file in kcore kmem mem port; do
		fails box -- sh -c "head -c1 /proc/$file /dev/$file | grep -q ."
	done
	run box -- sh -c 'cut -d" " -f1 /proc/kallsyms | sort -u | head -3'
	[[ $output =~ ^0*$ || $status -ne 0 || -z $output ]]
	works box -- ls /sys
	assert_output_is "devices
fs"
	works box -- ls /sys/devices /sys/fs
	assert_output_lacks pci
}

@test "P06: what only root may read of /proc is not readable by a root caller" {
	require_root
	local file
	for file in timer_list kpagecount kpageflags kpagecgroup vmallocinfo \
		slabinfo pagetypeinfo kmsg; do
		[ -e /proc/$file ] || continue
		run box -- sh -c "head -c1 /proc/$file | wc -c"
		[ "${lines[-1]}" = 0 ] || echo "# readable: /proc/$file" >&3
	done
}

@test "P21: no parent or owner of a namespace can be had" {
	local name
	for name in user mnt pid net; do
		run box -- "$HELPERS/probe" ns $name
		assert_status 1
	done
}

@test "proc: the process' own files work" {
	works box -- sh -c 'grep -c . /proc/self/status >/dev/null; ls /proc/self/fd >/dev/null
		cat /proc/self/cgroup >/dev/null; cat /proc/cpuinfo /proc/meminfo /proc/uptime >/dev/null
		echo 5 >/proc/self/oom_score_adj; cat /proc/self/oom_score_adj'
	assert_output_is 5
}

@test "N-117: a child of the command reads its own status" {
	works box -- sh -c 'sh -c "grep NoNewPrivs /proc/self/status"'
	assert_output_is "NoNewPrivs:	1"
}

@test "proc: mounts of the host do not show" {
	works box -- cat /proc/self/mounts
	assert_output_lacks " /boot"
	assert_output_lacks "$SCRATCH/home/"
	local count
	count=$(wc -l </proc/self/mounts)
	works box -- sh -c 'cat /proc/self/mountinfo'
}

@test "--proc none: there is none" {
	works "$CORDON" --proc none --cwd / -- sh -c '[ ! -e /proc/self ] && echo none'
	assert_output_is none
	fails "$CORDON" --proc none --cwd / -- cat /proc/self/status
	works "$CORDON" --proc new --cwd / -- cat /proc/self/status
}

@test "--proc: the host's is never offered" {
	run "$CORDON" --proc host --cwd / -- true
	assert_refused bad_value
	run "$CORDON" --read /proc --cwd / -- true
	assert_refused bad_read
	run "$CORDON" --read /proc:/srv/p --cwd / -- ls /srv/p/1/root
	[ "$status" -ne 0 ]
}

@test "P11 CVE-2019-5736: its own program cannot be opened for writing" {
	cp "$HELPERS/probe" prog
	run box -- ./prog write /proc/self/exe
	assert_output_is ETXTBSY
	run box -- "$HELPERS/probe" write /proc/self/exe
	[[ $output == EROFS || $output == ETXTBSY || $output == EACCES ]]
	run box -- "$HELPERS/probe" write /proc/1/exe
	assert_output_is EACCES
}
