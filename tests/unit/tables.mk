# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
EXTRA_DIST += tests/data/opensm

unit_tests += tests/unit/test_dumps
tests_unit_test_dumps_SOURCES = tests/unit/test_dumps.c \
	tests/unit/tables_case.c tests/unit/tables_case.h
tests_unit_test_dumps_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_lft_copy
tests_unit_test_lft_copy_SOURCES = tests/unit/test_lft_copy.c \
	tests/unit/spec_fabric.c tests/unit/spec_fabric.h
tests_unit_test_lft_copy_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_snapshot
tests_unit_test_snapshot_SOURCES = tests/unit/test_snapshot.c \
	tests/unit/tables_case.c tests/unit/tables_case.h
tests_unit_test_snapshot_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_ibdiag
tests_unit_test_ibdiag_SOURCES = tests/unit/test_ibdiag.c tests/unit/same_fabric.h \
	tests/unit/tables_case.c tests/unit/tables_case.h
tests_unit_test_ibdiag_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_diff
tests_unit_test_diff_SOURCES = tests/unit/test_diff.c \
	tests/unit/tables_case.c tests/unit/tables_case.h
tests_unit_test_diff_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_ar
tests_unit_test_ar_SOURCES = tests/unit/test_ar.c \
	tests/unit/tables_case.c tests/unit/tables_case.h
tests_unit_test_ar_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_ar_dump
tests_unit_test_ar_dump_SOURCES = tests/unit/test_ar_dump.c \
	tests/unit/tables_case.c tests/unit/tables_case.h
tests_unit_test_ar_dump_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_networks
tests_unit_test_networks_SOURCES = tests/unit/test_networks.c \
	tests/unit/tables_case.c tests/unit/tables_case.h
tests_unit_test_networks_LDADD = $(unit_LDADD)
