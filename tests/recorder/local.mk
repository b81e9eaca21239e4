# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# MPI programs with libheddle-trace.so before their library.
dist_check_SCRIPTS += tests/recorder/recorder.sh
EXTRA_PROGRAMS += tests/recorder/program
tests_recorder_program_SOURCES = tests/recorder/program.c
tests_recorder_program_CPPFLAGS = $(AM_CPPFLAGS) $(OMPI_CFLAGS)
tests_recorder_program_LDADD = $(OMPI_LIBS)
if HAVE_OMPI
check_PROGRAMS += tests/recorder/program
TESTS += tests/recorder/recorder.sh
endif
