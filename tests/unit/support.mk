# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
unit_tests += tests/unit/test_support
tests_unit_test_support_SOURCES = tests/unit/test_support.c
tests_unit_test_support_LDADD = $(unit_LDADD)
