#!/usr/bin/env bats
# bubblewrap's command line, against bubblewrap itself: the same words for both,
# and all that the command finds compared. $BWRAP_ORACLE or bwrap in PATH.

# shellcheck disable=SC2016
load bwrap

# What may differ, and why. Nothing else is taken out of what is compared.
DIFFERENCES=(
	# bash says here which program it started
	-e '/^env _=/d'
	# below a /dev or /proc of the host, where two mounts stand at one place, the
	# original skips the upper one and leaves it as it was on the host
	# nodes of a new one: ours are read-only, so that no root changes the host's
	# modes through them; /dev/shm is a tmpfs of its own
	-e '/^mount \/[a-z]*\/\(dev\/\)\?\(shm\|pts\|null\|zero\|full\|u\?random\|tty\) /d'
	# more of /proc is covered for root
	-e '/^mount \/proc\/./d'
	# directories made above a bind are 0700 there, above all else 0755
	-e 's/^\(tree \/mnt\(\/a\)\? drwx\)------/\1r-xr-x/'
	# message queues: without nosuid, nodev and noexec there
	-e 's/^mount \([^ ]*\) mqueue .*/mount \1 mqueue/'
	# overlays: without nosuid and nodev before 0.12
	-e 's/^\(mount [^ ]* overlay \).*\(r[wo]\)$/\1\2/'
)

eval "bwrap_$(declare -f setup)"

