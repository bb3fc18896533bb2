#!/usr/bin/env bash
# usage: codex.sh
#
# npm's @openai/codex with cordon as its bwrap: the sandbox that its shell runs in.
# It asks the program's help for what it can, and resolves links before.
. "$(dirname "$0")/common.sh"
need strace
make_work
npm_install @openai/codex
export CODEX_HOME=$work/home/.codex
mkdir "$CODEX_HOME"
cd project || exit 1

codex() {
	strace -f -e trace=execve -o "$work/trace" "$work/node_modules/.bin/codex" \
		sandbox -c 'sandbox_mode="workspace-write"' -- "$@"
}

expect 'a command runs' 0 '^hello$' codex echo hello
ran_ours "$work/trace"
grep 'execve(' "$work/trace" | grep -q '"--unshare-user"' ||
	{ say 'FAILED: it was not asked for a sandbox' && failed=1; }
expect 'its status comes back' 7 '' codex sh -c 'exit 7'
expect 'the project can be written' 0 '' codex touch here
[ -e here ] || { say 'FAILED: the file is not there' && failed=1; }
expect 'the home cannot' 1 'Read-only' codex touch "$work/home/file"
expect 'the control: without it it can' 0 '' touch "$work/home/file"
expect 'no network but loopback' 0 '^1$' codex sh -c \
	'tail -n +3 /proc/net/dev | wc -l'
finish
