# The tests. `make check' runs every entry of TESTS; -j runs entries side by
# side. To add a test, add one word to one of these lists.

# Programs that print TAP, from tests/unit/NAME.c: list tests/unit/NAME.t
unit_tests = \
	tests/unit/arena.t \
	tests/unit/bpf.t \
	tests/unit/dns.t \
	tests/unit/fault.t \
	tests/unit/init.t \
	tests/unit/json.t \
	tests/unit/number.t \
	tests/unit/path.t \
	tests/unit/program.t \
	tests/unit/tables.t \
	tests/unit/text.t \
	tests/unit/words.t

# Executables that print TAP (any language) under tests/golden: NAME.t, and the
# directories of cases and expected output they read.
golden_tests =
golden_data = tests/golden/cases tests/golden/machine.facts

# Compiled ones, from NAME.c and golden_parts.
golden_programs = tests/golden/plan.t
golden_parts = \
	tests/golden/asked.c \
	tests/golden/asked_bwrap.c \
	tests/golden/canned.c \
	tests/golden/resolve.c

# bats files. tests/escape holds the adversarial ones.
suite_tests = \
	tests/suite/bwrap_command.bats \
	tests/suite/bwrap_files.bats \
	tests/suite/bwrap_life.bats \
	tests/suite/bwrap_oracle.bats \
	tests/suite/bwrap_spaces.bats \
	tests/suite/bwrap_words.bats \
	tests/suite/caps.bats \
	tests/suite/cause.bats \
	tests/suite/cheap.bats \
	tests/suite/check.bats \
	tests/suite/check_controls.bats \
	tests/suite/check_mutants.bats \
	tests/suite/command.bats \
	tests/suite/concurrency.bats \
	tests/suite/denied.bats \
	tests/suite/denied_calls.bats \
	tests/suite/denied_files.bats \
	tests/suite/denied_run.bats \
	tests/suite/doctor.bats \
	tests/suite/env.bats \
	tests/suite/env_files.bats \
	tests/suite/explain.bats \
	tests/suite/explain_property.bats \
	tests/suite/fds.bats \
	tests/suite/filter.bats \
	tests/suite/identity.bats \
	tests/suite/limits.bats \
	tests/suite/masks.bats \
	tests/suite/net.bats \
	tests/suite/private.bats \
	tests/suite/proc.bats \
	tests/suite/profile.bats \
	tests/suite/programs_build.bats \
	tests/suite/programs_cordon.bats \
	tests/suite/programs_git.bats \
	tests/suite/programs_java.bats \
	tests/suite/programs_node.bats \
	tests/suite/programs_python.bats \
	tests/suite/programs_servers.bats \
	tests/suite/programs_system.bats \
	tests/suite/protect.bats \
	tests/suite/readme.bats \
	tests/suite/refusals.bats \
	tests/suite/root.bats \
	tests/suite/roots.bats \
	tests/suite/seccomp_profile.bats \
	tests/suite/terminal.bats \
	tests/suite/terminal_restore.bats \
	tests/suite/lifetime.bats \
	tests/suite/signals.bats \
	tests/suite/status.bats \
	tests/suite/within.bats
escape_tests = \
	tests/escape/mounts.bats \
	tests/escape/paths.bats \
	tests/escape/processes.bats \
	tests/escape/review.bats

# Small programs the suite runs inside and outside sandboxes, from NAME.c.
test_helpers = \
	tests/helpers/listener \
	tests/helpers/notify \
	tests/helpers/reach \
	tests/helpers/pairs \
	tests/helpers/probe \
	tests/helpers/swap \
	tests/helpers/trycall \
	tests/helpers/withfilter

# The launcher with protections that can be left out, for check*.bats only.
check_PROGRAMS += tests/helpers/cordon-mutant
tests_helpers_cordon_mutant_SOURCES = $(verbs_sources) $(engine_sources) \
	tests/helpers/mutant.c
tests_helpers_cordon_mutant_CPPFLAGS = $(AM_CPPFLAGS) -DCORDON_TEST_MUTANT
tests_helpers_cordon_mutant_CFLAGS = $(ROOM_CFLAGS)
tests_helpers_cordon_mutant_LDFLAGS = $(ROOM_LINKFLAGS)
tests_helpers_cordon_mutant_LDADD = $(room_libraries)

