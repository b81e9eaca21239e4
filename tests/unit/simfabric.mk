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

haul_case = tests/unit/haul_case.c tests/unit/haul_case.h $(emulator_case)
unit_tests += tests/unit/test_haul
tests_unit_test_haul_SOURCES = tests/unit/test_haul.c $(haul_case)
tests_unit_test_haul_LDADD = $(emulator_LDADD)
unit_tests += tests/unit/test_haul_losses
tests_unit_test_haul_losses_SOURCES = tests/unit/test_haul_losses.c $(haul_case)
tests_unit_test_haul_losses_LDADD = $(emulator_LDADD)
unit_tests += tests/unit/test_haul_view
tests_unit_test_haul_view_SOURCES = tests/unit/test_haul_view.c $(haul_case)
tests_unit_test_haul_view_LDADD = $(emulator_LDADD)

history_case = tests/unit/history_case.c tests/unit/history_case.h $(emulator_case)
unit_tests += tests/unit/test_history
tests_unit_test_history_SOURCES = tests/unit/test_history.c $(history_case)
tests_unit_test_history_LDADD = $(emulator_LDADD)
unit_tests += tests/unit/test_history_life
tests_unit_test_history_life_SOURCES = tests/unit/test_history_life.c \
	tests/unit/history_naive.c tests/unit/history_naive.h $(history_case)
tests_unit_test_history_life_LDADD = $(emulator_LDADD)
