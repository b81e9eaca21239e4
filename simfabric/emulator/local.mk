# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The emulated fabric needs no InfiniBand library.
noinst_LIBRARIES += libemulator.a
libemulator_a_SOURCES = \
	simfabric/emulator/agents.h \
	simfabric/emulator/clients.h \
	simfabric/emulator/copy.c simfabric/emulator/copy.h \
	simfabric/emulator/copy_ar.c simfabric/emulator/copy_ar.h \
	simfabric/emulator/emulator.h \
	simfabric/emulator/mad_faults.c simfabric/emulator/mad_faults.h \
	simfabric/emulator/gsi.c \
	simfabric/emulator/history_writer.c simfabric/emulator/history_writer.h \
	simfabric/emulator/link_state.c simfabric/emulator/link_state.h \
	simfabric/emulator/mkey.c \
	simfabric/emulator/pma.c simfabric/emulator/pma.h \
	simfabric/emulator/pma_base.c \
	simfabric/emulator/pma_control.c \
	simfabric/emulator/pma_counters.c \
	simfabric/emulator/pma_lanes.c \
	simfabric/emulator/private.h \
	simfabric/emulator/power.c simfabric/emulator/power.h \
	simfabric/emulator/link_rates.c \
	simfabric/emulator/sma.c simfabric/emulator/sma.h \
	simfabric/emulator/sma_ar.c simfabric/emulator/sma_ar.h \
	simfabric/emulator/sma_extended.c \
	simfabric/emulator/sma_guids.c \
	simfabric/emulator/sma_lft.c \
	simfabric/emulator/sma_mft.c \
	simfabric/emulator/sma_node.c \
	simfabric/emulator/sma_pkeys.c \
	simfabric/emulator/sma_port.c \
	simfabric/emulator/sma_port_set.c \
	simfabric/emulator/sma_sl2vl.c \
	simfabric/emulator/sma_vlarb.c \
	simfabric/emulator/smp.c simfabric/emulator/smp.h \
	simfabric/emulator/node_state.c \
	simfabric/emulator/timers.c simfabric/emulator/timers.h \
	simfabric/emulator/transport.c simfabric/emulator/transport.h \
	simfabric/emulator/traps.c simfabric/emulator/traps.h \
	simfabric/emulator/watch.c simfabric/emulator/watch.h
