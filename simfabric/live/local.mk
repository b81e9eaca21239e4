# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Traffic of the performance model on the emulated fabric.
noinst_LTLIBRARIES += liblive.la
liblive_la_SOURCES = \
	simfabric/live/counters.c simfabric/live/counters.h \
	simfabric/live/hosts.c \
	simfabric/live/links.c simfabric/live/links.h \
	simfabric/live/live.c simfabric/live/live.h \
	simfabric/live/options.c simfabric/live/options.h \
	simfabric/live/state.h \
	simfabric/live/view.c simfabric/live/view.h
