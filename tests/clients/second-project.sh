#!/usr/bin/env bash
# usage: second-project.sh [PACKAGE]
#
# A project that knows nothing of us: its source is fetched from the distribution
# with the network, then configured, built and tested behind the wall without.
# PACKAGE (zlib) is a Debian source package with ./configure, make and make check.
#
# The source comes from apt-get. Where no source lines are configured, the machine's
# own binary lines are read as source lines, in a private directory, so that nothing
# of the machine's apt is changed and no root is needed.
#
# Not part of `make check', because it needs the network once. Exit status: 0 built
# and tested; 1 something failed; 77 skipped, loudly, when the source cannot be
# fetched (1 with MUST_WORK=1). KEEP=1 keeps the directory.
. "$(dirname "$0")/common.sh"
package=${1:-zlib}
[ -x "$CORDON" ] || skip "not built: $CORDON"
need apt-get tar make cc

work=$(mktemp -d /var/tmp/cordon-project.XXXXXX) || exit 1
clean_up() {
	[ "${KEEP:-0}" = 1 ] || rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$work/fetched"
cd "$work/fetched" || exit 1

# The machine's sources with deb-src for deb, and lists of their own.
private_apt() {
	local file
	mkdir -p "$work/apt/lists/partial" "$work/apt/parts" "$work/apt/cache"
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
		case $file in
		*.list)
			[ -r "$file" ] && sed 's/^deb /deb-src /' "$file" \
				>"$work/apt/parts/${file##*/}"
			;;
		*.sources)
			[ -r "$file" ] && sed 's/^Types:.*/Types: deb-src/' \
				"$file" >"$work/apt/parts/${file##*/}"
			;;
		esac
	done
	options=(
		-o Dir::Etc::SourceList=/dev/null
		-o "Dir::Etc::SourceParts=$work/apt/parts"
		-o "Dir::State::Lists=$work/apt/lists"
		-o "Dir::Cache=$work/apt/cache"
		-o APT::Sandbox::User=
	)
}

options=()
fetch() {
	timeout 300 apt-get -q "${options[@]}" source --download-only \
		"$package" >"$work/fetch.log" 2>&1 </dev/null &&
		ls ./*.orig.tar.* >/dev/null 2>&1
}

say "fetching the source of $package"
if ! fetch; then
	private_apt
	# a source that has no such lists must not keep others from being read
	timeout 300 apt-get -q "${options[@]}" update \
		>"$work/update.log" 2>&1 </dev/null || true
	fetch || {
		tail -n 3 "$work/fetch.log" >&2
		skip "the source of $package cannot be fetched"
	}
fi
archives=(./*.orig.tar.*)
mkdir "$work/source"
# root would keep the archive's owners, and has no rights over their files inside
tar -xf "${archives[0]}" -C "$work/source" --strip-components=1 \
	--no-same-owner || exit 1
cd "$work/source" || exit 1
say "unpacked ${archives[0]#./}"

faults=0
step() {
	say "behind the wall: $*"
	if ! "$CORDON" --write . --timeout 15m -- "$@" >"$work/step.log" 2>&1
	then
		say "FAILED: $*"
		tail -n 30 "$work/step.log"
		faults=1
		return 1
	fi
	tail -n 3 "$work/step.log"
}

step ./configure && step make "-j$(nproc)" && step make check

# The wall was there: the same directory, and no way out of it.
if "$CORDON" --write . -- sh -c 'touch here && ! touch ../there' 2>/dev/null &&
	[ -e here ] && [ ! -e ../there ]; then
	say "the wall held"
else
	say "FAILED: the wall"
	faults=1
fi
[ "$faults" -eq 0 ] && say "$package was built and tested behind the wall"
exit "$faults"
