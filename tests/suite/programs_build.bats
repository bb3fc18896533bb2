#!/usr/bin/env bats
# Compilers, build systems and packages.

load programs

write_hello() {
	cat >hello.c <<-'END'
		#include <stdio.h>
		int main(void) { puts("hello"); return 0; }
	END
}

@test "programs: gcc, with every stage in the private temp" {
	require gcc
	write_hello
	inside <<-'END'
		gcc -O2 -flto -g -o hello hello.c
		./hello
		gcc -static -fsanitize=undefined -o static hello.c 2>/dev/null ||
			gcc -static -o static hello.c
		./static
		mktemp
	END
	assert_status 0
	assert_output_has $'hello\nhello\n/tmp/'
}

@test "programs: a sanitized program runs, its leak check only for developers" {
	require gcc
	cat >leak.c <<-'END'
		#include <stdlib.h>
		int main(void) { return malloc(10) == 0; }
	END
	inside <<-'END'
		gcc -g -O0 -fsanitize=address -o leak leak.c
		ASAN_OPTIONS=detect_leaks=0 ./leak
	END
	assert_status 0
	inside --seccomp devel <<-'END'
		ASAN_OPTIONS=detect_leaks=1 ./leak 2>&1
	END
	[ "$status" -ne 0 ]
	assert_output_has 'detected memory leaks'
}

@test "programs: ccache over the caller's cache, which stays as it was" {
	require gcc ccache
	write_hello
	ccache -o depend_mode=false 2>/dev/null || true
	ccache gcc -c hello.c
	ccache -z >/dev/null
	local before
	before=$(tree_of "$HOME")
	inside --overlay @caches --read-try "$HOME/.config/ccache" <<-'END'
		ccache gcc -c hello.c -o again.o
		ccache gcc -O3 -c hello.c -o other.o
		ccache --print-stats | grep -E '_hit|cache_miss' | grep -v '	0$'
		cmp hello.o again.o
	END
	assert_status 0
	assert_output_has direct_cache_hit
	assert_output_has cache_miss
	[ "$(tree_of "$HOME")" = "$before" ]
	# control: outside it does change
	ccache gcc -O3 -c hello.c -o other.o
	[ "$(tree_of "$HOME")" != "$before" ]
}

@test "programs: make, side by side" {
	require make gcc
	write_hello
	cat >Makefile <<-'END'
		.RECIPEPREFIX = >
		all: a b c
		a b c: hello.c
		> gcc -o $@ $<
		> ./$@
	END
	inside <<-'END'
		make -s -j2
		make -q
	END
	assert_status 0
	assert_output_is $'hello\nhello\nhello'
}

@test "programs: cmake and ctest" {
	require cmake make gcc
	write_hello
	cat >CMakeLists.txt <<-'END'
		cmake_minimum_required(VERSION 3.10)
		project(hello C)
		enable_testing()
		find_package(Threads REQUIRED)
		add_executable(hello hello.c)
		target_link_libraries(hello Threads::Threads)
		add_test(NAME says COMMAND hello)
		set_tests_properties(says PROPERTIES PASS_REGULAR_EXPRESSION hello)
	END
	inside <<-'END'
		cmake -S . -B build >log 2>&1 || { cat log; exit 1; }
		cmake --build build -j2 >log 2>&1 || { cat log; exit 1; }
		cd build
		ctest
	END
	assert_status 0
	assert_output_has '100% tests passed'
}

