# The filter compiler, the shipped profiles, and the programs made of them.

pkglibexec_PROGRAMS += cordon-seccomp

cordon_seccomp_SOURCES = \
	seccomp/answer.c seccomp/answer.h \
	seccomp/compile.c \
	seccomp/denied.c seccomp/denied.h \
	seccomp/entry.c seccomp/entry.h \
	seccomp/names.c seccomp/names.h \
	seccomp/problems.c seccomp/problems.h \
	seccomp/profile.c seccomp/profile.h \
	seccomp/program.c seccomp/program.h \
	seccomp/reader.c seccomp/reader.h \
	seccomp/rules.c seccomp/rules.h \
	seccomp/words.c seccomp/words.h
cordon_seccomp_CFLAGS = $(AM_CFLAGS) $(SECCOMP_CFLAGS) $(JSONC_CFLAGS)
cordon_seccomp_LDADD = $(SECCOMP_LIBS) $(JSONC_LIBS)

seccompdir = $(pkgdatadir)/seccomp
dist_seccomp_DATA = \
	seccomp/default.json \
	seccomp/devel.json \
	seccomp/nested.json

BUILT_SOURCES += seccomp/filters.h
CLEANFILES += seccomp/filters.h seccomp/filters.h.tmp

seccomp_default = $(srcdir)/seccomp/default.json
seccomp_devel = $(srcdir)/seccomp/devel.json
seccomp_nested = $(srcdir)/seccomp/nested.json
seccomp_compile = ./cordon-seccomp$(EXEEXT) --c

# One array for each combination that the command line can ask for.
seccomp/filters.h: cordon-seccomp$(EXEEXT) $(dist_seccomp_DATA)
	$(AM_V_GEN)$(MKDIR_P) seccomp && { \
	echo '/* Made from the profiles in seccomp by cordon-seccomp. */' && \
	$(seccomp_compile) filter_default $(seccomp_default) && \
	$(seccomp_compile) filter_devel $(seccomp_default) \
		$(seccomp_devel) && \
	$(seccomp_compile) filter_nested $(seccomp_default) \
		$(seccomp_nested) && \
	$(seccomp_compile) filter_devel_nested $(seccomp_default) \
		$(seccomp_devel) $(seccomp_nested); \
	} >$@.tmp && mv -f $@.tmp $@

# Names of the calls that a report tells: default.json names all there are.
BUILT_SOURCES += seccomp/callnames.h
CLEANFILES += seccomp/callnames.h seccomp/callnames.h.tmp

seccomp/callnames.h: cordon-seccomp$(EXEEXT) $(seccomp_default)
	$(AM_V_GEN)$(MKDIR_P) seccomp && { \
	echo '/* Made from seccomp/default.json by cordon-seccomp. */' && \
	./cordon-seccomp$(EXEEXT) --names call_names $(seccomp_default); \
	} >$@.tmp && mv -f $@.tmp $@

# What each of them always denies, for cordon-inspect.
BUILT_SOURCES += seccomp/denied_calls.h
CLEANFILES += seccomp/denied_calls.h seccomp/denied_calls.h.tmp
seccomp_denied = ./cordon-seccomp$(EXEEXT) --denied

seccomp/denied_calls.h: cordon-seccomp$(EXEEXT) $(dist_seccomp_DATA)
	$(AM_V_GEN)$(MKDIR_P) seccomp && { \
	echo '/* Made from the profiles in seccomp by cordon-seccomp. */' && \
	$(seccomp_denied) denied_default $(seccomp_default) && \
	$(seccomp_denied) denied_devel $(seccomp_default) \
		$(seccomp_devel) && \
	$(seccomp_denied) denied_nested $(seccomp_default) \
		$(seccomp_nested) && \
	$(seccomp_denied) denied_devel_nested $(seccomp_default) \
		$(seccomp_devel) $(seccomp_nested); \
	} >$@.tmp && mv -f $@.tmp $@

# Names of system calls for tests/helpers/trycall.
BUILT_SOURCES += tests/helpers/callnames.h
CLEANFILES += tests/helpers/callnames.h tests/helpers/callnames.h.tmp

tests/helpers/callnames.h:
	$(AM_V_GEN)$(MKDIR_P) tests/helpers && \
	echo '#include <sys/syscall.h>' | $(CC) $(CPPFLAGS) -E -dM - | \
	sed -n 's/^#define SYS_\([a-z0-9_]*\) .*/{ "\1", SYS_\1 },/p' \
		>$@.tmp && test -s $@.tmp && mv -f $@.tmp $@
