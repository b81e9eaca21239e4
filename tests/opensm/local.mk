# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Stock opensm with the plug-in on ibsim, read back by infiniband-diags.

opensm_tests = \
	tests/opensm/choose.sh \
	tests/opensm/degraded.sh \
	tests/opensm/dragonflyplus.sh \
	tests/opensm/dump.sh \
	tests/opensm/engines.sh \
	tests/opensm/file-engine.sh \
	tests/opensm/hosts.sh \
	tests/opensm/ibdmchk.sh \
	tests/opensm/lids.sh \
	tests/opensm/loss-matrix.sh \
	tests/opensm/lossy.sh \
	tests/opensm/lost.sh \
	tests/opensm/memory.sh \
	tests/opensm/multicast.sh \
	tests/opensm/netfiles.sh \
	tests/opensm/no-memory.sh \
	tests/opensm/odd.sh \
	tests/opensm/options.sh \
	tests/opensm/parx.sh \
	tests/opensm/paths.sh \
	tests/opensm/polled.sh \
	tests/opensm/recorded.sh \
	tests/opensm/refusals.sh \
	tests/opensm/setup.sh \
	tests/opensm/site-qos.sh \
	tests/opensm/slimfly.sh \
	tests/opensm/sm-5.sh \
	tests/opensm/stock.sh \
	tests/opensm/strict.sh \
	tests/opensm/sweeps.sh \
	tests/opensm/tables-1056.sh \
	tests/opensm/tables.sh \
	tests/opensm/tori.sh \
	tests/opensm/trees.sh \
	tests/opensm/trunks.sh \
	tests/opensm/unanswered.sh \
	tests/opensm/vls.sh \
	tests/opensm/watch.sh
opensm_programs = tests/opensm/read_sl2vl tests/opensm/join_multicast
# tables-3456.sh takes minutes: only where it is asked for
EXTRA_DIST += tests/opensm/lib.sh tests/opensm/host_5.c tests/opensm/masks_of.py tests/opensm/replay_sets.py tests/opensm/tables-3456.sh
dist_check_SCRIPTS += $(opensm_tests)

if WITH_OPENSM
if HAVE_IBNETDISC
check_PROGRAMS += $(opensm_programs)
TESTS += $(opensm_tests)
endif
endif

EXTRA_PROGRAMS += $(opensm_programs)
tests_opensm_read_sl2vl_SOURCES = tests/opensm/read_sl2vl.c
tests_opensm_read_sl2vl_CFLAGS = $(AM_CFLAGS) $(IBNETDISC_CFLAGS)
tests_opensm_read_sl2vl_LDADD = $(IBNETDISC_LIBS)

tests_opensm_join_multicast_SOURCES = tests/opensm/join_multicast.c
tests_opensm_join_multicast_CFLAGS = $(AM_CFLAGS) $(IBNETDISC_CFLAGS)
tests_opensm_join_multicast_LDADD = $(IBNETDISC_LIBS)
