# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
unit_tests += tests/unit/test_traffic
tests_unit_test_traffic_SOURCES = tests/unit/test_traffic.c
tests_unit_test_traffic_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_traffic_LDADD = libtraffic.la $(unit_LDADD)
