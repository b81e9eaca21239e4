# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
unit_tests += tests/unit/test_plan
tests_unit_test_plan_SOURCES = tests/unit/test_plan.c tests/unit/plan_case.c tests/unit/plan_case.h
tests_unit_test_plan_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_gaps
tests_unit_test_gaps_SOURCES = tests/unit/test_gaps.c tests/unit/plan_case.c tests/unit/plan_case.h
tests_unit_test_gaps_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_device
tests_unit_test_device_SOURCES = tests/unit/test_device.c
tests_unit_test_device_LDADD = $(unit_LDADD)
