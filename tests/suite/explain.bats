#!/usr/bin/env bats
# What `cordon explain` says of single paths and addresses; that it is so is
# explain_property's.

load box

explain() {
	"$CORDON" explain --write "$W" "$@"
}

@test "explain: the rule, where it was said, what each attempt gives" {
	echo x >f
	works explain f
	assert_output_has "f: write root, --write $W (command line, word 2)"
	assert_output_has "leads to: $W/f"
	assert_output_has "loses, less specific: /tmp (default)"
	assert_output_has "open for writing: yes"
	works "$CORDON" explain --cwd / --read "$W" "$W/f"
	assert_output_has "open for writing: EROFS"
	assert_output_has "to open it: --write $W/f"
}

@test "explain: a mask of a profile, with its line and the words that open it" {
	echo x >f
	printf 'verbose\nmask %s\n' "$W/f" >profile
	works explain --profile ./profile f
	assert_output_has "masked, mask $W/f (./profile:2)"
	assert_output_has "open for reading: EACCES"
	assert_output_has "rename: EBUSY"
	assert_output_has "to open it: --unmask $W/f"
	works explain --profile ./profile --unmask f f
	assert_output_has "open for reading: yes"
	assert_output_has "f: write root, --unmask f (command line, word 6)"
	assert_output_has "loses, taken away by --unmask f: mask $W/f (./profile:2)"
	assert_output_has "loses, less specific: --write $W"
	assert_output_lacks "to open it"
}

@test "explain: an exception that loses, and a rule that changes nothing" {
	mkdir d
	echo x >d/f
	echo "unprotect $W/d" >profile
	works explain --profile ./profile --protect d d/f
	assert_output_has "protected, read-only, --protect d"
	assert_output_has "loses, what is typed stands against it: unprotect $W/d"
	works "$CORDON" explain --cwd / --read "$W" --read "$W/d" "$W/d/f"
	assert_output_has "read root, --read $W (command"
	assert_output_has "loses, changes nothing: --read $W/d (command"
	works "$CORDON" explain --cwd / --write "$W" --read "$W/d" "$W/d/f"
	assert_output_lacks "changes nothing"
	works "$CORDON" explain --cwd / --mask "$W/d" "$W/d"
	assert_output_has "loses, changes nothing: --mask $W/d"
}

@test "explain: words only where they open it, else why not" {
	mkdir d
	echo x >d/f
	works "$CORDON" explain --cwd / --read "$W" "$W/d/f"
	assert_output_has "to open it: --write $W/d/f"
	chmod 400 d/f
	works "$CORDON" explain --cwd / --read "$W" "$W/d/f"
	assert_output_has "open for writing: EACCES"
	assert_output_has "note: EACCES is by its own mode"
	assert_output_lacks "to open it"
	# a word of the same place would contradict; the words say so
	works "$CORDON" explain --cwd / --read "$W/d" "$W/d"
	assert_output_has "create in it: EROFS"
	assert_output_has "to open it: --write $W/d in place of --read $W/d"
	works "$CORDON" explain --cwd / --read "$W" "$W/d/new"
	assert_output_has "to open it: --write $W/d"
	# at another place, and where what is asked for leads to
	works "$CORDON" explain --cwd / --read "$W:/other" /other/d
	assert_output_has "to open it: --write $W/d:/other/d"
	# --within would refuse them
	echo "read $W" >outer
	works "$CORDON" explain --cwd / --within ./outer --read "$W" "$W/d"
	assert_output_has "create in it: EROFS"
	assert_output_lacks "to open it"
}

@test "explain: no words for a file of root's to an ordinary user" {
	require_user
	works "$CORDON" explain /etc/passwd
	assert_output_has "open for writing: EACCES"
	assert_output_lacks "to open it"
}

@test "explain: what the sandbox's own /dev holds" {
	works explain /dev /dev/null /dev/shm /dev/missing /dev/tty
	assert_output_has "/dev/null: the sandbox's own /dev"
	assert_output_has "open for writing: depends"
	assert_output_has "/dev/missing: the sandbox's own /dev, /dev (default)
  open for reading: ENOENT"
	works explain /dev/loop-control
	if [ -r /dev/loop-control ]; then
		assert_output_has "to open it: --device /dev/loop-control"
	else
		assert_output_lacks "to open it"
	fi
}

