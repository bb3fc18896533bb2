#!/usr/bin/env bash
# usage: flatpak.sh
#
# Flatpak (Debian's) with cordon as its bwrap: a runtime of busybox and a small
# app, made on the spot, built and run with `flatpak build'.
. "$(dirname "$0")/common.sh"
need flatpak ostree busybox
make_work
export XDG_DATA_HOME=$HOME/share XDG_CACHE_HOME=$HOME/cache XDG_RUNTIME_DIR=$HOME/run
export FLATPAK_BWRAP=$work/bin/bwrap
mkdir -m 700 "$XDG_RUNTIME_DIR"
cd project || exit 1
arch=$(flatpak --default-arch)

must() {
	"$@" >log 2>&1 && return
	cat log
	say "FAILED: $*"
	exit 1
}

mkdir -p runtime/files runtime/usr/bin runtime/usr/etc runtime/usr/lib
cp "$(command -v busybox)" runtime/usr/bin/busybox
for name in sh cat chmod id ls mkdir sed test touch; do
	ln -s busybox "runtime/usr/bin/$name"
done
cat >runtime/metadata <<END
[Runtime]
name=org.cordon.Platform
runtime=org.cordon.Platform/$arch/1
sdk=org.cordon.Platform/$arch/1
END
must flatpak build-export --files=usr --runtime repo runtime 1
must flatpak --user remote-add --no-gpg-verify here "$PWD/repo"
must flatpak --user install -y --noninteractive here org.cordon.Platform//1
must flatpak build-init app org.cordon.App org.cordon.Platform org.cordon.Platform 1

expect 'the app is built' 0 '' flatpak build app sh -c 'mkdir -p /app/bin &&
	echo "#!/bin/sh
echo hello from \$(id -u) in \$(ls /app)" >/app/bin/hello && chmod 755 /app/bin/hello'
expect 'and runs' 0 "^hello from $(id -u) in bin\$" flatpak build app /app/bin/hello
expect 'its status comes back' 7 '' flatpak build app sh -c 'exit 7'
expect 'the runtime is read-only' 1 'Read-only' flatpak build app touch /usr/file
expect 'the host is hidden' 1 '' flatpak build app test -e /etc/shadow
expect 'no network, unless it is asked for' 0 '^1$' flatpak build app sh -c \
	'sed 1,2d /proc/net/dev | sed -n \$='
must flatpak build-finish --command=hello app
must flatpak build-export repo app
finish
