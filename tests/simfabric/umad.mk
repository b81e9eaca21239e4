# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Programs with the own umad library.
dist_check_SCRIPTS += tests/simfabric/umad.sh tests/simfabric/umad_api.sh tests/simfabric/capture.sh \
	tests/simfabric/hostile.sh tests/simfabric/osmtest.sh
if WITH_OPENSM
if HAVE_UMAD
check_PROGRAMS += tests/simfabric/umad_api tests/simfabric/hostile_ring
TESTS += tests/simfabric/umad.sh tests/simfabric/umad_api.sh tests/simfabric/capture.sh \
	tests/simfabric/hostile.sh tests/simfabric/osmtest.sh
endif
endif

EXTRA_PROGRAMS += tests/simfabric/umad_api
tests_simfabric_umad_api_SOURCES = tests/simfabric/umad_api.c
tests_simfabric_umad_api_LDADD = -libumad -lpthread

# Hostile clients need no libibumad themselves.
EXTRA_PROGRAMS += tests/simfabric/hostile_ring
tests_simfabric_hostile_ring_SOURCES = tests/simfabric/hostile_ring.c
