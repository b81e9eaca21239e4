# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the kernel's MAD layer does needs no InfiniBand header; the library that programs preload
# implements the functions of libibumad's, and links nothing of it.
noinst_LIBRARIES += libumadexchange.a
libumadexchange_a_SOURCES = \
	simfabric/umad/deliveries.c \
	simfabric/umad/exchange.c simfabric/umad/exchange.h simfabric/umad/exchange_private.h \
	simfabric/umad/receptions.c \
	simfabric/umad/rmpp.h \
	simfabric/umad/rmpp_receive.c \
	simfabric/umad/rmpp_send.c \
	simfabric/umad/sends.c
libumadexchange_a_CFLAGS = $(plain_cflags)

if HAVE_UMAD
umaddir = $(pkglibdir)
umad_PROGRAMS = libsimfabric-umad.so
endif

libsimfabric_umad_so_SOURCES = \
	simfabric/umad/adapter.c \
	simfabric/umad/address.c \
	simfabric/umad/connection.c simfabric/umad/connection.h \
	simfabric/umad/export.h \
	simfabric/umad/issm.c \
	simfabric/umad/port.c simfabric/umad/port.h \
	simfabric/umad/ports.h \
	simfabric/umad/umad.c
libsimfabric_umad_so_CFLAGS = $(plain_cflags)
libsimfabric_umad_so_LDADD = libumadexchange.a
libsimfabric_umad_so_LDFLAGS = $(plain_module_ldflags)

# in one command alone: the others are the same for every prefix, and ccache has their objects
simfabric/child.$(OBJEXT): AM_CPPFLAGS += -DHD_PKGLIBDIR='"$(pkglibdir)"'

# The other end of its rings.
libemulator_a_SOURCES += \
	simfabric/emulator/ring.c simfabric/emulator/ring.h \
	simfabric/emulator/ring_control.c \
	simfabric/emulator/ring_disconnect.c \
	simfabric/emulator/ring_packets.c \
	simfabric/emulator/ring_layout.h \
	simfabric/emulator/ring_private.h
