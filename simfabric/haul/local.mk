# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Traffic of the performance model on the emulated fabric.
libemulator_a_SOURCES += \
	simfabric/haul/counters.c simfabric/haul/counters.h \
	simfabric/haul/hosts.c \
	simfabric/haul/links.c simfabric/haul/links.h \
	simfabric/haul/haul.c simfabric/haul/haul.h \
	simfabric/haul/options.c simfabric/haul/options.h \
	simfabric/haul/prefer.c \
	simfabric/haul/renew.c \
	simfabric/haul/start.c \
	simfabric/haul/state.h \
	simfabric/haul/view.c simfabric/haul/view.h
