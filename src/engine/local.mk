# Sources and headers of the room `engine'.
engine_sources = \
	src/engine/cgroup.c \
	src/engine/command.c \
	src/engine/drop.c \
	src/engine/enter.c \
	src/engine/filter.c \
	src/engine/handshake.c \
	src/engine/idmap.c \
	src/engine/make.c \
	src/engine/mask.c \
	src/engine/mount.c \
	src/engine/node.c \
	src/engine/overlay.c \
	src/engine/place.c \
	src/engine/procfs.c \
	src/engine/root.c \
	src/engine/search.c \
	src/engine/spaces.c \
	src/engine/store.c \
	src/engine/users.c \
	src/engine/watch.c \
	src/engine/birth.h \
	src/engine/cgroup.h \
	src/engine/engine.h \
	src/engine/filter.h \
	src/engine/handshake.h \
	src/engine/inside.h \
	src/engine/mutant.h \
	src/engine/watch.h