# libFuzzer entries, from tests/fuzz/NAME.c: list tests/fuzz/NAME.t. A .t is the
# entry linked with tests/fuzz/replay.c, which runs tests/fuzz/corpus/NAME.
fuzz_tests = \
	tests/fuzz/bpf.t \
	tests/fuzz/bwrap.t \
	tests/fuzz/dns.t \
	tests/fuzz/number.t \
	tests/fuzz/plan.t \
	tests/fuzz/profile.t \
	tests/fuzz/program.t \
	tests/fuzz/within.t \
	tests/fuzz/words.t
fuzz_data = tests/fuzz/corpus tests/fuzz/fuzz.h tests/fuzz/split.h tests/fuzz/replay.c

# Programs that measure and print ratios; never part of `make check'.
bench_scripts = \
	tests/bench/launch.sh \
	tests/bench/bwrap.sh \
	tests/bench/calls.sh \
	tests/bench/denied.sh

# Headers and data that the above use.
test_data = \
	tests/suite/programs.bash \
	tests/suite/bwrap.bash \
	tests/suite/check.bash \
	tests/suite/denied.bash \
	tests/suite/status.bash \
	tests/suite/terminal.bash \
	tests/suite/filter_common.bash \
	tests/helpers/bwrap_seen.py \
	tests/helpers/explained.py \
	tests/helpers/ptyjob.py

lint_tests = \
	tests/lint/banned.sh \
	tests/lint/doors.sh \
	tests/lint/drift.sh \
	tests/lint/format.sh \
	tests/lint/headers.sh \
	tests/lint/link.sh \
	tests/lint/purity.sh \
	tests/lint/requirements.sh \
	tests/lint/selftest.sh \
	tests/lint/sizes.sh

TESTS += $(unit_tests) $(golden_tests) $(golden_programs) $(fuzz_tests) \
	$(suite_tests) $(escape_tests) $(lint_tests)
check_DATA += $(unit_tests) $(golden_programs) $(fuzz_tests) $(test_helpers)
CLEANFILES += $(unit_tests) $(golden_programs) $(fuzz_tests) \
	$(test_helpers) $(tests_deps)
EXTRA_DIST += $(unit_tests:.t=.c) $(fuzz_tests:.t=.c) $(golden_tests) \
	$(golden_programs:.t=.c) $(golden_parts) \
	tests/golden/asked.h tests/golden/canned.h tests/unit/tap.h \
	$(golden_data) $(suite_tests) $(escape_tests) $(lint_tests) \
	$(fuzz_data) $(bench_scripts) $(test_data) \
	$(addsuffix .c,$(test_helpers)) \
	tests/lint/analyze.sh tests/lint/common.sh tests/lint/csource.py \
	$(client_tests) tests/clients/common.sh \
	tests/clients/second-project.sh tests/demo.sh \
	tests/run-bats.sh tests/run-fuzz.sh tests/run-summary.sh \
	tests/suite/box.bash tests/suite/common.bash

# .t speaks TAP itself, bats is made to; a lint script is one case.
TEST_EXTENSIONS = .bats .t .sh
T_LOG_DRIVER = $(tap_driver)
BATS_LOG_DRIVER = $(tap_driver)
BATS_LOG_COMPILER = $(BASH) $(top_srcdir)/tests/run-bats.sh
SH_LOG_COMPILER = $(BASH)
tap_driver = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/build-aux/tap-driver.sh
BASH = bash

# A built tree may be copied elsewhere and tested there, hence pwd.
AM_TESTS_ENVIRONMENT = \
	TOP_BUILDDIR=`pwd`; TOP_SRCDIR=`cd '$(top_srcdir)' && pwd`; \
	CORDON=$$TOP_BUILDDIR/cordon; HELPERS=$$TOP_BUILDDIR/tests/helpers; \
	MAKE='$(MAKE)'; LC_ALL=C.UTF-8; \
	export TOP_BUILDDIR TOP_SRCDIR CORDON HELPERS MAKE LC_ALL; \
	unset MAKEFLAGS MAKELEVEL MFLAGS;

