# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_a_SOURCES += \
	support/clock.h \
	support/divisor.h \
	support/duration.c support/duration.h \
	support/error.c support/error.h \
	support/find_byte.h \
	support/ini.c support/ini.h \
	support/input.c support/input.h \
	support/barrier.c support/barrier.h \
	support/bytes.c support/bytes.h \
	support/ended.c support/ended.h \
	support/memory.c support/memory.h \
	support/options.c support/options.h \
	support/policy.c support/policy.h \
	support/output.c support/output.h \
	support/printable.c support/printable.h \
	support/random.c support/random.h \
	support/scan.c \
	support/temporary.c support/temporary.h \
	support/text.c support/text.h \
	support/text_stream.c support/text_stream.h \
	support/translate.c support/translate.h \
	support/transpose.c support/transpose.h \
	support/pack.c support/pack.h \
	support/unpack.c support/unpack.h \
	support/unpack_gzip.c support/unpack_method.h \
	support/unpack_xz.c support/unpack_zstd.c
