# Sources and headers of the room `plan'.
plan_sources = \
	src/plan/answers.c \
	src/plan/attempts.c \
	src/plan/build.c \
	src/plan/bwrap.c \
	src/plan/bwrap_making.h \
	src/plan/bwrap_run.c \
	src/plan/cause.c \
	src/plan/command.c \
	src/plan/dev.c \
	src/plan/env_files.c \
	src/plan/environment.c \
	src/plan/exceptions.c \
	src/plan/explain.c \
	src/plan/find.c \
	src/plan/groups.c \
	src/plan/json.c \
	src/plan/limits.c \
	src/plan/mend.c \
	src/plan/mounts.c \
	src/plan/ops.c \
	src/plan/order.c \
	src/plan/page.c \
	src/plan/places.c \
	src/plan/process.c \
	src/plan/rules.c \
	src/plan/who.c \
	src/plan/within.c \
	src/plan/build.h \
	src/plan/bwrap.h \
	src/plan/explain.h \
	src/plan/make.h \
	src/plan/plan.h
