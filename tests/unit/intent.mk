# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
unit_tests += tests/unit/test_intent
tests_unit_test_intent_SOURCES = tests/unit/test_intent.c tests/unit/intent_naive.c tests/unit/intent_naive.h
tests_unit_test_intent_LDADD = $(unit_LDADD)
