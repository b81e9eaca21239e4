# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What MPI programs preload: it links nothing of heddle's, which would come between them and theirs. The parts
# that know no MPI are a library of their own for the tests.
noinst_LIBRARIES += librecorder.a
librecorder_a_SOURCES = \
	simfabric/recorder/collectives.c simfabric/recorder/collectives.h \
	simfabric/recorder/log.c simfabric/recorder/log.h \
	simfabric/recorder/merge.c simfabric/recorder/merge.h
recorder_cflags = $(plain_cflags) -fvisibility=hidden
librecorder_a_CFLAGS = $(recorder_cflags)

if HAVE_OMPI
module_PROGRAMS += libheddle-trace.so
endif

libheddle_trace_so_SOURCES = \
	simfabric/recorder/communicators.c \
	simfabric/recorder/messages.c \
	simfabric/recorder/operations.c \
	simfabric/recorder/probes.c \
	simfabric/recorder/recorder.c simfabric/recorder/recorder.h \
	simfabric/recorder/refused.c \
	simfabric/recorder/requests.c
libheddle_trace_so_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CFLAGS)
libheddle_trace_so_CFLAGS = $(recorder_cflags)
libheddle_trace_so_LDADD = librecorder.a $(OMPI_LIBS)
libheddle_trace_so_LDFLAGS = $(plain_module_ldflags)
