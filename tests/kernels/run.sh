#!/usr/bin/env bash
# usage: tests/kernels/run.sh [PACKAGE...]
#
# Boots Debian's kernels in qemu and tries the launcher there: as an ordinary
# user, as root, and with limits that need a delegated cgroup. The guest is a
# busybox on a tmpfs (pivot_root cannot leave the initramfs itself). Needs
# qemu-system-x86_64, a static busybox, cpio and the kernel packages, which
# `apt-get download' brings. Prints TAP; `make check-kernels' runs it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cordon=${CORDON:-$here/../../cordon}
work=$(mktemp -d "${TMPDIR:-/tmp}/cordon-kernels.XXXXXX")
trap 'rm -rf "$work"' EXIT

for program in qemu-system-x86_64 busybox cpio dpkg-deb; do
	command -v $program >/dev/null || {
		echo "1..0 # SKIP $program is not installed"
		exit 77
	}
done
[ $# -gt 0 ] || mapfile -t packages < <(apt-cache search --names-only \
	'^linux-image-6\.(1|12)\..*cloud-amd64$' | awk '{ print $1 }' | sort -V |
	awk -F '[.]' '{ last[$2] = $0 } END { for (n in last) print last[n] }')
[ $# -eq 0 ] || packages=("$@")

make_guest() {
	local root=$work/root
	mkdir -p "$root"/{bin,usr/bin,usr/lib,lib,etc,proc,sys,dev,tmp,root,home/u}
	cp "$(command -v busybox)" "$root/bin/busybox"
	cp "$cordon" "$root/cordon"
	cp "$here/init" "$here/boot.sh" "$here/guest.sh" "$root/"
	(cd "$root" && find . | cpio -o -H newc 2>/dev/null) | gzip -1 >"$work/initrd"
}

boot() { # VMLINUZ
	timeout 300 qemu-system-x86_64 -nographic -m 1024 -kernel "$1" \
		-initrd "$work/initrd" -no-reboot \
		-append 'console=ttyS0 quiet panic=-1 rdinit=/init' </dev/null 2>&1 |
		tr -d '\r'
}

number=0 failed=0
report() { # KERNEL: reads the guest's lines
	local line name
	while read -r line; do
		name=${line#* }
		number=$((number + 1))
		case $line in
		ok*) echo "ok $number $1: $name" ;;
		*)
			failed=1
			echo "not ok $number $1: $name"
			;;
		esac
	done
}

make_guest
for package in "${packages[@]}"; do
	(cd "$work" && apt-get download "$package" >/dev/null 2>&1 &&
		dpkg-deb -x "$package"_*.deb "$package") || {
		echo "not ok $((++number)) $package cannot be downloaded"
		failed=1
		continue
	}
	boot "$work/$package"/boot/vmlinuz-* >"$work/log"
	grep -q '^the end$' "$work/log" || echo 'no the guest did not finish' >>"$work/log"
	report "${package#linux-image-}" < <(grep -E '^(ok|no) ' "$work/log")
done
echo "1..$number"
exit $failed
