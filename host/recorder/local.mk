# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What MPI programs preload: it links nothing of heddle's, which would come between them and theirs. The parts
# that know no MPI are a library of their own for the tests.
noinst_LIBRARIES += librecorder.a
librecorder_a_SOURCES = \
	host/recorder/collectives.c host/recorder/collectives.h \
	host/recorder/log.c host/recorder/log.h \
	host/recorder/merge.c host/recorder/merge.h \
	host/recorder/recorded_goal.c host/recorder/recorded_goal.h
recorder_cflags = $(plain_cflags) -fvisibility=hidden
librecorder_a_CFLAGS = $(recorder_cflags)

if HAVE_OMPI
module_PROGRAMS += libheddle-trace.so
endif

libheddle_trace_so_SOURCES = \
	host/recorder/communicators.c \
	host/recorder/lifetime.c \
	host/recorder/messages.c \
	host/recorder/operations.c \
	host/recorder/probes.c \
	host/recorder/recorder.c host/recorder/recorder.h \
	host/recorder/refused.c \
	host/recorder/requests.c
libheddle_trace_so_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CFLAGS)
libheddle_trace_so_CFLAGS = $(recorder_cflags)
libheddle_trace_so_LDADD = librecorder.a $(OMPI_LIBS)
libheddle_trace_so_LDFLAGS = $(plain_module_ldflags)
