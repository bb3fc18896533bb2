#!/usr/bin/env bash
# usage: sandbox-runtime.sh
#
# npm's @anthropic-ai/sandbox-runtime with cordon as its bwrap: allowed and denied
# paths, and no network.
. "$(dirname "$0")/common.sh"
need rg socat strace
make_work
npm_install @anthropic-ai/sandbox-runtime

cd project || exit 1
echo KEY >secret
mkdir out .git
cat >"$work/settings.json" <<END
{ "network": { "allowedDomains": [], "deniedDomains": [] },
  "filesystem": { "denyRead": ["$work/project/secret"],
    "allowWrite": ["$work/project/out"], "denyWrite": [] } }
END

srt() {
	strace -f -e trace=execve -o "$work/trace" \
		"$work/node_modules/.bin/srt" --settings "$work/settings.json" -- "$@"
}

expect 'a command runs' 0 '^hello$' srt echo hello
ran_ours "$work/trace"
expect 'its status comes back' 7 '' srt sh -c 'exit 7'
expect 'an allowed path can be written' 0 '' srt touch out/file
[ -e out/file ] || { say 'FAILED: out/file is not there' && failed=1; }
expect 'another cannot' 1 'Read-only' srt touch other
expect 'a denied one cannot be read' 1 'denied' srt cat secret
expect 'the control: without it it can' 0 KEY cat secret
expect 'no network but loopback' 0 '^1$' srt sh -c \
	'tail -n +3 /proc/net/dev | wc -l'
expect 'no process of the host' 1 '' srt test -d "/proc/$$"
finish
