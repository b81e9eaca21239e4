# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Fuzz targets. With --enable-fuzzing they are libFuzzer programs; otherwise tests/fuzz/replay.c runs
# each over its corpus, so that every build checks what fuzzing once found.

# A target: fuzz_targets += tests/fuzz/fuzz_thing, its corpus in tests/fuzz/corpus/thing/
fuzz_targets =
EXTRA_DIST += tests/fuzz/corpus
fuzzing_libs = libheddle.la

if FUZZING
fuzz_driver =
fuzzing_ldflags = $(AM_LDFLAGS) -fsanitize=fuzzer,address,undefined
else
fuzz_driver = tests/fuzz/replay.c
fuzzing_ldflags = $(AM_LDFLAGS)
TESTS += $(fuzz_targets)
endif
check_PROGRAMS += $(fuzz_targets)

fuzz_targets += tests/fuzz/fuzz_check
tests_fuzz_fuzz_check_SOURCES = tests/fuzz/fuzz_check.c tests/unit/check_case.c \
	tests/unit/check_oracle.c tests/unit/check_oracle.h $(fuzz_driver)
tests_fuzz_fuzz_check_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_check_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_spec
tests_fuzz_fuzz_spec_SOURCES = tests/fuzz/fuzz_spec.c $(fuzz_driver)
tests_fuzz_fuzz_spec_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_spec_LDFLAGS = $(fuzzing_ldflags)
