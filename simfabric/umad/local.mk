# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the kernel's MAD layer does needs no InfiniBand header; the library that programs preload
# implements the functions of libibumad's, and links nothing of it.
noinst_LTLIBRARIES += libumadexchange.la
libumadexchange_la_SOURCES = \
	simfabric/umad/exchange.c simfabric/umad/exchange.h simfabric/umad/exchange_private.h \
	simfabric/umad/receptions.c \
	simfabric/umad/rmpp.h \
	simfabric/umad/rmpp_receive.c \
	simfabric/umad/rmpp_send.c \
	simfabric/umad/sends.c
umad_cflags = $(HEDDLE_CFLAGS) $(HARDENING_CFLAGS) $(SANITIZER_FLAGS) $(FUZZER_FLAGS) $(COVERAGE_FLAGS)
libumadexchange_la_CFLAGS = $(umad_cflags)

if HAVE_UMAD
pkglib_LTLIBRARIES = libsimfabric-umad.la
endif

libsimfabric_umad_la_SOURCES = \
	simfabric/umad/adapter.c \
	simfabric/umad/address.c \
	simfabric/umad/connection.c simfabric/umad/connection.h \
	simfabric/umad/export.h \
	simfabric/umad/issm.c \
	simfabric/umad/port.c simfabric/umad/port.h \
	simfabric/umad/ports.h \
	simfabric/umad/umad.c
libsimfabric_umad_la_CFLAGS = $(umad_cflags)
libsimfabric_umad_la_LIBADD = libumadexchange.la
libsimfabric_umad_la_LDFLAGS = $(SANITIZER_FLAGS) $(COVERAGE_FLAGS) $(HARDENING_LDFLAGS) -module -avoid-version -shared

libemulator_la_CPPFLAGS = $(AM_CPPFLAGS) -DHD_PKGLIBDIR='"$(pkglibdir)"'

# The other end of its rings.
libemulator_la_SOURCES += \
	simfabric/emulator/ring.c simfabric/emulator/ring.h \
	simfabric/emulator/ring_control.c \
	simfabric/emulator/ring_layout.h \
	simfabric/emulator/ring_private.h
