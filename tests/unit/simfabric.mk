# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
clients_case = tests/unit/clients_case.c tests/unit/clients_case.h

unit_tests += tests/unit/test_clients
tests_unit_test_clients_SOURCES = tests/unit/test_clients.c $(clients_case)
tests_unit_test_clients_LDADD = $(emulator_LDADD)

unit_tests += tests/unit/test_requests
tests_unit_test_requests_SOURCES = tests/unit/test_requests.c $(clients_case)
tests_unit_test_requests_LDADD = $(emulator_LDADD)

unit_tests += tests/unit/test_wire
tests_unit_test_wire_SOURCES = tests/unit/test_wire.c $(clients_case)
tests_unit_test_wire_LDADD = $(emulator_LDADD)

unit_tests += tests/unit/test_console
tests_unit_test_console_SOURCES = tests/unit/test_console.c $(clients_case)
tests_unit_test_console_LDADD = $(emulator_LDADD)

carried_case = tests/unit/carried_case.c tests/unit/carried_case.h $(emulator_case)
unit_tests += tests/unit/test_carried
tests_unit_test_carried_SOURCES = tests/unit/test_carried.c $(carried_case)
tests_unit_test_carried_LDADD = $(emulator_LDADD)
unit_tests += tests/unit/test_carried_losses
tests_unit_test_carried_losses_SOURCES = tests/unit/test_carried_losses.c $(carried_case)
tests_unit_test_carried_losses_LDADD = $(emulator_LDADD)
unit_tests += tests/unit/test_carried_sets
tests_unit_test_carried_sets_SOURCES = tests/unit/test_carried_sets.c $(carried_case)
tests_unit_test_carried_sets_LDADD = $(emulator_LDADD)
unit_tests += tests/unit/test_engine_sets
tests_unit_test_engine_sets_SOURCES = tests/unit/test_engine_sets.c
tests_unit_test_engine_sets_LDADD = $(emulator_LDADD)
unit_tests += tests/unit/test_carried_view
tests_unit_test_carried_view_SOURCES = tests/unit/test_carried_view.c $(carried_case)
tests_unit_test_carried_view_LDADD = $(emulator_LDADD)

history_case = tests/unit/history_case.c tests/unit/history_case.h $(emulator_case)
unit_tests += tests/unit/test_history
tests_unit_test_history_SOURCES = tests/unit/test_history.c $(history_case)
tests_unit_test_history_LDADD = $(emulator_LDADD)
unit_tests += tests/unit/test_history_life
tests_unit_test_history_life_SOURCES = tests/unit/test_history_life.c \
	tests/unit/history_naive.c tests/unit/history_naive.h $(history_case)
tests_unit_test_history_life_LDADD = $(emulator_LDADD)
