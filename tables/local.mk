# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_la_SOURCES += \
	tables/diff.h tables/dumps.h tables/snapshot.h \
	tables/tables.c tables/tables.h
