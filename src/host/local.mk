# Sources and headers of the room `host'.
host_sources = \
	src/host/become.c \
	src/host/cgroup.c \
	src/host/helper.c \
	src/host/identity.c \
	src/host/load.c \
	src/host/paths.c \
	src/host/private.c \
	src/host/read.c \
	src/host/spaces.c \
	src/host/spaces.h \
	src/host/become.h \
	src/host/collect.h \
	src/host/facts.h \
	src/host/helper.h \
	src/host/load.h \
	src/host/read.h
