# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Reading a live fabric; without libibnetdisc, libibmad and libibumad, heddle has no subcommand dump.
noinst_LIBRARIES += liblive.a
liblive_a_SOURCES = live/live.h live/mads.h live/own_port.h
if HAVE_IBNETDISC
liblive_a_SOURCES += \
	live/apart.c \
	live/discovery.c \
	live/mads.c \
	live/own_port.c \
	live/paths.c \
	live/read_tables.c
liblive_a_CFLAGS = $(AM_CFLAGS) $(IBNETDISC_CFLAGS)
endif
