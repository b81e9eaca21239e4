# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
noinst_LIBRARIES += libtraffic.a
libtraffic_a_SOURCES = \
	simfabric/traffic/traffic.c simfabric/traffic/traffic.h \
	simfabric/traffic/concurrent.c simfabric/traffic/concurrent.h \
	simfabric/traffic/registry.c simfabric/traffic/pattern.h \
	simfabric/traffic/bernoulli.c \
	simfabric/traffic/bursty.c \
	simfabric/traffic/deterministic.c \
	simfabric/traffic/poisson.c \
	simfabric/traffic/deviate.c simfabric/traffic/deviate.h \
	simfabric/traffic/slots.c simfabric/traffic/slots.h \
	simfabric/traffic/digits.c \
	simfabric/traffic/fixed.c simfabric/traffic/fixed.h \
	simfabric/traffic/graph500.c \
	simfabric/traffic/graph500_equations.c simfabric/traffic/graph500_equations.h \
	simfabric/traffic/graph500_hosts.c simfabric/traffic/graph500_hosts.h \
	simfabric/traffic/graph500_plan.c simfabric/traffic/graph500_plan.h \
	simfabric/traffic/graph500_search.c simfabric/traffic/graph500_search.h \
	simfabric/traffic/groups.c \
	simfabric/traffic/hotspot.c \
	simfabric/traffic/mix.c \
	simfabric/traffic/offsets.c \
	simfabric/traffic/permutation.c \
	simfabric/traffic/placement.c simfabric/traffic/placement.h \
	simfabric/traffic/ptrans.c simfabric/traffic/ptrans.h \
	simfabric/traffic/records.c simfabric/traffic/records.h \
	simfabric/traffic/replay.c simfabric/traffic/replay.h \
	simfabric/traffic/stencil.c simfabric/traffic/stencil.h \
	simfabric/traffic/trace.c \
	simfabric/traffic/uniform.c \
	simfabric/traffic/vef.c \
	simfabric/traffic/zipf.c simfabric/traffic/zipf.h
EXTRA_DIST += docs/traffic.md
