#!/usr/bin/env bats
# bubblewrap's command line: what it does to the file system, in spoken order.

# shellcheck disable=SC2016
load bwrap

# flags PLACE: "ro,nosuid,nodev" of the last mount there, read inside.
flags() {
	awk -v at="$1" '$5 == at { flags = $6 } END {
		n = split(flags, each, ",")
		for (i = 1; i <= n; i++)
			if (each[i] ~ /^(ro|rw|nosuid|nodev|noexec|nosymfollow)$/)
				out = out (out == "" ? "" : ",") each[i]
		print out }' mountinfo
}

# table WORD...: bwrap with the words; leaves its mount table in ./mountinfo.
table() {
	works "$BWRAP" --ro-bind / / --proc /proc --bind "$W" "$W" "$@" \
		cp /proc/self/mountinfo "$W/mountinfo"
}

# fresh WORD...: a new root of its own, with the system and the work directory.
fresh() {
	"$BWRAP" --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib \
		--symlink usr/lib64 /lib64 --proc /proc --bind "$W" "$W" "$@"
}

@test "bwrap files: what each bind may do" {
	mkdir src
	echo x >src/file
	ln -s src link
	table --bind src /mnt --ro-bind src /opt --dev-bind /dev /media \
		--ro-bind link /srv
	[ "$(flags /mnt)" = rw,nosuid,nodev ]
	[ "$(flags /opt)" = ro,nosuid,nodev ]
	[ "$(flags /media)" = rw,nosuid ]
	[ "$(flags /srv)" = ro,nosuid,nodev ]
	works bw --bind src /mnt sh -c 'echo y >/mnt/new; cat /mnt/file'
	assert_output_is x
	assert_content src/new y
	fails bw --ro-bind src /opt sh -c 'echo y >/opt/other'
	assert_output_has 'Read-only'
	assert_absent src/other
	works bw --dev-bind /dev /mnt sh -c 'echo >/mnt/null'
	fails bw --bind /dev /mnt sh -c 'echo >/mnt/null'
}

@test "bwrap files: submounts of a read-only bind are read-only" {
	require_root
	mkdir -p tree/sub
	unshare -m sh -c "mount -t tmpfs none tree/sub && : >tree/sub/f &&
		exec '$BWRAP' --ro-bind / / --proc /proc --ro-bind '$W/tree' /mnt \
			--bind '$W/tree' /opt \
			sh -c 'test -e /mnt/sub/f && touch /opt/sub/g && touch /mnt/sub/h'" \
		>out 2>&1 && return 1
	grep -q '/mnt/sub/h.*Read-only' out
}

@test "bwrap files: nosymfollow and noexec of the source stay" {
	require_root
	mkdir tree
	ln -s /etc/hostname tree/link
	unshare -m sh -c "mount -t tmpfs -o noexec,nosymfollow none tree &&
		exec '$BWRAP' --ro-bind / / --proc /proc --bind '$W/tree' /mnt \
			cat /proc/self/mountinfo" >mountinfo
	[ "$(flags /mnt)" = rw,nosuid,nodev,noexec,nosymfollow ]
}

@test "bwrap files: sources that are missing" {
	says "Can't find source path /none/such: No such file or directory" \
		"${RO[@]}" --bind /none/such /mnt true
	works bw --bind-try /none/such /mnt --ro-bind-try none /opt \
		--dev-bind-try /none /srv echo ran
	assert_output_is ran
	# only for what is missing: other errors stand
	ln -s loop loop
	says "Can't find source path loop: Too many levels of symbolic links" \
		"${RO[@]}" --bind-try loop /mnt true
	: >file
	run "$BWRAP" "${RO[@]}" --ro-bind file/x /mnt true
	assert_status 1
	assert_output_is "bwrap: Can't find source path file/x: Not a directory"
}