# A package built by the tools of dpkg-dev alone.
write_package() {
	mkdir src
	cd src || return
	write_hello
	mkdir -p debian/source
	cat >debian/control <<-'END'
		Source: cordon-hello
		Section: misc
		Priority: optional
		Maintainer: Me <me@example>
		Standards-Version: 4.6.2
		Rules-Requires-Root: binary-targets

		Package: cordon-hello
		Architecture: any
		Depends: ${shlibs:Depends}
		Description: says hello
		 Nothing else.
	END
	cat >debian/changelog <<-'END'
		cordon-hello (1.0) unstable; urgency=low

		  * First.

		 -- Me <me@example>  Mon, 01 Jan 2024 00:00:00 +0000
	END
	echo '3.0 (native)' >debian/source/format
	cat >debian/rules <<-'END'
		#!/usr/bin/make -f
		.RECIPEPREFIX = >
		root = debian/cordon-hello
		build build-arch:
		> gcc -o hello hello.c
		build-indep binary-indep:
		binary binary-arch: build
		> install -d $(root)/DEBIAN $(root)/usr/bin
		> install -m 755 -o root -g root hello $(root)/usr/bin/
		> dpkg-shlibdeps $(root)/usr/bin/hello
		> dpkg-gencontrol -pcordon-hello -P$(root)
		> dpkg-deb --build $(root) ..
		clean:
		> rm -rf hello debian/cordon-hello debian/files debian/substvars
	END
	chmod +x debian/rules
	cd "$W" || return
}

# build_package [OPTION...]: with and without fakeroot, as it comes.
build_package() {
	require dpkg-buildpackage dpkg-shlibdeps dpkg-deb fakeroot gcc make
	write_package
	if [ "${1-}" = --uid ] && is_root; then
		chown -R "$2" "$W"
	fi
	inside "$@" <<-'END'
		cd src
		dpkg-buildpackage -b -us -uc -d >log 2>&1 || { cat log; exit 1; }
		dpkg-deb -c ../cordon-hello_1.0_*.deb
		dpkg-deb -f ../cordon-hello_1.0_*.deb Depends
		mkdir ../root
		dpkg-deb -x ../cordon-hello_1.0_*.deb ../root
		../root/usr/bin/hello
	END
	assert_status 0
	assert_output_has 'root/root'
	assert_output_has 'libc6'
	assert_output_has $'\nhello'
}

@test "programs: a Debian package, as who one is" {
	build_package
}

@test "programs: a Debian package, as root inside" {
	require_user
	build_package --uid 0 --gid 0
}

@test "programs: a Debian package, from root as somebody else" {
	require_root
	build_package --uid "$(other_uid)"
}

@test "programs: fakeroot remembers owners" {
	require fakeroot tar
	inside <<-'END'
		fakeroot sh -ec '
			: >file; chown 12:34 file; chmod 4755 file
			mknod node c 1 3
			stat -c "%u:%g %a" file
			tar -cf t.tar file node'
		tar -tvf t.tar --numeric-owner | cut -d" " -f1,2
	END
	assert_status 0
	assert_output_is $'12:34 4755\n-rwsr-xr-x 12/34\ncrw-r--r-- 0/0'
}

@test "programs: cargo, offline, with the toolchain in the home" {
	[ -x "$REAL_HOME/.cargo/bin/cargo" ] ||
		skip "only for a caller whose home has cargo"
	HOME=$REAL_HOME PATH=$REAL_HOME/.cargo/bin:$PATH
	mkdir -p crate/src
	cat >crate/Cargo.toml <<-'END'
		[package]
		name = "small"
		version = "1.0.0"
		edition = "2021"
	END
	cat >crate/src/main.rs <<-'END'
		fn main() { println!("hello"); }
		#[test]
		fn child() {
		    let out = std::process::Command::new("echo").output().unwrap();
		    assert!(out.status.success());
		}
	END
	inside --read @toolchains --overlay @caches <<-'END'
		cd crate
		cargo build -q --offline
		target/debug/small
		cargo test -q --offline
	END
	assert_status 0
	assert_output_has hello
	assert_output_has '1 passed'
}

@test "programs: go, offline" {
	require go
	mkdir m
	cat >m/main.go <<-'END'
		package main

		import ("fmt"; "os/exec")

		func main() {
			out, _ := exec.Command("echo", "child").Output()
			fmt.Print(string(out))
		}
	END
	printf 'module m\n' >m/go.mod
	inside --overlay @caches <<-'END'
		cd m
		GOFLAGS=-mod=mod GOTOOLCHAIN=local go build -o m .
		./m
	END
	assert_status 0
	assert_output_is child
}
