# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The emulated fabric needs no InfiniBand library.
noinst_LTLIBRARIES += libemulator.la
libemulator_la_SOURCES = \
	simfabric/emulator/agents.h \
	simfabric/emulator/clients.h \
	simfabric/emulator/emulator.h \
	simfabric/emulator/faults.c simfabric/emulator/faults.h \
	simfabric/emulator/links.h \
	simfabric/emulator/mad.h \
	simfabric/emulator/timers.c simfabric/emulator/timers.h \
	simfabric/emulator/transport.c simfabric/emulator/transport.h \
	simfabric/emulator/traps.h
libemulator_la_LIBADD = libheddle.la -lm