@test "bwrap files: in spoken order, the last one at a place is on top" {
	mkdir a b
	echo a >a/f
	echo b >b/f
	works bw --bind a /mnt --bind b /mnt cat /mnt/f
	assert_output_is b
	works bw --bind b /mnt --bind a /mnt cat /mnt/f
	assert_output_is a
	works bw --tmpfs /mnt --bind a /mnt/a --dir /mnt/x ls /mnt
	assert_output_is "a
x"
	works fresh --bind a /mnt/a --tmpfs /mnt ls -A /mnt
	assert_output_is ""
}

@test "bwrap files: mount points and what is above them is made" {
	works "$BWRAP" --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib \
		--symlink usr/lib64 /lib64 --bind "$W" a/b/c --ro-bind /etc/passwd /x/y/file \
		--tmpfs /t --chdir / stat -c '%n %a %F' /a /a/b /x/y /x/y/file /t
	assert_output_is "/a 755 directory
/a/b 755 directory
/x/y 755 directory
/x/y/file 644 regular file
/t 755 directory"
	# a mount point for a file
	works "$BWRAP" --ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64 \
		--file 7 /one --perms 600 --file 8 /two --perms 0700 --dir /d --dir /e \
		--chmod 1755 /e -- /usr/bin/stat -c '%n %a %s' /one /two /d /e 7</etc/passwd 8</dev/null
	assert_output_is "/one 666 $(stat -c %s /etc/passwd)
/two 600 0
/d 700 40
/e 1755 40"
}

@test "bwrap files: what --perms denies is denied above too" {
	local pair
	for pair in 0755:755 0700:700 0750:750 0705:705 0770:750 0707:705 0000:700; do
		works "$BWRAP" --ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64 \
			--perms "${pair%:*}" --dir /above/it -- /usr/bin/stat -c %a /above
		assert_output_is "${pair#*:}"
	done
}

@test "bwrap files: a link as the mount point is refused, above it is followed" {
	mkdir -p in/dir
	ln -s dir in/link
	ln -s "$W/in/dir" in/absolute
	echo x >in/file
	ln -s file in/filelink
	says "Can't mount on symlink destination $W/in/link" \
		"${RO[@]}" --bind in "$W/in" --ro-bind /etc "$W/in/link" true
	says "Can't mount on symlink destination $W/in/filelink" \
		"${RO[@]}" --bind in "$W/in" --ro-bind /etc/passwd "$W/in/filelink" true
	works bw --ro-bind /etc "$W/in/link/etc" ls "$W/in/dir/etc/passwd"
	rmdir in/dir/etc
	works bw --tmpfs "$W/in/absolute/t" test -d "$W/in/dir/t"
	says "Can't mkdir parents for $W/in/file/x/y: Not a directory" \
		"${RO[@]}" --bind "$W" "$W" --dir "$W/in/file/x/y" true
	says "Destination is not a directory $W/in/file" \
		"${RO[@]}" --bind "$W" "$W" --ro-bind /etc "$W/in/file" true
	says "Destination is not a file $W/in/dir" \
		"${RO[@]}" --bind "$W" "$W" --ro-bind /etc/passwd "$W/in/dir" true
}

@test "bwrap files: no link of the new root leads out of it (CVE-2026-87766)" {
	local target
	mkdir secret in
	for target in "$W/secret" "../../../../../../../..$W/secret" "/proc/self/root$W/secret" \
		"/oldroot$W/secret" "/newroot/../oldroot$W/secret"; do
		rm -rf in/d
		mkdir in/d
		ln -s "$target" in/d/link
		# the new root has nothing of the host but the link's own directory
		run "$BWRAP" --ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64 \
			--bind in /in --dir /in/d/link/made --file 7 /in/d/link/file \
			-- /usr/bin/true 7</etc/passwd
		[ -z "$(ls -A secret)" ]
	done
	# by a descriptor of the launcher's that leads there
	rm in/d/link
	ln -s /proc/self/fd/9 in/d/link
	run "$BWRAP" --ro-bind /usr /usr --proc /proc --bind in /in \
		--dir /in/d/link/made /usr/bin/true 9<secret
	[ -z "$(ls -A secret)" ]
	# the control: where the link leads inside something is made
	mkdir real
	ln -s "$W/real" in/d/inside
	works bw --dir "$W/in/d/inside/made" true
	[ -d real/made ]
}

