#!/usr/bin/env bats
# What was denied of files: --report and --report=all.

# shellcheck disable=SC2016,SC2030,SC2031
bats_require_minimum_version 1.5.0
load box
load denied

# A read root with a write root in it, and a mask and a protection.
make_roots() {
	mkdir -p tree/shown tree/rw/kept tree/far
	echo f >tree/shown/f
	echo s >tree/rw/secret
	ln -s ../shown/f tree/rw/link
}

files() {
	"$CORDON" --read "$W/tree" --write "$W/tree/rw" --cwd "$W/tree/shown" \
		--protect "$W/tree/rw/kept" --mask "$W/tree/rw/secret" \
		--report --status-fd 4 -- "$@" 4>status
}

# told OPERATION OBJECT ERRNO RULE ALLOW
told() {
	holds "any(.[]; .event == \"denied\" and .kind == \"file\" and
		.operation == \"$1\" and .object == \"$2\" and .errno == \"$3\" and
		.rule == \"$4\" and .allow == \"$5\")"
}

@test "denied: every kind of change in a read root" {
	require jq
	make_roots
	local t=$W/tree
	run files sh -c 'echo >f; echo >new; mkdir dir; rm -f f; mv f g
		ln f hard; ln -s f soft; mkfifo pipe; chmod 600 f; true'
	assert_status 0
	local rule="--read $t" allow="--write $t/shown"
	told write "$t/shown/f" EROFS "$rule" "$allow/f"
	told write "$t/shown/new" EROFS "$rule" "$allow"
	told mkdir "$t/shown/dir" EROFS "$rule" "$allow"
	told unlink "$t/shown/f" EROFS "$rule" "$allow"
	told rename "$t/shown/f" EROFS "$rule" "$allow"
	told link "$t/shown/hard" EROFS "$rule" "$allow"
	told symlink "$t/shown/soft" EROFS "$rule" "$allow"
	told mknod "$t/shown/pipe" EROFS "$rule" "$allow"
	told chmod "$t/shown/f" EROFS "$rule" "$allow/f"
	holds '.[-1].denied == { "net": 0, "file": 9, "call": 0 }'
	assert_output_has "cordon: denied: write $t/shown/new (EROFS), sh (pid "
	# what they say makes it work
	run "$CORDON" --read "$t" --write "$t/shown" --cwd "$t/shown" --report \
		-- sh -c 'echo >new; mkdir dir; chmod 600 f'
	assert_output_is "cordon: denied: nothing"
}

