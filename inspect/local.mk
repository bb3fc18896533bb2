# check and doctor: the program that looks at the wall from outside.

pkglibexec_PROGRAMS += cordon-inspect

cordon_inspect_SOURCES = \
	inspect/check.c inspect/check.h \
	inspect/container.c \
	inspect/doctor.c inspect/doctor.h \
	inspect/inspect.c inspect/inspect.h \
	inspect/looks.c \
	inspect/model.c \
	inspect/plan.c inspect/plan.h \
	inspect/planted.c inspect/planted.h \
	inspect/planted_net.c \
	inspect/probe.c inspect/probe.h \
	inspect/probe_kernel.c \
	inspect/probe_net.c \
	inspect/steps.c \
	inspect/steps_files.c \
	inspect/steps_world.c \
	inspect/table.c inspect/table.h \
	inspect/talk.c inspect/talk.h \
	inspect/things.c \
	inspect/tries.c \
	inspect/verdict.c \
	inspect/words.c \
	src/host/cgroup.c
cordon_inspect_CFLAGS = $(AM_CFLAGS) $(MOUNT_CFLAGS) $(JSONC_CFLAGS)
cordon_inspect_LDADD = libhelperbase.a $(MOUNT_LIBS) $(JSONC_LIBS)
