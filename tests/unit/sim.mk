# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
sim_LDADD = tests/unit/libunit.a $(sim_libs) $(CMOCKA_LIBS)

unit_tests += tests/unit/test_measure
tests_unit_test_measure_SOURCES = tests/unit/test_measure.c
tests_unit_test_measure_LDADD = $(sim_LDADD)

unit_tests += tests/unit/test_scenario
tests_unit_test_scenario_SOURCES = tests/unit/test_scenario.c tests/unit/scenario_case.h
tests_unit_test_scenario_LDADD = $(sim_LDADD)

unit_tests += tests/unit/test_bounds
tests_unit_test_bounds_SOURCES = tests/unit/test_bounds.c tests/unit/scenario_case.h
tests_unit_test_bounds_LDADD = $(sim_LDADD)

unit_tests += tests/unit/test_classes_model
tests_unit_test_classes_model_SOURCES = tests/unit/test_classes_model.c tests/unit/scenario_case.h
tests_unit_test_classes_model_LDADD = $(sim_LDADD)
