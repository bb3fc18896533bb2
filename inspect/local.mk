# check and doctor: the program that looks at the wall from outside.

pkglibexec_PROGRAMS += cordon-inspect

cordon_inspect_SOURCES = \
	inspect/check.c \
	inspect/doctor.c \
	inspect/inspect.c inspect/inspect.h
cordon_inspect_CFLAGS = $(AM_CFLAGS) $(MOUNT_CFLAGS) $(JSONC_CFLAGS)
cordon_inspect_LDADD = libhelperbase.a $(MOUNT_LIBS) $(JSONC_LIBS)