@test "denied: not what is allowed, nor what would fail anyhow" {
	require jq
	make_roots
	mkdir tree/shown/there
	run files sh -c 'cd ../rw; echo >a; mv a b; mkdir d; rmdir d; rm b
		echo >/tmp/x; echo >"$HOME/x"; echo >/dev/null; cat <../shown/f'
	assert_status 0
	assert_output_has "cordon: denied: nothing"
	run files sh -c 'mkdir there; rm -f missing; rmdir missing; echo >/proc/x
		rm missing/x; mkdir missing/x; echo >there; true'
	assert_output_has "cordon: denied: nothing"
	require /usr/bin/python3
	run files /usr/bin/python3 -c 'import os
os.open("f", os.O_RDONLY | os.O_CREAT)
try: os.open("f", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
except FileExistsError: print("there")'
	assert_output_has there
	assert_output_has "cordon: denied: nothing"
	# control
	run files /usr/bin/python3 -c 'import os
try: os.open("f", os.O_WRONLY)
except OSError as error: print(error.errno)'
	assert_output_has 30
	assert_output_lacks "cordon: denied: nothing"
}

@test "denied: a mask, a protection, and what is not shown" {
	require jq
	make_roots
	local t=$W/tree
	run files sh -c 'cd ../rw; echo >kept/x; echo >secret; echo >>secret; true'
	told write "$t/rw/kept/x" EROFS "--protect $t/rw/kept" \
		"--unprotect $t/rw/kept"
	told write "$t/rw/secret" EROFS "--mask $t/rw/secret" \
		"--unmask $t/rw/secret"
	told write "$t/rw/secret" EACCES "--mask $t/rw/secret" \
		"--unmask $t/rw/secret"
	# at another place than outside
	run "$CORDON" --read "$t/shown:/srv/shown" --cwd / --report \
		--status-fd 4 -- sh -c 'echo >/srv/shown/new; true' 4>status
	told write /srv/shown/new EROFS "--read /srv/shown" \
		"--write $t/shown:/srv/shown"
}

@test "denied: a place that is outside and not inside" {
	require_root
	require jq
	local place
	place=$(mktemp -d /var/cordon-test.XXXXXX)
	run watched -- sh -c "echo >'$place/x'; mkdir '$place'; true"
	rmdir "$place" # nothing was made in it
	told write "$place/x" ENOENT default "--write $place"
	told mkdir "$place" EROFS default "--write $place"
	# control: what is not there outside either
	run watched -- sh -c "echo >'$place/x'; true"
	assert_output_has "cordon: denied: nothing"
}

@test "denied: paths by a descriptor, over links and with dots" {
	require jq /usr/bin/python3
	make_roots
	local t=$W/tree
	run files /usr/bin/python3 -c 'import os
def denied(call, *words, **options):
    try: call(*words, **options); print("worked")
    except OSError as error: pass
shown = os.open(".", os.O_RDONLY)
os.chdir("../rw")
denied(os.mkdir, "a", dir_fd=shown)
denied(os.mkdir, "../shown/../shown/./b")
denied(os.open, "link", os.O_WRONLY)
denied(os.rename, "../shown/f", "c", src_dir_fd=None)
denied(os.rename, "f", "d", src_dir_fd=shown, dst_dir_fd=shown)
denied(os.truncate, "../shown/f", 0)'
	assert_output_lacks worked
	holds "[.[] | select(.kind == \"file\") | [.operation, .object]] |
		contains([[\"mkdir\", \"$t/shown/a\"], [\"mkdir\", \"$t/shown/b\"],
		[\"write\", \"$t/shown/f\"], [\"rename\", \"$t/shown/f\"]])"
}

@test "denied: what is read, with --report=all" {
	require jq
	make_roots
	mkdir -p tree/rw/vault/deep tree/unseen
	echo s >tree/rw/vault/deep/key
	echo s >"$HOME/.token"
	local t=$W/tree
	all() {
		"$CORDON" --read "$t/shown" --write "$t/rw" --cwd "$t/rw" \
			--mask "$t/rw/secret" --mask "$t/rw/vault" \
			--status-fd 4 "$@" 4>status
	}
	local reads='cat secret vault/deep/key ~/.token "$0/f" /nowhere/f; ls vault
		cat link /proc/nothing /dev/nothing >/dev/null; true'
	run all --report=all -- sh -c "$reads" "$t/unseen"
	assert_status 0
	told read "$t/rw/secret" EACCES "--mask $t/rw/secret" \
		"--unmask $t/rw/secret"
	told read "$t/rw/vault/deep/key" EACCES "--mask $t/rw/vault" \
		"--unmask $t/rw/vault"
	told read "$t/rw/vault" EACCES "--mask $t/rw/vault" \
		"--unmask $t/rw/vault"
	told read "$HOME/.token" ENOENT default "--read $HOME/.token"
	holds '[.[] | select(.event == "denied")] | length == 4'
	# control: it helps
	run all --report=all --read "$HOME/.token" -- sh -c 'cat ~/.token'
	assert_output_is "s
cordon: denied: nothing"
	# and without all reads are not told
	run all --report -- sh -c "$reads" "$t/unseen"
	assert_output_has "cordon: denied: nothing"
	# openat2 is always heard, its flags stand in memory
	require /usr/bin/python3
	local open='import ctypes, sys
how = (ctypes.c_uint64 * 3)(int(sys.argv[1]), 0, 0)
print(ctypes.CDLL(None).syscall(437, -100, b"secret", how, 24))'
	run all --report -- /usr/bin/python3 -c "$open" 0
	assert_output_is "-1
cordon: denied: nothing"
	run all --report -- /usr/bin/python3 -c "$open" 1
	told write "$t/rw/secret" EACCES "--mask $t/rw/secret" \
		"--unmask $t/rw/secret"
}

@test "denied: what this user may not write outside is not the wall's denial" {
	require_user
	require jq
	run watched -- sh -c 'echo >/usr/denied; mkdir /usr/denied; rm /usr/bin/env
		echo >/etc/passwd; mkdir /denied; true'
	assert_output_has "Read-only file system"
	assert_output_has "cordon: denied: nothing"
}

@test "denied: bad words of file calls give what they give unwatched" {
	local call
	for call in "openat 0 1 1" "openat -100 @ 1" "mkdirat 99 1" "mkdirat 99 @" \
		"openat2 -100 @ 0 24" "openat2 -100 @ @ 24" "unlinkat -100 0"; do
		# shellcheck disable=SC2086 # several words
		run box -- "$HELPERS/trycall" $call
		local unwatched=$output
		# shellcheck disable=SC2086
		run box --report -- "$HELPERS/trycall" $call
		[ "${lines[0]}" = "$unwatched" ] ||
			{ echo "$call: $unwatched"; show_run; return 1; }
		assert_output_has "cordon: denied: nothing"
	done
	require /usr/bin/python3
	run python 'import os
for name in "x" * 5000, "/" + "x/" * 2040, "":
    try: os.mkdir(name)
    except OSError as error: print(error.errno)'
	[ "${lines[*]:0:3}" = "36 2 2" ] || { show_run; return 1; }
}

@test "denied: a path cannot forge the report" {
	require jq /usr/bin/python3
	make_roots
	run files /usr/bin/python3 -c 'import os
try: os.mkdir(b"a\ncordon: denied: nothing\x1b[2J\xff")
except OSError: pass'
	[ "$(grep -c '^cordon: ' <<<"$output")" -eq 1 ]
	assert_output_has 'a\x0acordon: denied: nothing\x1b[2J'
	holds 'any(.[]; .event == "denied" and has("object_b64"))'
}

@test "denied: files are heard with --report only, of any network" {
	require jq
	make_roots
	local try=(--read "$W/tree" --cwd "$W/tree/shown")
	run "$CORDON" "${try[@]}" --status-fd 4 --fail-on denied -- \
		sh -c 'mkdir d; true' 4>status
	assert_status 0
	holds '.[-1].denied == { "net": 0 }'
	run "$CORDON" "${try[@]}" --report --fail-on denied -- \
		sh -c 'mkdir d; true'
	assert_status 123
	run "$CORDON" "${try[@]}" --net host --allow-abstract --report \
		--status-fd 4 -- sh -c "mkdir d
			'$HELPERS/reach' connect 127.0.0.1 9; true" 4>status
	holds '.[-1].denied == { "file": 1, "call": 0 }'
}
