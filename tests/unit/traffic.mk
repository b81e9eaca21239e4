# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
unit_tests += tests/unit/test_traffic
tests_unit_test_traffic_SOURCES = tests/unit/test_traffic.c tests/unit/traffic_case.h
tests_unit_test_traffic_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_patterns
tests_unit_test_patterns_SOURCES = tests/unit/test_patterns.c tests/unit/traffic_case.h
tests_unit_test_patterns_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_traces
tests_unit_test_traces_SOURCES = tests/unit/test_traces.c tests/unit/traffic_case.h
tests_unit_test_traces_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_ptrans
tests_unit_test_ptrans_SOURCES = tests/unit/test_ptrans.c
tests_unit_test_ptrans_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_arrivals
tests_unit_test_arrivals_SOURCES = tests/unit/test_arrivals.c tests/unit/traffic_case.h
tests_unit_test_arrivals_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_graph500
tests_unit_test_graph500_SOURCES = tests/unit/test_graph500.c tests/unit/traffic_case.h
tests_unit_test_graph500_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_graph500_search
tests_unit_test_graph500_search_SOURCES = tests/unit/test_graph500_search.c tests/unit/scenario_case.h tests/unit/traffic_case.h
tests_unit_test_graph500_search_LDADD = $(sim_LDADD)

EXTRA_DIST += tests/data/traces

unit_tests += tests/unit/test_recorder
tests_unit_test_recorder_SOURCES = tests/unit/test_recorder.c
tests_unit_test_recorder_LDADD = librecorder.a $(unit_LDADD)

unit_tests += tests/unit/test_collective
tests_unit_test_collective_SOURCES = tests/unit/test_collective.c
tests_unit_test_collective_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_goal_agenda
tests_unit_test_goal_agenda_SOURCES = tests/unit/test_goal_agenda.c
tests_unit_test_goal_agenda_LDADD = libsim.a $(unit_LDADD)
