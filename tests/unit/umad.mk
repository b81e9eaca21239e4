# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
unit_tests += tests/unit/test_rmpp
tests_unit_test_rmpp_SOURCES = tests/unit/test_rmpp.c
tests_unit_test_rmpp_LDADD = libumadexchange.a $(unit_LDADD)

unit_tests += tests/unit/test_ring
tests_unit_test_ring_SOURCES = tests/unit/test_ring.c
tests_unit_test_ring_LDADD = $(emulator_LDADD)
