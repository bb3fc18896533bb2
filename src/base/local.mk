# Sources and headers of the room `base'.
base_sources = \
	src/base/arena.c \
	src/base/bpf.c \
	src/base/dns.c \
	src/base/entries.c \
	src/base/fault.c \
	src/base/hint.c \
	src/base/io.c \
	src/base/json.c \
	src/base/map.c \
	src/base/number.c \
	src/base/path.c \
	src/base/proc.c \
	src/base/program.c \
	src/base/report.c \
	src/base/resolve.c \
	src/base/sys.c \
	src/base/text.c \
	src/base/arena.h \
	src/base/bpf.h \
	src/base/dns.h \
	src/base/entries.h \
	src/base/exitcode.h \
	src/base/fault.h \
	src/base/hint.h \
	src/base/io.h \
	src/base/json.h \
	src/base/map.h \
	src/base/number.h \
	src/base/path.h \
	src/base/proc.h \
	src/base/program.h \
	src/base/report.h \
	src/base/resolve.h \
	src/base/sys.h \
	src/base/text.h
