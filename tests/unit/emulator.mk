# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
emulator_LDADD = tests/unit/libunit.a $(emulator_libs) $(CMOCKA_LIBS)
emulator_case = tests/unit/emulator_case.c tests/unit/emulator_case.h

unit_tests += tests/unit/test_transport
tests_unit_test_transport_SOURCES = tests/unit/test_transport.c $(emulator_case)
tests_unit_test_transport_LDADD = $(emulator_LDADD)
