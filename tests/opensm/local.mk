# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Stock opensm with the plug-in on ibsim, read back by infiniband-diags.

opensm_tests = \
	tests/opensm/options.sh
EXTRA_DIST += tests/opensm/lib.sh
dist_check_SCRIPTS += $(opensm_tests)

if WITH_OPENSM
if HAVE_IBNETDISC
check_PROGRAMS += tests/opensm/read_sl2vl
TESTS += $(opensm_tests)
endif
endif

EXTRA_PROGRAMS += tests/opensm/read_sl2vl
tests_opensm_read_sl2vl_SOURCES = tests/opensm/read_sl2vl.c
tests_opensm_read_sl2vl_CFLAGS = $(AM_CFLAGS) $(IBNETDISC_CFLAGS)
tests_opensm_read_sl2vl_LDADD = $(IBNETDISC_LIBS)
