# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# How clients reach the emulated fabric, and the program that runs it.
libemulator_a_SOURCES += \
	simfabric/emulator/client_port.c \
	simfabric/emulator/client_requests.c \
	simfabric/emulator/clients.c simfabric/emulator/clients_private.h \
	simfabric/emulator/control.c simfabric/emulator/control.h \
	simfabric/emulator/access.c simfabric/emulator/access.h \
	simfabric/emulator/outbox.c simfabric/emulator/outbox.h \
	simfabric/emulator/loop.c simfabric/emulator/loop.h \
	simfabric/emulator/stock.c simfabric/emulator/stock.h simfabric/emulator/stock_private.h \
	simfabric/emulator/stock_clients.c \
	simfabric/emulator/stock_entrance.c \
	simfabric/emulator/stock_peer.c simfabric/emulator/stock_peer.h \
	simfabric/emulator/stock_socket.c simfabric/emulator/stock_socket.h \
	simfabric/emulator/transactions.c simfabric/emulator/transactions.h \
	simfabric/emulator/wire.c simfabric/emulator/wire.h

libemulator_a_SOURCES += \
	simfabric/arguments.c simfabric/arguments.h \
	simfabric/child.c simfabric/child.h \
	simfabric/console.c simfabric/console.h simfabric/console_command.h \
	simfabric/console_arguments.c \
	simfabric/console_links.c \
	simfabric/console_places.c \
	simfabric/console_session.c \
	simfabric/console_set.c \
	simfabric/console_ar.c \
	simfabric/console_show.c \
	simfabric/console_stream.c simfabric/console_stream.h \
	simfabric/console_traffic.c \
	simfabric/script.c simfabric/script.h \
	simfabric/server.c simfabric/server.h

bin_PROGRAMS += simfabric/simfabric
simfabric_simfabric_SOURCES = simfabric/simfabric.c
simfabric_simfabric_LDADD = $(emulator_libs)

dist_bashcompletion_DATA += completions/simfabric
EXTRA_DIST += docs/emulator.md
