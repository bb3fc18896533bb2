# Sources and headers of the room `verbs'.
verbs_sources = \
	src/verbs/bwrap.c \
	src/verbs/bwrap.h \
	src/verbs/bwrap_say.c \
	src/verbs/explain.c \
	src/verbs/features.c \
	src/verbs/help.c \
	src/verbs/inspect.c \
	src/verbs/main.c \
	src/verbs/prepare.c \
	src/verbs/run.c \
	src/verbs/show.c \
	src/verbs/prepare.h \
	src/verbs/verbs.h
