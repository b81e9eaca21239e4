# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# libheddle as programs have it: the shared library of the build, and what is installed.
unit_tests += tests/unit/test_api
tests_unit_test_api_SOURCES = tests/unit/test_api.c
tests_unit_test_api_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir)/include $(CMOCKA_CFLAGS)
tests_unit_test_api_LDADD = libheddle.so.0 $(CMOCKA_LIBS) -lm -lpthread
tests_unit_test_api_LDFLAGS = $(AM_LDFLAGS) -Wl,-rpath,'$$ORIGIN/../..'

check_PROGRAMS += tests/api/all_calls
tests_api_all_calls_SOURCES = tests/api/all_calls.c
tests_api_all_calls_CPPFLAGS = -I$(top_srcdir)/include
tests_api_all_calls_LDADD = libheddle.so.0
tests_api_all_calls_LDFLAGS = $(AM_LDFLAGS) -Wl,-rpath,'$$ORIGIN/../..'

api_tests = tests/api/install.sh tests/api/memory.sh tests/api/python.sh
TESTS += $(api_tests)
dist_check_SCRIPTS += $(api_tests)
EXTRA_DIST += tests/api/test_heddle.py
