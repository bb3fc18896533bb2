# Compiler flags that every program of the package is built with. Each flag is
# kept only when the compiler takes it, so gcc and clang share the lists.

# CORDON_SANITIZERS: --enable-sanitizers builds everything with ASan and UBSan.
AC_DEFUN([CORDON_SANITIZERS], [
AC_ARG_ENABLE([sanitizers],
	[AS_HELP_STRING([--enable-sanitizers],
		[address and undefined behaviour sanitizers, dynamic glibc])],
	[], [enable_sanitizers=no])
AS_IF([test "x$enable_sanitizers" = xyes], [
	AX_APPEND_COMPILE_FLAGS([ \
		-fsanitize=address \
		-fsanitize=undefined \
		-fno-sanitize-recover=undefined \
		-fno-omit-frame-pointer], [SANITIZE_CFLAGS])
	AS_CASE([$SANITIZE_CFLAGS], [*address*undefined*], [],
		[AC_MSG_ERROR([$CC has no address and undefined sanitizers])])
])
AM_CONDITIONAL([SANITIZERS], [test "x$enable_sanitizers" = xyes])
AC_SUBST([SANITIZE_CFLAGS])
])

# CORDON_WARNINGS: WARN_CFLAGS, and --enable-werror for CI. Unknown warnings are
# no error for clang, hence the -Werror while probing. Three are errors in every
# build, as in GCC 14: an undeclared function's pointer loses its upper half.
AC_DEFUN([CORDON_WARNINGS], [
AC_ARG_ENABLE([werror],
	[AS_HELP_STRING([--enable-werror], [treat warnings as errors])],
	[], [enable_werror=no])
AX_APPEND_COMPILE_FLAGS([ \
	-Wall \
	-Wextra \
	-Wpedantic \
	-Wshadow \
	-Wstrict-prototypes \
	-Wmissing-prototypes \
	-Wold-style-definition \
	-Wredundant-decls \
	-Wnested-externs \
	-Wpointer-arith \
	-Wcast-qual \
	-Wwrite-strings \
	-Wformat=2 \
	-Wundef \
	-Wvla \
	-Walloca \
	-Wswitch-enum \
	-Wimplicit-fallthrough \
	-Wnull-dereference \
	-Wunused-result \
	-Wconversion \
	-Wno-sign-conversion \
	-Wformat-signedness \
	-Wduplicated-cond \
	-Wduplicated-branches \
	-Wlogical-op \
	-Werror=implicit-function-declaration \
	-Werror=int-conversion \
	-Werror=incompatible-pointer-types], [WARN_CFLAGS], [-Werror])
AS_IF([test "x$enable_werror" = xyes],
	[AX_APPEND_FLAG([-Werror], [WARN_CFLAGS])])
AC_SUBST([WARN_CFLAGS])
])

# CORDON_HARDENING: HARDEN_CFLAGS and HARDEN_LDFLAGS. _FORTIFY_SOURCE needs an
# optimizing build and gets in the way of ASan's own checks; musl ignores it.
AC_DEFUN([CORDON_HARDENING], [
AX_APPEND_COMPILE_FLAGS([ \
	-fstack-protector-strong \
	-fstack-clash-protection \
	-fcf-protection], [HARDEN_CFLAGS], [-Werror])
AX_APPEND_LINK_FLAGS([ \
	-Wl,-z,relro \
	-Wl,-z,now \
	-Wl,-z,noexecstack \
	-Wl,--gc-sections], [HARDEN_LDFLAGS])
HARDEN_CPPFLAGS=
AS_CASE([$enable_sanitizers:$CFLAGS], [no:*-O@<:@123s@:>@*],
	[HARDEN_CPPFLAGS="-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2"])
AC_SUBST([HARDEN_CPPFLAGS])
AC_SUBST([HARDEN_CFLAGS])
AC_SUBST([HARDEN_LDFLAGS])
])
