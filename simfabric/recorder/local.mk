# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What MPI programs preload: it links nothing of heddle's, which would come between them and theirs. The parts
# that know no MPI are a library of their own for the tests.
noinst_LTLIBRARIES += librecorder.la
librecorder_la_SOURCES = \
	simfabric/recorder/collectives.c simfabric/recorder/collectives.h \
	simfabric/recorder/log.c simfabric/recorder/log.h \
	simfabric/recorder/merge.c simfabric/recorder/merge.h
recorder_cflags = $(HEDDLE_CFLAGS) $(HARDENING_CFLAGS) $(SANITIZER_FLAGS) $(FUZZER_FLAGS) $(COVERAGE_FLAGS) \
	-fvisibility=hidden
librecorder_la_CFLAGS = $(recorder_cflags)

if HAVE_OMPI
lib_LTLIBRARIES += libheddle-trace.la
endif

libheddle_trace_la_SOURCES = \
	simfabric/recorder/communicators.c \
	simfabric/recorder/messages.c \
	simfabric/recorder/operations.c \
	simfabric/recorder/probes.c \
	simfabric/recorder/recorder.c simfabric/recorder/recorder.h \
	simfabric/recorder/refused.c \
	simfabric/recorder/requests.c
libheddle_trace_la_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CFLAGS)
libheddle_trace_la_CFLAGS = $(recorder_cflags)
libheddle_trace_la_LIBADD = librecorder.la $(OMPI_LIBS)
libheddle_trace_la_LDFLAGS = $(SANITIZER_FLAGS) $(COVERAGE_FLAGS) $(HARDENING_LDFLAGS) -module -avoid-version -shared
