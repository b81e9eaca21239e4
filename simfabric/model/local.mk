# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
noinst_LTLIBRARIES += libmodel.la
libmodel_la_SOURCES = \
	simfabric/model/admittance.c \
	simfabric/model/backlog.c simfabric/model/backlog.h \
	simfabric/model/build.c \
	simfabric/model/consumption.c \
	simfabric/model/counters.c \
	simfabric/model/credits.c simfabric/model/credits.h \
	simfabric/model/crossbar.h \
	simfabric/model/deadlock.c \
	simfabric/model/events.c simfabric/model/events.h \
	simfabric/model/forwarding.c simfabric/model/forwarding.h \
	simfabric/model/gauges.c \
	simfabric/model/host.c \
	simfabric/model/late_events.c simfabric/model/late_events.h \
	simfabric/model/late_heap.c simfabric/model/late_heap.h \
	simfabric/model/model.c simfabric/model/model.h \
	simfabric/model/state.h \
	simfabric/model/input.c \
	simfabric/model/look_ahead.c \
	simfabric/model/matching.c \
	simfabric/model/policy.c \
	simfabric/model/switch_cioq.c simfabric/model/switch_iq.c \
	simfabric/model/switches.c \
	simfabric/model/vl_arbiter.c
libmodel_la_LIBADD = libheddle.la -lm
EXTRA_DIST += docs/model.md
