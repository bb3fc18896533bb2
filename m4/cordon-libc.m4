# CORDON_LIBC: the C library of the launcher, as LAUNCHER_CFLAGS and
# LAUNCHER_LDFLAGS. The launcher is static because starting it is the hot path,
# and musl's start touches a third of the pages that glibc's does. The helper
# programs stay with the system's glibc, so musl comes in through the gcc specs
# that musl-gcc uses, target by target, and CC is one compiler for all.
# Automake gives the compile flags of a target to its link too: the specs, which
# gcc refuses to read twice, are in LAUNCHER_CFLAGS only.

# _CORDON_TRY_LIBC(FLAGS, IF-RUNS, IF-NOT): a static program that includes both
# libc and kernel headers must build and run, and find itself with the libc that
# was asked for (clang warns of -specs and goes on).
AC_DEFUN([_CORDON_TRY_LIBC], [
cordon_save_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS $1"
AC_RUN_IFELSE([AC_LANG_PROGRAM([[
#include <stdio.h>
#include <linux/mount.h>
#include <linux/types.h>
#include <asm/unistd.h>
#if defined WANT_MUSL && defined __GLIBC__
#error "this is glibc"
#endif]],
	[[return fflush(stdout) || !MOUNT_ATTR_RDONLY;]])],
	[CFLAGS=$cordon_save_CFLAGS
	$2],
	[CFLAGS=$cordon_save_CFLAGS
	$3],
	[CFLAGS=$cordon_save_CFLAGS
	$2])
])

# _CORDON_FIND_MUSL: sets cordon_musl_cflags. Only the kernel's directories of
# /usr/include are shown to the compiler, through links in the build tree: the
# whole of it would fill every gap in musl with a header of glibc's.
AC_DEFUN([_CORDON_FIND_MUSL], [
cordon_musl_cflags=
cordon_musl_gcc=`command -v musl-gcc 2>/dev/null`
AS_IF([test -n "$cordon_musl_gcc"], [
	cordon_specs=`sed -n 's/.*-specs@<:@ =@:>@"\{0,1\}\(@<:@^" @:>@*\.specs\).*/\1/p' "$cordon_musl_gcc"`
	cordon_multiarch=`$CC -print-multiarch 2>/dev/null`
	rm -rf kernel-headers
	AS_MKDIR_P([kernel-headers])
	for cordon_dir in linux asm asm-generic; do
		for cordon_inc in /usr/include/$cordon_multiarch /usr/include; do
			AS_IF([test -d $cordon_inc/$cordon_dir],
				[$LN_S $cordon_inc/$cordon_dir kernel-headers/$cordon_dir
				break])
		done
	done
	AS_IF([test -f "$cordon_specs"],
		[cordon_musl_cflags="-specs=$cordon_specs -idirafter kernel-headers"])
])
])

AC_DEFUN([CORDON_LIBC], [
AC_ARG_WITH([libc],
	[AS_HELP_STRING([--with-libc=musl|glibc|auto],
		[libc of the static launcher (auto: musl where musl-gcc is)])],
	[], [with_libc=auto])
AS_CASE([$with_libc], [musl|glibc|auto], [],
	[AC_MSG_ERROR([--with-libc is musl, glibc or auto, not $with_libc])])
AS_IF([test "x$enable_sanitizers" = xyes], [
	AS_IF([test "x$with_libc" = xmusl],
		[AC_MSG_ERROR([the sanitizers need glibc])])
	with_libc=glibc
])

cordon_libc=
cordon_static=-static
AS_IF([test "x$with_libc" != xglibc], [
	_CORDON_FIND_MUSL
	AC_MSG_CHECKING([whether $CC builds static programs with musl])
	AS_IF([test -n "$cordon_musl_cflags"], [
		_CORDON_TRY_LIBC([-DWANT_MUSL $cordon_musl_cflags -fno-pie $cordon_static],
			[cordon_libc=musl])
	])
	AS_IF([test -n "$cordon_libc"], [AC_MSG_RESULT([yes])],
		[AC_MSG_RESULT([no])])
	AS_IF([test "x$with_libc$cordon_libc" = xmusl],
		[AC_MSG_ERROR([no musl: install musl-tools, and use gcc (clang does not read gcc specs)])])
	AS_IF([test -z "$cordon_libc"],
		[AC_MSG_NOTICE([falling back to static glibc, which starts about 0.9 ms slower than musl])])
])

LAUNCHER_CFLAGS="-fno-pie -ffunction-sections -fdata-sections"
AS_IF([test "x$cordon_libc" = xmusl], [
	LAUNCHER_CFLAGS="$cordon_musl_cflags $LAUNCHER_CFLAGS"
	LAUNCHER_LDFLAGS=$cordon_static
	cordon_linkage=static
], [test "x$enable_sanitizers" = xyes], [
	LAUNCHER_LDFLAGS="-no-pie"
	cordon_libc=glibc
	cordon_linkage=dynamic
], [
	AC_MSG_CHECKING([whether $CC builds static programs with glibc])
	_CORDON_TRY_LIBC([-fno-pie $cordon_static], [cordon_libc=glibc])
	AS_IF([test -n "$cordon_libc"], [AC_MSG_RESULT([yes])],
		[AC_MSG_RESULT([no])
		AC_MSG_ERROR([no static libc: install musl-tools or the static libc])])
	LAUNCHER_LDFLAGS=$cordon_static
	cordon_linkage=static
])
AC_SUBST([LAUNCHER_CFLAGS])
AC_SUBST([LAUNCHER_LDFLAGS])
])