@test "bwrap files: the root itself, by every spelling, and nothing of the old one" {
	local root
	for root in / /. // /none/.. .. /a/../b/..; do
		rm -f mountinfo
		works "$BWRAP" --dir /a/b --dir /none --ro-bind / "$root" --proc /proc \
			--bind "$W" "$W" cp /proc/self/mountinfo "$W/mountinfo"
		# one root, and it is the first mount of all
		[ "$(awk '$5 == "/"' mountinfo | wc -l)" -eq 1 ]
		[ "$(flags /)" = ro,nosuid,nodev ]
	done
	mkdir in
	works "$BWRAP" --ro-bind / / --bind in / --ro-bind /usr /usr --symlink usr/lib /lib \
		--symlink usr/lib64 /lib64 -- /usr/bin/ls -A / /..
	assert_output_is "/:
lib
lib64
usr

/..:
lib
lib64
usr"
	[ -L in/lib ]
	# the control: without the second root the host's is there
	works bw ls /etc/passwd
}

@test "bwrap files: by descriptor" {
	mkdir dir
	echo x >dir/f
	works bw --bind-fd 7 /mnt sh -c 'cat /mnt/f; echo y >/mnt/g; ls /proc/self/fd' 7<dir
	assert_output_has x
	assert_output_lacks 7
	assert_content dir/g y
	fails bw --ro-bind-fd 7 /mnt sh -c 'echo y >/mnt/h' 7<dir
	assert_output_has 'Read-only'
	works fresh --ro-bind-fd 7 /file cat /file 7<dir/f
	assert_output_is x
	# also when its name is another's by now
	exec 7<dir
	mv dir moved
	mkdir dir
	works bw --ro-bind-fd 7 /mnt cat /mnt/f
	assert_output_is x
	exec 7<&-
	run "$BWRAP" "${RO[@]}" --bind-fd 77 /mnt true
	assert_status 1
}

@test "bwrap files: sources behind links and .., places that are there" {
	mkdir -p real/dir place
	echo x >real/dir/f
	echo old >place/old
	echo file >placefile
	ln -s real one
	ln -s "$W/one/dir" two
	works bw --ro-bind two "$W/place" --ro-bind one/../real/dir/f "$W/placefile" \
		cat place/f placefile
	assert_output_is "x
x"
	# nothing of it is on the host
	assert_content place/old old
	assert_content placefile file
	says "Can't mount on symlink destination $W/one" "${RO[@]}" --bind "$W" "$W" \
		--ro-bind-fd 7 "$W/one" true 7<real
	says "Destination is not a file $W/place" "${RO[@]}" --bind "$W" "$W" \
		--ro-bind-fd 7 "$W/place" true 7<placefile
}

@test "bwrap files: a descriptor that is not open is none of ours" {
	local fd
	for fd in 3 4 5 6 7 8 9; do
		fails timeout 20 "$BWRAP" "${RO[@]}" --bind "$W" "$W" --file "$fd" "$W/f" true \
			3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-
		assert_status 1
		assert_output_has 'Bad file descriptor'
		fails timeout 20 "$BWRAP" "${RO[@]}" --bind-fd "$fd" /mnt true \
			3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-
		assert_status 1
		fails timeout 20 "$BWRAP" "${RO[@]}" --seccomp "$fd" true \
			3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-
		assert_status 1
		works timeout 20 "$BWRAP" "${RO[@]}" --block-fd "$fd" true \
			3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-
	done
}

@test "bwrap files: somebody who renames elsewhere makes no start fail" {
	ln -s ../run there
	mkdir -p run/d
	touch a
	(while :; do mv a b && mv b a; done) 3>&- &
	STARTED+=($!)
	local i
	for i in {1..100}; do
		works bw --tmpfs "$W/run" --dir "$W/run/d/e/../../x/../y" true
	done
}

