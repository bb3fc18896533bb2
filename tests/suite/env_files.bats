#!/usr/bin/env bats
# The set @env-files: names at the top of each write root.

load box

@test "@env-files: files of settings are masked, templates are not" {
	local file
	mkdir sub
	for file in .env .env.local .env.prod sub/.env .envrc .env.example \
		.env.test.sample .env.template .env.prod.dist; do
		echo "KEY=1" >"$file"
	done
	for file in .env .env.local .env.prod; do
		fails box --mask @env-files -- cat "$file"
		assert_output_has 'Permission denied'
		# control
		works box -- cat "$file"
	done
	for file in sub/.env .envrc .env.example .env.test.sample .env.template \
		.env.prod.dist; do
		works box --mask @env-files -- cat "$file"
		assert_output_is "KEY=1"
	done
}

@test "@env-files: one is shown with --unmask, a typed rule holds" {
	echo one >.env
	echo two >.env.local
	works box --mask @env-files --unmask .env -- cat .env
	assert_output_is one
	fails box --mask @env-files --unmask .env -- cat .env.local
	fails box --mask @env-files --mask .env.local --unmask .env.local -- true
	assert_refused conflict
	run box --mask @env-files --unmask .env.none -- true
	assert_refused bad_unmask
	# what the user typed at a path beats what a set says of it
	works box --mask @env-files --protect .env -- cat .env
	assert_output_is one
}

@test "@env-files: in every write root, also at another place" {
	mkdir a b
	echo KEY >a/.env
	echo KEY >b/.env
	run "$CORDON" --write "$W/a" --write "$W/b:/other" --mask @env-files \
		--cwd /other -- sh -c "cat '$W/a/.env' /other/.env; ls -A"
	assert_output_lacks KEY
	assert_output_has .env
	# a root that is only read is not looked at: nobody asked for it
	works "$CORDON" --read "$W/a" --mask @env-files --cwd / -- cat "$W/a/.env"
}

@test "@env-files: whatever a run left there makes no run refuse" {
	mkdir .env.dir
	echo kept >.env.dir/f
	mkfifo .env.fifo
	ln -s nowhere .env.dangling
	ln -s .env.loop .env.loop
	ln -s /usr/bin .env.away
	echo x >.env.links
	ln .env.links other
	: >$'.env.\n\e[31m'
	"$HELPERS/listener" unix "$W/.env.socket" >/dev/null 3>&- &
	STARTED+=($!)
	await test -S .env.socket
	works box --mask @env-files -- sh -c 'cat .env.dir/f; ls /usr/bin/env'
	assert_output_has kept
	assert_output_has '.env.links has 2 names'
	fails box --mask @env-files -- cat .env.links
	fails box --mask @env-files -- timeout 5 cat .env.fifo
	assert_output_has 'Permission denied'
	# the socket is closed too
	fails box --mask @env-files -- "$HELPERS/probe" unix "$W/.env.socket"
	works box -- "$HELPERS/probe" unix "$W/.env.socket"
}

@test "@env-files: a link within the root hides what it leads to" {
	mkdir conf
	echo KEY >conf/settings
	ln -s conf/settings .env
	fails box --mask @env-files -- cat conf/settings
	works box -- cat conf/settings
}

@test "@env-files: a thousand decoys hide nothing less" {
	local i
	for ((i = 0; i < 1000; i++)); do
		: >".env.$i"
	done
	echo KEY >.env.zz
	fails box --mask @env-files -- cat .env.zz
	works box --mask @env-files -- sh -c 'cat .env.* 2>&1 | grep -c denied'
	assert_output_is 1001
}

@test "@env-files: no mode of a write root uncovers one" {
	require_user
	mkdir root
	echo KEY >root/.env
	echo free >root/other
	local as=("$CORDON" --write "$W/root" --cwd /)
	# what an earlier run leaves: nobody can list it, who knows a name reads it
	works "${as[@]}" -- chmod 311 "$W/root"
	works "${as[@]}" -- cat "$W/root/.env"
	fails "${as[@]}" --mask @env-files -- cat "$W/root/.env"
	assert_refused bad_mask
	assert_output_has 'cannot be listed'
	assert_output_has "chmod u+rx"
	# names without what they are; the run itself can open it again
	chmod 600 root
	local look='chmod 700 "$1"; cat "$1/other" "$1/.env"'
	run "${as[@]}" --mask @env-files -- sh -c "$look" sh "$W/root"
	assert_output_lacks KEY
	chmod 600 root
	works "${as[@]}" -- sh -c "$look" sh "$W/root"
	assert_output_has KEY
	chmod 700 root
	works "${as[@]}" --mask @env-files -- cat "$W/root/other"
}

@test "@env-files: can only be masked" {
	fails box --read @env-files -- true
	assert_refused bad_read
}

@test "agent: .env is hidden" {
	echo KEY >.env
	run "$CORDON" --profile agent -- cat .env
	assert_status 1
	assert_output_has 'Permission denied'
}