# Unit tests may call into any room; gc-sections drops what they do not.
tests_compile = $(AM_V_CC)$(MKDIR_P) $(@D) && \
	$(CC) $(DEFS) $(AM_CPPFLAGS) -I$(top_srcdir) $(CPPFLAGS) \
	-MMD -MP -MF $@.d -o $@
tests_link = $(ROOM_LINKFLAGS) $(LDFLAGS) -Wl,--start-group $(room_libraries) \
	-Wl,--end-group $(LIBS)
tests_deps = $(addsuffix .d,$(unit_tests) $(golden_programs) $(fuzz_tests) \
	$(test_helpers))

$(unit_tests): %.t: %.c $(room_libraries)
	$(tests_compile) $(ROOM_CFLAGS) $(CFLAGS) $< $(tests_link)
$(golden_programs): %.t: %.c $(golden_parts) $(room_libraries)
	$(tests_compile) $(ROOM_CFLAGS) $(CFLAGS) $(filter %.c,$^) $(tests_link)
$(fuzz_tests): %.t: %.c tests/fuzz/replay.c $(room_libraries)
	$(tests_compile) $(ROOM_CFLAGS) $(CFLAGS) $(filter %.c,$^) $(tests_link)

# The small programs call no room. Static, for roots without a libc; with the
# system's glibc, which has names for errors; without the sanitizers, which have
# crashes, limits and filters of their own.
helpers_flags = $(filter-out $(SANITIZE_CFLAGS),$(AM_CFLAGS)) $(CFLAGS)
$(test_helpers): %: %.c | $(BUILT_SOURCES)
	$(tests_compile) -I$(@D) $(helpers_flags) $< -static $(LDFLAGS) $(LIBS)

-include $(tests_deps)

# Compiler and flags of the rooms, for the lints that compile.
print-flags:
	@echo $(CC) $(DEFS) $(AM_CPPFLAGS) $(CPPFLAGS) $(ROOM_CFLAGS) $(CFLAGS)

# Sources of the rooms, as the build knows them.
print-sources:
	@printf '%s\n' $(base_sources) $(policy_sources) $(host_sources) \
		$(plan_sources) $(engine_sources) $(watch_sources) \
		$(verbs_sources)

lint: all
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(lint_tests)'

# What depends on who asks; bootstrap runs it as an ordinary user too.
user_tests = $(suite_tests) $(escape_tests)
check-as-user: all $(test_helpers) $(check_PROGRAMS)
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(user_tests)'

# What a build with --enable-sanitizers is worth running for.
sanitize_tests = $(unit_tests) $(golden_tests) $(golden_programs) \
	$(fuzz_tests) $(suite_tests) $(escape_tests)
check-sanitize: all $(check_DATA) $(check_PROGRAMS)
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(sanitize_tests)'

# Programs of others that call bwrap, fetched from npm and Debian's archive.
client_tests = \
	tests/clients/codex.sh \
	tests/clients/flatpak.sh \
	tests/clients/sandbox-runtime.sh \
	tests/clients/thumbnailer.sh
check-clients: all
	@status=0; for test in $(client_tests); do echo "$$test"; \
		$(AM_TESTS_ENVIRONMENT) $(BASH) $(top_srcdir)/$$test || \
			test $$? -eq 77 || status=1; done; exit $$status

# Debian's own kernels in qemu: downloads them, takes some minutes.
check-kernels: all
	$(AM_TESTS_ENVIRONMENT) $(BASH) $(top_srcdir)/tests/kernels/run.sh

analyze: all
	$(AM_TESTS_ENVIRONMENT) $(BASH) $(top_srcdir)/tests/lint/analyze.sh

FUZZ_SECONDS = 60
fuzz: all
	$(AM_TESTS_ENVIRONMENT) $(BASH) $(top_srcdir)/tests/run-fuzz.sh \
		$(FUZZ_SECONDS) $(fuzz_tests:.t=)

bench: all $(test_helpers)
	@$(AM_TESTS_ENVIRONMENT) for bench in $(bench_scripts); do \
		echo "== $$bench"; "$$TOP_SRCDIR/$$bench" || exit 1; \
	done

.PHONY: check-clients check-kernels check-as-user check-sanitize print-flags print-sources
