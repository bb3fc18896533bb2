# check and doctor: the program that looks at the wall from outside.

pkglibexec_PROGRAMS += cordon-inspect

cordon_inspect_SOURCES = \
	inspect/container.c \
	inspect/doctor.c inspect/doctor.h \
	inspect/inspect.c inspect/inspect.h \
	inspect/looks.c \
	inspect/things.c \
	inspect/tries.c \
	src/host/cgroup.c
cordon_inspect_CFLAGS = $(AM_CFLAGS) $(JSONC_CFLAGS)
cordon_inspect_LDADD = libhelperbase.a $(JSONC_LIBS)