@test "bwrap files: tmpfs, its mode and its size" {
	works bw --tmpfs /mnt --perms 1777 --tmpfs /opt --size 65536 --tmpfs /srv \
		sh -c 'stat -c %a /mnt /opt /srv; df -B1 --output=size /srv | tail -1 | tr -d " "'
	assert_output_is "755
1777
755
65536"
	fails bw --size 65536 --tmpfs /srv sh -c 'head -c 100000 /dev/zero >/srv/f'
	assert_output_has 'No space'
	table --tmpfs /mnt
	[ "$(flags /mnt)" = rw,nosuid,nodev ]
}

@test "bwrap files: data, and its mode" {
	works fresh --tmpfs /t --bind-data 7 /t/a --ro-bind-data 8 /t/b --perms 644 \
		--ro-bind-data 9 /t/c sh -c 'stat -c %a /t/a /t/b /t/c; cat /t/a /t/b /t/c
			echo changed >/t/a && cat /t/a' 7<<<one 8<<<two 9<<<three
	assert_output_is "600
600
644
one
two
three
changed"
	fails fresh --tmpfs /t --ro-bind-data 8 /t/b sh -c 'echo x >/t/b' 8<<<two
	# over what is there
	works bw --ro-bind-data 8 /etc/hostname cat /etc/hostname 8<<<mine
	assert_output_is mine
	# of a pipe, and much of it
	works fresh --tmpfs /t --bind-data 7 /t/a sha256sum /t/a \
		7< <(head -c 3000000 /dev/zero)
	assert_output_has "$(head -c 3000000 /dev/zero | sha256sum | cut -d' ' -f1)"
}

@test "bwrap files: links, again and in the way" {
	works fresh --tmpfs /t --symlink a/b /t/link --symlink a/b /t/link readlink /t/link
	assert_output_is a/b
	says "Can't make symlink at /t/link: existing destination is a/b" \
		--tmpfs /t --symlink a/b /t/link --symlink c /t/link true
	says "Can't make symlink at /t/link: destination exists and is not a symlink" \
		--tmpfs /t --dir /t/link --symlink c /t/link true
}

@test "bwrap files: --chmod, --dir and --file of what is there" {
	says "Can't chmod /none: No such file or directory" --chmod 700 /none true
	works fresh --tmpfs /t --dir /t/d --perms 700 --dir /t/d stat -c %a /t/d
	assert_output_is 755
	says "Can't mkdir /t/f: File exists" --tmpfs /t --file 7 /t/f --dir /t/f true 7</dev/null
	ln -s "$W/target" link
	run "$BWRAP" "${RO[@]}" --bind "$W" "$W" --file 7 "$W/link" true 7</etc/passwd
	assert_status 1
	assert_absent target
}

@test "bwrap files: --remount-ro, and not below" {
	fails fresh --tmpfs /t --tmpfs /t/sub --remount-ro /t sh -c 'touch /t/sub/x && touch /t/x'
	assert_output_has "'/t/x': Read-only"
	assert_output_lacks "/t/sub/x"
	works fresh --tmpfs /t --tmpfs /t/sub sh -c 'touch /t/sub/x && touch /t/x'
	says "Can't remount readonly on /t/d: Invalid argument" --tmpfs /t --dir /t/d --remount-ro /t/d true
}

