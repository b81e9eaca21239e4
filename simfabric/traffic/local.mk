# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Traffic of the performance model on the emulated fabric.
libemulator_a_SOURCES += \
	simfabric/traffic/carried_choice.c \
	simfabric/traffic/carried_counters.c simfabric/traffic/carried_counters.h \
	simfabric/traffic/carried_hosts.c \
	simfabric/traffic/carried_links.c simfabric/traffic/carried_links.h \
	simfabric/traffic/carried_models.c \
	simfabric/traffic/carried.c simfabric/traffic/carried.h \
	simfabric/traffic/carried_options.c simfabric/traffic/carried_options.h \
	simfabric/traffic/follow_agents.c \
	simfabric/traffic/refresh.c \
	simfabric/traffic/start.c \
	simfabric/traffic/carried_private.h \
	simfabric/traffic/fabric_view.c simfabric/traffic/fabric_view.h \
	simfabric/traffic/view_sets.c
