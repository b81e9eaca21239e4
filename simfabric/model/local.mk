# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
noinst_LTLIBRARIES += libmodel.la
libmodel_la_SOURCES = \
	simfabric/model/admittance.h \
	simfabric/model/admittance_destination.c \
	simfabric/model/admittance_fifo.c \
	simfabric/model/admittance_vl.c \
	simfabric/model/allocator.h \
	simfabric/model/allocator_input.c \
	simfabric/model/allocator_output.c \
	simfabric/model/arbiter_age.c \
	simfabric/model/arbiter_oldest.c \
	simfabric/model/arbiter_round_robin.c \
	simfabric/model/arbiter_transit.c \
	simfabric/model/arbiter_vl.c \
	simfabric/model/backlog.c \
	simfabric/model/backlog.h \
	simfabric/model/build.c \
	simfabric/model/consumption.c \
	simfabric/model/consumption.h \
	simfabric/model/counters.c \
	simfabric/model/counters.h \
	simfabric/model/credits.c \
	simfabric/model/credits.h \
	simfabric/model/crossbar.h \
	simfabric/model/deadlock.c \
	simfabric/model/deadlock.h \
	simfabric/model/events.c \
	simfabric/model/events.h \
	simfabric/model/forwarding.c \
	simfabric/model/forwarding.h \
	simfabric/model/gauges.c \
	simfabric/model/gauges.h \
	simfabric/model/host.h \
	simfabric/model/host_first.c \
	simfabric/model/host_least_occupied.c \
	simfabric/model/host_policy.c \
	simfabric/model/host_policy.h \
	simfabric/model/host_round_robin.c \
	simfabric/model/injection.h \
	simfabric/model/input.h \
	simfabric/model/late_events.c \
	simfabric/model/late_events.h \
	simfabric/model/late_heap.c \
	simfabric/model/late_heap.h \
	simfabric/model/look_ahead.c \
	simfabric/model/look_ahead.h \
	simfabric/model/machine.h \
	simfabric/model/machine.inc \
	simfabric/model/machine_narrow.c \
	simfabric/model/machine_static.c \
	simfabric/model/machine_wide.c \
	simfabric/model/model.c \
	simfabric/model/model.h \
	simfabric/model/packets.c \
	simfabric/model/packets.h \
	simfabric/model/registry.c \
	simfabric/model/route_table.h \
	simfabric/model/scheduler_rr.c \
	simfabric/model/scheduler_vlarb.c \
	simfabric/model/state.h \
	simfabric/model/switch_cioq.c \
	simfabric/model/switch_iq.c \
	simfabric/model/switch_iq.h \
	simfabric/model/wire.c \
	simfabric/model/wire.h
libmodel_la_LIBADD = libheddle.la -lm
EXTRA_DIST += docs/model.md