setup() {
	bwrap_setup
	ORACLE=${BWRAP_ORACLE:-$(command -v bwrap || true)}
	[ -n "$ORACLE" ] || skip_or_fail "no bubblewrap to compare with"
	VERSION=$("$ORACLE" --version | tr -dc 0-9.)
	cp "$HELPERS/bwrap_seen.py" "$SCRATCH/seen.py" 2>/dev/null ||
		cp "$TOP_SRCDIR/tests/helpers/bwrap_seen.py" "$SCRATCH/seen.py"
	OUTSIDE=$(readlink /proc/self/ns/*)
	mkdir src src/sub low
	echo text >src/file
	echo low >low/file
	ln -s file src/link
	ln -s sub src/dirlink
	chmod 700 src/sub
	program >filter
}

NEW='--ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64 --symlink usr/bin /bin'
ALL='--ro-bind / /'

# is_newer VERSION: the oracle is that new.
is_newer() {
	[ "$(printf '%s\n' "$1" "$VERSION" | sort -V | head -n 1)" = "$1" ]
}

# seen FILE PROGRAM WORDS: all that is to be seen of one of the two.
seen() {
	local file=$1 program=$2 words code=0
	eval "words=($3)"
	rm -rf made
	mkdir made
	[[ " $3 " == *" -- "* ]] || words+=(-- /usr/bin/python3 -IS "$SCRATCH/seen.py"
		"$OUTSIDE" /mnt /opt /srv /media)
	"$program" --info-fd 8 --json-status-fd 9 "${words[@]}" >said 2>"$file.err" \
		</dev/null 3>&- 4>&- 10>&- 251>&- 5<src/file 6<src 7<filter 8>info 9>json ||
		code=$?
	{
		sed "${DIFFERENCES[@]}" said
		echo "status $code"
		grep -oE '"[a-z-]+"' info json || true
		grep -o '"exit-code": [0-9]*' json || true
		find made -printf '%P %M %l\n' | sort
	} >"$file"
}

compare() {
	local line words since
	while IFS= read -r line; do
		[ -n "$line" ] || continue
		since=${line%% *}
		words=${line#* }
		is_newer "$since" || continue
		seen theirs "$ORACLE" "$words"
		seen ours "$BWRAP" "$words"
		COMPARED=$((COMPARED + 1))
		diff theirs ours >difference || {
			echo "differ: $words"
			cat difference
			head -n 3 theirs.err ours.err
			BAD=1
		}
	done
}

@test "bwrap oracle: mounts" {
	COMPARED=0 BAD=0
	compare <<-EOF
		0.1 $ALL
		0.1 --bind / /
		0.1 --dev-bind / /
		0.1 $ALL --dev /dev --proc /proc
		0.1 $ALL --dev /dev --proc /proc --unshare-pid
		0.1 $ALL --tmpfs /mnt --bind src /mnt/a/b --ro-bind src/file /mnt/f
		0.1 $ALL --proc /proc --bind src /mnt --ro-bind src/sub /mnt/sub --dev-bind /dev /opt
		0.3 $ALL --bind-try /none /mnt --ro-bind-try none /opt --dev-bind-try src /srv
		0.1 $ALL --bind src /mnt --tmpfs /mnt/sub --remount-ro /mnt
		0.1 $ALL --unshare-ipc --mqueue /mnt
		0.1 $NEW --proc /proc --dev /dev --bind $SCRATCH $SCRATCH
		0.1 $NEW --proc /proc --dir /mnt/x/y --symlink x /mnt/l --file 5 /mnt/f --bind $SCRATCH $SCRATCH
		0.5 $NEW --proc /proc --perms 0700 --dir /mnt/x/y --perms 640 --file 5 /mnt/f --chmod 1755 /mnt --ro-bind $SCRATCH $SCRATCH
		0.5 $NEW --proc /proc --perms 0750 --tmpfs /mnt/t --tmpfs /opt --ro-bind $SCRATCH $SCRATCH
		0.6 $NEW --proc /proc --size 65536 --tmpfs /mnt --ro-bind $SCRATCH $SCRATCH
		0.1 $NEW --proc /proc --bind-data 5 /mnt/a --ro-bind-data 6 /mnt/b --ro-bind $SCRATCH $SCRATCH
		0.1 $NEW --proc /proc --bind-data 5 /mnt/a --ro-bind $SCRATCH $SCRATCH
		0.1 $NEW --proc /proc --ro-bind-data 5 /mnt/a --ro-bind $SCRATCH $SCRATCH
		0.10 $ALL --bind-fd 6 /mnt
		0.10 $ALL --ro-bind-fd 6 /mnt
		0.11 $ALL --overlay-src src --overlay-src low --tmp-overlay /mnt
		0.11 $ALL --overlay-src src --overlay-src low --ro-overlay /mnt
		0.1 $ALL --bind made /mnt --dir /mnt/d --file 5 /mnt/f --symlink a /mnt/s --tmpfs /mnt/t/u
	EOF
	[ "$BAD" -eq 0 ] && [ "$COMPARED" -ge 15 ]
}

@test "bwrap oracle: namespaces, ids, capabilities" {
	COMPARED=0 BAD=0
	compare <<-EOF
		0.1 $ALL --unshare-user
		0.1 $ALL --unshare-user --uid 0 --gid 0
		0.1 $ALL --unshare-user --uid 77 --gid 78 --dev /dev
		0.1 $ALL --unshare-all
		0.1 $ALL --unshare-all --share-net --hostname x
		0.1 $ALL --unshare-uts --unshare-ipc --unshare-cgroup-try --unshare-user-try
		0.1 $ALL --unshare-pid --proc /proc
		0.2 $ALL --unshare-pid --as-pid-1 --proc /proc
		0.1 $ALL --new-session
		0.1 $ALL --unshare-pid --new-session --proc /proc --die-with-parent
		0.2 $ALL --unshare-user --cap-add ALL
		0.2 $ALL --unshare-user --cap-add ALL --cap-drop CAP_SYS_ADMIN
		0.2 $ALL --unshare-user --uid 0 --cap-add CAP_NET_ADMIN
		0.2 $ALL --cap-drop ALL
		0.2 $ALL --cap-drop CAP_NET_RAW
		0.2 $ALL --cap-drop ALL --cap-add CAP_CHOWN
		0.8 $ALL --unshare-user --disable-userns --dev /dev
		0.8 $ALL --unshare-user --disable-userns --uid 5 --gid 6
		0.2 $ALL --cap-add CAP_NONE
		0.1 $ALL --uid 5
	EOF
	[ "$BAD" -eq 0 ] && [ "$COMPARED" -ge 15 ]
}

@test "bwrap oracle: the command, its variables, descriptors and end" {
	COMPARED=0 BAD=0
	compare <<-EOF
		0.1 $ALL --chdir /usr
		0.1 $NEW --proc /proc --ro-bind $SCRATCH/seen.py $SCRATCH/seen.py --setenv HOME /usr
		0.1 $NEW --proc /proc --ro-bind $SCRATCH/seen.py $SCRATCH/seen.py --unsetenv HOME
		0.5 $ALL --setenv A b --setenv A c --unsetenv HOME --setenv B '' --setenv PWD /x
		0.5 $ALL --setenv A b --clearenv --setenv C d
		0.1 $ALL --sync-fd 5
		0.1 $ALL --block-fd 5 --lock-file /etc/passwd
		0.1 $ALL --unshare-pid --proc /proc --sync-fd 5 --block-fd 6
		0.1 $ALL --seccomp 7
		0.6 $ALL --unshare-pid --add-seccomp-fd 7
		0.9 $ALL --argv0 other -- sh -c 'cat /proc/\$\$/cmdline'
		0.1 $ALL -- sh -c 'exit 7'
		0.1 $ALL --unshare-pid -- sh -c 'exit 7'
		0.1 $ALL --unshare-pid -- sh -c 'kill -9 \$\$'
		0.1 $ALL -- sh -c 'kill -15 \$\$'
		0.1 $ALL -- none-such
		0.1 $ALL --unshare-pid -- none-such
		0.1 $ALL --chdir /none -- true
		0.1 $ALL --dir /none/x -- true
		0.1 $ALL --setenv PATH /usr/bin -- printenv PATH PWD
		0.5 $ALL --clearenv -- env
		0.1 $ALL -- $W/none
		0.1 $ALL -- $W/filter
	EOF
	[ "$BAD" -eq 0 ] && [ "$COMPARED" -ge 15 ]
}

# A difference of time: here sources are looked for before there is a process.
@test "bwrap oracle: nothing is told of a sandbox whose source is missing" {
	local program
	for program in "$ORACLE" "$BWRAP"; do
		run "$program" --info-fd 9 --bind /none /x true 9>"${program##*/}.info"
		assert_status 1
		assert_output_is "bwrap: Can't find source path /none: No such file or directory"
	done
	[ ! -s bwrap.info ] || [ "${ORACLE##*/}" = bwrap ]
}
