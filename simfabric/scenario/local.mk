# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
noinst_LIBRARIES += libscenario.a
libscenario_a_SOURCES = \
	simfabric/scenario/columns.c simfabric/scenario/columns.h \
	simfabric/scenario/details.c simfabric/scenario/details.h \
	simfabric/scenario/flow_names.c simfabric/scenario/flow_names.h \
	simfabric/scenario/host_choice.c simfabric/scenario/host_choice.h \
	simfabric/scenario/hosts.c simfabric/scenario/hosts.h \
	simfabric/scenario/keys.c simfabric/scenario/keys.h \
	simfabric/scenario/list.c simfabric/scenario/list.h \
	simfabric/scenario/network.c simfabric/scenario/network.h \
	simfabric/scenario/networks.c \
	simfabric/scenario/phases.c simfabric/scenario/phases.h \
	simfabric/scenario/rates.c simfabric/scenario/rates.h \
	simfabric/scenario/quantity.c simfabric/scenario/quantity.h \
	simfabric/scenario/read.c \
	simfabric/scenario/run.c simfabric/scenario/run.h \
	simfabric/scenario/scenario.c simfabric/scenario/scenario.h \
	simfabric/scenario/soundness.c simfabric/scenario/soundness.h \
	simfabric/scenario/scheduling.c simfabric/scenario/scheduling.h \
	simfabric/scenario/setup.c simfabric/scenario/setup.h \
	simfabric/scenario/steps.c simfabric/scenario/steps.h \
	simfabric/scenario/sweep.c simfabric/scenario/sweep.h \
	simfabric/scenario/traffic.c simfabric/scenario/traffic.h \
	simfabric/scenario/traffic_classes.c simfabric/scenario/traffic_classes.h
EXTRA_DIST += docs/sim.md
EXTRA_DIST += experiments