@test "bwrap files: overlays" {
	mkdir low1 low2 upper work
	echo 1 >low1/a
	echo 1 >low1/b
	echo 2 >low2/b
	works bw --overlay-src low1 --overlay-src low2 --tmp-overlay /mnt \
		sh -c 'cat /mnt/a /mnt/b; echo new >/mnt/c; rm /mnt/a; ls /mnt'
	assert_output_is "1
2
b
c"
	[ "$(ls low1)" = "a
b" ]
	works bw --overlay-src low1 --overlay upper work /mnt sh -c 'echo new >/mnt/c; ls /mnt'
	assert_content upper/c new
	assert_absent low1/c
	fails bw --overlay-src low1 --overlay-src low2 --ro-overlay /mnt touch /mnt/c
	assert_output_has 'Read-only'
	mkdir 'od:d,n\me"'
	echo odd >'od:d,n\me"/f'
	works bw --overlay-src 'od:d,n\me"' --tmp-overlay /mnt cat /mnt/f
	assert_output_is odd
}

@test "bwrap files: twenty layers" {
	local i words=()
	for i in {1..20}; do
		mkdir "l$i"
		echo "$i" >"l$i/$i"
		echo "$i" >"l$i/top"
		words+=(--overlay-src "l$i")
	done
	[ "$(uname -r | cut -d. -f1)" -gt 6 ] || [ "$(uname -r | cut -d. -f2)" -ge 5 ] ||
		skip "only for kernels with lowerdir+"
	works bw "${words[@]}" --ro-overlay /mnt sh -c 'ls /mnt | wc -l; cat /mnt/top'
	assert_output_is "21
20"
}

@test "bwrap files: /dev, /proc and message queues" {
	works bw --unshare-ipc --unshare-pid --proc /proc --dev /dev --mqueue /mnt \
		sh -c 'for n in null zero full random urandom tty; do test -c /dev/$n || echo $n
			done; readlink /dev/fd /dev/stdin /dev/core /dev/ptmx
			echo x >/dev/null; head -c 4 /dev/zero | wc -c; touch /mnt/queue
			ls /proc | grep -c "^[0-9]"; ls -d /dev/pts /dev/shm'
	assert_output_is "/proc/self/fd
/proc/self/fd/0
/proc/kcore
pts/ptmx
4
4
/dev/pts
/dev/shm"
	# without a pid namespace it is the host's
	works bw --proc /proc test -d "/proc/$$"
	fails bw --unshare-pid --proc /proc test -d "/proc/$$"
	fails bw --proc /proc --unshare-all sh -c 'echo 1 >/proc/sys/vm/drop_caches'
}

@test "bwrap files: the host's settings are read-only for root too" {
	require_root
	fails bw --proc /proc sh -c 'echo 1 >/proc/sys/kernel/printk_ratelimit'
	assert_output_has 'Read-only'
	fails bw --unshare-pid --proc /proc sh -c 'echo 1 >/proc/sys/kernel/printk_ratelimit'
	assert_output_has 'Read-only'
	fails bw --proc /proc sh -c 'echo h >/proc/sysrq-trigger'
	# the control
	sh -c ': >>/proc/sys/kernel/printk_ratelimit'
}

@test "bwrap files: a new /dev for each that is asked for" {
	works fresh --dev /mnt/dev --dev /opt/dev --proc /mnt/proc --unshare-pid \
		--proc /opt/proc sh -c 'echo >/mnt/dev/null && echo >/opt/dev/null &&
			test -d /mnt/proc/1 && test -d /opt/proc/1 && echo both'
	assert_output_is both
}

@test "bwrap files: host names in their turn, the last one stays" {
	works bw --unshare-uts --hostname one --hostname two uname -n
	assert_output_has two
	[ "$(uname -n)" != two ]
}

@test "bwrap files: odd names" {
	local name
	for name in 'a b' $'new\nline' $'\e[31m' 'quo"te' 'back\slash' ',comma:colon' 'ünïcode' -dash; do
		mkdir "$W/$name"
		echo x >"$W/$name/f"
		works fresh --ro-bind "$W/$name" /mnt --bind "$W/$name" "/at/$name" cat /mnt/f "/at/$name/f"
		assert_output_is "x
x"
	done
}

@test "bwrap files: two thousand binds" {
	local i
	for ((i = 0; i < 2000; i++)); do
		printf -- '--ro-bind\0/usr\0/mnt/%d\0' $i
	done >many
	works bw --tmpfs /mnt --args 7 sh -c 'ls /mnt | wc -l; test -d /mnt/1999/bin && ulimit -n' 7<many
	assert_output_is "2000
$(ulimit -n)"
}
