# Sources and headers of the room `watch'.
watch_sources = \
	src/watch/asker.c \
	src/watch/asker.h \
	src/watch/calls.c \
	src/watch/calls.h \
	src/watch/cmdline.c \
	src/watch/cmdline.h \
	src/watch/deadline.c \
	src/watch/deadline.h \
	src/watch/denied.c \
	src/watch/denied.h \
	src/watch/ear.c \
	src/watch/ear.h \
	src/watch/files.c \
	src/watch/files.h \
	src/watch/init.c \
	src/watch/init.h \
	src/watch/job.c \
	src/watch/lookout.c \
	src/watch/lookout.h \
	src/watch/monitor.c \
	src/watch/monitor.h \
	src/watch/names.c \
	src/watch/names.h \
	src/watch/outcome.c \
	src/watch/outcome.h \
	src/watch/reaper.c \
	src/watch/reaper.h \
	src/watch/status.c \
	src/watch/status.h \
	src/watch/supervise.c \
	src/watch/supervise.h \
	src/watch/tell.c \
	src/watch/tell.h \
	src/watch/terminal.c \
	src/watch/terminal.h \
	src/watch/watch.h
