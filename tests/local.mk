# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every test speaks TAP: cmocka programs by themselves, scripts through tests/lib/tap.sh.

TEST_EXTENSIONS = .sh
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/tap-driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_COMPILER = bash
# Until LLVM 17 and GCC 14, the sanitizers' interceptor of __tls_get_addr takes some blocks of thread storage, by their
# place in a page, for those of a glibc older than 2.25, reads two words before them, and LeakSanitizer then ends by a
# segmentation fault of its own ("Tracer caught signal 11"). Nothing here needs the interceptor.
# Threads that wait do so asleep: two processors are shared by three tests, and a thread that spins takes what others need.
AM_TESTS_ENVIRONMENT = \
	OMP_WAIT_POLICY=passive; export OMP_WAIT_POLICY; \
	ASAN_OPTIONS=intercept_tls_get_addr=0; export ASAN_OPTIONS; \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir; \
	sanitizers='$(SANITIZER_FLAGS)'; export sanitizers; \
	$(count_what_runs)
# %c: as it runs; %m: one file for each program
if COVERAGE
count_what_runs = LLVM_PROFILE_FILE='$(abs_top_builddir)/profiles/%c%m.profraw'; export LLVM_PROFILE_FILE;
endif

EXTRA_DIST += tests/lib/tap.sh tests/lib/recordings.sh

# preloaded: makes an allocation fail
check_PROGRAMS += tests/lib/fail_alloc.so
tests_lib_fail_alloc_so_SOURCES = tests/lib/fail_alloc.c
tests_lib_fail_alloc_so_LDFLAGS = $(module_ldflags)
noinst_HEADERS += tests/unit/unit.h

# A unit test: unit_tests += tests/unit/test_thing
unit_tests =
check_LIBRARIES = tests/unit/libunit.a
tests_unit_libunit_a_SOURCES = tests/unit/proof.c tests/unit/proof.h tests/unit/spec_fabric.c tests/unit/spec_fabric.h
unit_LDADD = tests/unit/libunit.a $(CMOCKA_LIBS) $(heddle_libs)
# relative, as tests run in the build directory: ccache then knows an object by its command, in whichever folder the tree lies
AM_CPPFLAGS += -DHD_TEST_DATA='"$(top_srcdir)/tests/data"'

# Tests that try all that can be: these compute much, and are optimized where others are not.
heavy_objects = tests/unit/between_oracle.o tests/unit/check_case.o tests/unit/check_oracle.o tests/unit/intent_naive.o \
	tests/unit/mixing.o tests/unit/test_ar.o tests/unit/test_between.o tests/unit/test_collective.o tests/unit/test_fluid.o \
	tests/unit/test_goal_agenda.o

include $(srcdir)/tests/unit/support.mk
include $(srcdir)/tests/unit/fabric.mk
include $(srcdir)/tests/unit/topologies.mk
include $(srcdir)/tests/unit/tables.mk
include $(srcdir)/tests/unit/plan.mk
include $(srcdir)/tests/unit/intent.mk
include $(srcdir)/tests/unit/sl2vl.mk
include $(srcdir)/tests/unit/engines.mk
include $(srcdir)/tests/unit/check.mk
include $(srcdir)/tests/unit/manager.mk
include $(srcdir)/tests/unit/model.mk
include $(srcdir)/tests/unit/sim.mk
include $(srcdir)/tests/unit/traffic.mk
include $(srcdir)/tests/unit/umad.mk
include $(srcdir)/tests/unit/emulator.mk
include $(srcdir)/tests/unit/agents.mk
include $(srcdir)/tests/unit/simfabric.mk
include $(srcdir)/tests/fuzz/local.mk
include $(srcdir)/tests/tools/local.mk
include $(srcdir)/tests/browser/local.mk
include $(srcdir)/tests/real/local.mk
include $(srcdir)/tests/simfabric/local.mk
include $(srcdir)/tests/simfabric/program.mk
include $(srcdir)/tests/opensm/local.mk
include $(srcdir)/tests/simfabric/umad.mk
include $(srcdir)/tests/recorder/local.mk
include $(srcdir)/tests/lids/local.mk
include $(srcdir)/tests/api/local.mk

if HAVE_CMOCKA
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)
endif

# What starts a subnet manager again and again takes most of the time.
live_tests = $(opensm_tests) $(simfabric_tests) tests/simfabric/osmtest.sh
quick-check:
	$(MAKE) $(AM_MAKEFLAGS) ordered-check TESTS='$(filter-out $(live_tests),$(TESTS))'

# Longest first, as make would have it with times that it knows: those that wait for a subnet manager
# go beside those that reckon, and no long one is alone at the end.
long_tests = \
	tests/simfabric/classes.sh tests/simfabric/class-records.sh tests/tools/recipes.sh \
	tests/real/heddle.sh tests/simfabric/agent.sh tests/unit/test_choose \
	tests/tools/adaptive.sh tests/simfabric/transition.sh tests/unit/test_hierarchical \
	tests/simfabric/history.sh tests/tools/peers.sh tests/opensm/hosts.sh \
	tests/unit/test_bound_model tests/simfabric/handover.sh tests/unit/test_flexvc \
	tests/opensm/trunks.sh tests/unit/test_adaptive tests/opensm/memory.sh \
	tests/unit/test_group_even tests/simfabric/osmtest.sh tests/unit/test_groups \
	tests/simfabric/differential-diags.sh tests/unit/test_bounds \
	tests/opensm/tables-1056.sh tests/tools/adversarial.sh tests/opensm/recorded.sh \
	tests/unit/test_any tests/simfabric/differential-engines.sh tests/opensm/no-memory.sh \
	tests/tools/figures.sh tests/simfabric/class-shares.sh tests/simfabric/flaps.sh tests/simfabric/judged.sh \
	tests/unit/test_rules tests/simfabric/changes.sh tests/unit/test_voqnet \
	tests/simfabric/repeated-sets.sh tests/tools/sim.sh
ordered-check:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(filter $(TESTS),$(long_tests)) $(filter-out $(long_tests),$(TESTS))'
# In two halves: what waits for nobody, and the rest.
unit-check:
	$(MAKE) $(AM_MAKEFLAGS) ordered-check TESTS='$(filter $(unit_tests),$(TESTS))'
script-check:
	$(MAKE) $(AM_MAKEFLAGS) ordered-check TESTS='$(filter-out $(unit_tests),$(TESTS))'
.PHONY: quick-check ordered-check unit-check script-check
EXTRA_PROGRAMS += $(unit_tests)