@test "explain: a rule that loses at the same place is named" {
	echo x >f
	printf 'write %s\n' "$W/f" >profile
	works "$CORDON" explain --cwd / --profile "$W/profile" \
		--read "$W/f" "$W/f"
	assert_output_has "read root, --read $W/f"
	assert_output_has "loses, the same place"
	assert_output_has "write $W/f ($W/profile:1)"
}

@test "explain: what no rule shows is absent, and how it would be shown" {
	works explain /mnt
	assert_output_has "absent: no rule shows it"
	assert_output_has "open for reading: ENOENT"
	assert_output_has "to open it: --read /mnt"
	works explain /nowhere
	assert_output_has "absent: no rule shows it"
	assert_output_has "note: there is none outside either"
	assert_output_lacks "to open it"
}

@test "explain: another place, a link, and what of the host it is" {
	mkdir d
	echo x >d/f
	ln -s d/f link
	works explain --read "$W/d:/other" /other/f link
	assert_output_has "of the host: $W/d/f"
	assert_output_has "leads to: $W/d/f"
}

@test "explain: addresses, without network and with the host's" {
	works explain 192.0.2.1:80 127.0.0.1:80 '[2001:db8::1]:443' a.test:1
	assert_output_has "192.0.2.1:80: no network"
	assert_output_has "connect: ENETUNREACH"
	assert_output_has "127.0.0.1:80: the sandbox's own loopback"
	assert_output_has "the name is not found"
	assert_output_has "to open it: --net host"
	works explain --net host --allow-abstract 192.0.2.1:80
	assert_output_has "the host's network, --net host"
	assert_output_lacks ENETUNREACH
}

@test "N-53 explain: --json is one object, in the order that was asked" {
	works explain --json -- "$W" /nowhere 192.0.2.1:80
	/usr/bin/python3 - "$output" <<-'END'
	import json, sys
	said = json.loads(sys.argv[1])
	one, two, three = said["answers"]
	assert said["v"] == 1
	assert one["rule"]["line"] == 2 and one["create"], one
	assert two["read"] == "ENOENT" and "rule" not in two, two
	assert three["address"] and three["connect"] == "ENETUNREACH", three
	END
}

@test "explain: without a path, or refused as a run would be" {
	run explain
	assert_refused no_command
	run explain --read "$W/absent" "$W"
	assert_refused bad_read
	run "$CORDON" --json -- true
	assert_refused bad_option
}

@test "explain: may be asked from a directory that is not visible inside" {
	fails "$CORDON" show
	assert_output_has bad_cwd
	works "$CORDON" explain f
	assert_output_has "leads to: $W/f"
	assert_output_has "open for reading: ENOENT"
}

@test "explain: a mount in an overlay keeps no name outside it busy" {
	mkdir -p d/sub/held e/sub/held
	works "$CORDON" explain --cwd / --overlay "$W/d" --read "$W/d/sub" \
		--tmpfs "$W/d/sub/held" --write "$W/d:/other" /other/sub/held
	assert_output_has "rename: yes"
	works "$CORDON" --cwd / --overlay "$W/d" --read "$W/d/sub" \
		--tmpfs "$W/d/sub/held" --write "$W/d:/other" -- \
		mv /other/sub/held /other/sub/moved
	# in a plain bind the same mount holds it
	works "$CORDON" explain --cwd / --write "$W/e" --tmpfs "$W/e/sub/held" \
		--write "$W/e:/other" /other/sub/held
	assert_output_has "rename: EBUSY"
	fails "$CORDON" --cwd / --write "$W/e" --tmpfs "$W/e/sub/held" \
		--write "$W/e:/other" -- mv /other/sub/held /other/sub/moved
	assert_output_has busy
}

@test "explain: a slash at the end wants a directory, as the kernel does" {
	mkdir d
	echo x >f
	works explain d/
	assert_output_has "open for reading: yes"
	works explain f/
	assert_output_has "open for reading: ENOTDIR"
	assert_output_has "rename: ENOTDIR"
	fails "$CORDON" --write "$W" -- cat f/
	assert_output_has "Not a directory"
}
