# Sources and headers of the room `policy'.
policy_sources = \
	src/policy/bwrap.c \
	src/policy/bwrap_caps.c \
	src/policy/bwrap_check.c \
	src/policy/bwrap_options.c \
	src/policy/cli.c \
	src/policy/options.c \
	src/policy/policy.c \
	src/policy/profile.c \
	src/policy/refusal.c \
	src/policy/rules.c \
	src/policy/sets.c \
	src/policy/values.c \
	src/policy/within.c \
	src/policy/apply.h \
	src/policy/bwrap.h \
	src/policy/bwrap_read.h \
	src/policy/options.h \
	src/policy/origin.h \
	src/policy/policy.h \
	src/policy/refusal.h \
	src/policy/sets.h \
	src/policy/words.h
