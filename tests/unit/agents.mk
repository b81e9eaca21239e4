# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
agents_case = tests/unit/agents_case.c tests/unit/agents_case.h

unit_tests += tests/unit/test_sma tests/unit/test_portinfo tests/unit/test_mkey tests/unit/test_pma \
	tests/unit/test_links tests/unit/test_sma_ar tests/unit/test_sma_extended
tests_unit_test_sma_SOURCES = tests/unit/test_sma.c $(agents_case)
tests_unit_test_sma_LDADD = $(emulator_LDADD)
tests_unit_test_sma_ar_SOURCES = tests/unit/test_sma_ar.c $(agents_case)
tests_unit_test_sma_ar_LDADD = $(emulator_LDADD)
tests_unit_test_sma_extended_SOURCES = tests/unit/test_sma_extended.c $(agents_case)
tests_unit_test_sma_extended_LDADD = $(emulator_LDADD)
tests_unit_test_portinfo_SOURCES = tests/unit/test_portinfo.c $(agents_case)
tests_unit_test_portinfo_LDADD = $(emulator_LDADD)
tests_unit_test_mkey_SOURCES = tests/unit/test_mkey.c $(agents_case)
tests_unit_test_mkey_LDADD = $(emulator_LDADD)
tests_unit_test_pma_SOURCES = tests/unit/test_pma.c $(agents_case)
tests_unit_test_pma_LDADD = $(emulator_LDADD)
tests_unit_test_links_SOURCES = tests/unit/test_links.c $(agents_case)
tests_unit_test_links_LDADD = $(emulator_LDADD)
