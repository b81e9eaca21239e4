# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# libheddle-lids.so between a program and a test double of libibverbs, which says which LIDs and SLs it gets.
EXTRA_DIST += tests/lids/stub.map
dist_check_SCRIPTS += tests/lids/lids.sh
if HAVE_IBVERBS
TESTS += tests/lids/lids.sh
check_PROGRAMS += tests/lids/libibverbs.so.1
check_PROGRAMS += tests/lids/program
endif
tests_lids_libibverbs_so_1_SOURCES = tests/lids/stub.c
tests_lids_libibverbs_so_1_LDFLAGS = $(SANITIZER_FLAGS) $(COVERAGE_LDFLAGS) -shared -Wl,-soname,libibverbs.so.1 \
	-Wl,--version-script=$(srcdir)/tests/lids/stub.map
EXTRA_tests_lids_libibverbs_so_1_DEPENDENCIES = tests/lids/stub.map
tests_lids_program_SOURCES = tests/lids/program.c
tests_lids_program_LDADD = $(IBVERBS_LIBS) -lpthread
