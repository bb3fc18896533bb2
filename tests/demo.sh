#!/usr/bin/env bash
# What `./bootstrap demo' shows: a small project built behind the wall, and what
# a program behind it gets of the host. Each attempt is made outside first, where
# it must succeed, and is then judged by what it really did. The exit status is 0
# when every expectation held.
set -u

top=$(cd "$(dirname "$0")/.." && pwd)
: "${CORDON:=$top/cordon}"
export LC_ALL=C.UTF-8
if [ ! -x "$CORDON" ]; then
	echo "not built yet: $CORDON (say ./bootstrap)" >&2
	exit 2
fi

# Not below /tmp: that is private inside, and a write there would succeed and
# vanish, which is right and makes a poor show.
scratch=$(mktemp -d /var/tmp/cordon-demo.XXXXXX) || exit 2
service=
victim=
clean_up() {
	[ -z "$service" ] || kill "$service" 2>/dev/null
	[ -z "$victim" ] || kill "$victim" 2>/dev/null
	rm -rf --one-file-system "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

export HOME=$scratch/home
mkdir -p "$HOME/.ssh" "$scratch/project"
echo 'the private key' >"$HOME/.ssh/id_demo"
echo 'as it was' >"$scratch/notes.txt"
cd "$scratch/project" || exit 2

cat >Makefile <<'MAKEFILE'
all: hello probe
check: all
	./hello
MAKEFILE
cat >hello.c <<'HELLO'
#include <stdio.h>

int main(void)
{
	puts("hello from behind the wall");
	return 0;
}
HELLO
# A service on the host's loopback, and a client for it.
cat >probe.c <<'PROBE'
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t size = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (argc == 2) {
		at.sin_port = htons((unsigned short)atoi(argv[1]));
		if (connect(fd, (struct sockaddr *)&at, size) == 0)
			return 0;
		perror("connect");
		return 1;
	}
	if (bind(fd, (struct sockaddr *)&at, size) != 0 || listen(fd, 8) != 0 ||
	    getsockname(fd, (struct sockaddr *)&at, &size) != 0)
		return 1;
	printf("%d\n", ntohs(at.sin_port));
	fflush(stdout);
	pause();
	return 0;
}
PROBE

faults=0
say() {
	printf '\n== %s\n' "$*"
}

verdict() {
	if [ "$1" = 0 ]; then
		printf '   as expected\n'
	else
		printf '   NOT as expected\n'
		faults=$((faults + 1))
	fi
}

show() {
	local line
	printf '   $ %s\n' "$*"
	"$@" 2>&1 | while IFS= read -r line; do
		printf '   | %s\n' "${line//$scratch/...}"
	done
	return "${PIPESTATUS[0]}"
}

inside() {
	"$CORDON" --write . -- "$@"
}
cordon() {
	"$CORDON" "$@"
}

# attempt WHAT CHECK COMMAND...: COMMAND works outside; then it is made inside,
# and CHECK says whether the host got away unharmed.
attempt() {
	local what=$1 check=$2 line
	shift 2
	say "$what"
	if ! "$@" >/dev/null 2>&1; then
		echo "   does not even work outside, so it would prove nothing"
		verdict 1
		return
	fi
	echo "   outside: done"
	prepare
	inside "$@" >out 2>&1
	printf '   inside: exit status %s' "$?"
	IFS= read -r line <out && printf ', %s' "${line//$scratch/...}"
	echo
	if grep -q '^cordon: ' out; then
		echo "   it was never tried inside, so it proves nothing"
		verdict 1
		return
	fi
	"$check"
	verdict $?
}

prepare() {
	echo 'as it was' >"$scratch/notes.txt"
}
notes_are_whole() {
	[ "$(cat "$scratch/notes.txt")" = 'as it was' ]
}
key_is_secret() {
	! grep -q 'the private key' out
}
connect_failed() {
	grep -q 'connect:' out
}
victim_is_unseen() {
	grep -qi 'no such process' out
}
nobody_is_left() {
	sleep 1.5
	[ ! -e late ]
}

say "what is allowed: build and test in the current directory"
show cordon --write . -- make all
verdict $?
show cordon --write . -- make -s check
verdict $?
[ -x hello ] && [ -x probe ]
verdict $?

say "the plan, printed and not carried out (the first lines)"
show cordon show --write . -- make | sed -n '1,6p'

attempt "write a file beside the project" notes_are_whole \
	sh -c 'echo changed >../notes.txt'
attempt "read a key in the home" key_is_secret cat "$HOME/.ssh/id_demo"

./probe >port &
service=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
	[ -s port ] && break
	sleep 0.1
done
attempt "connect to a service of the host" connect_failed ./probe "$(cat port)"

sleep 4000 &
victim=$!
# outside only asked for: it would be gone
attempt "reach a process of the host" victim_is_unseen \
	sh -c "kill -0 $victim"
say "kill it"
show cordon --write . -- sh -c "kill -9 $victim"
kill -0 "$victim" 2>/dev/null
verdict $?

say "leave a process behind"
show cordon --write . -- sh -c '(sleep 1; touch late) & echo gone'
nobody_is_left
verdict $?

say "a policy that cannot hold is refused, all of it at once"
show cordon --write . --read ./nowhere --timeout soon -- make
[ $? -eq 125 ]
verdict $?

echo
if [ "$faults" -eq 0 ]; then
	echo "every expectation held"
else
	echo "$faults expectations did not hold"
	exit 1
fi
