# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
unit_tests += tests/unit/test_support
tests_unit_test_support_SOURCES = tests/unit/test_support.c
tests_unit_test_support_LDADD = $(unit_LDADD)

# the plug-in's, without OpenSM
unit_tests += tests/unit/test_patience
tests_unit_test_patience_SOURCES = tests/unit/test_patience.c opensm/retries.c opensm/retries.h
tests_unit_test_patience_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_patience_LDADD = $(unit_LDADD)
