# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What a subnet manager needs that puts tables into a fabric in use; no OpenSM in here.
libheddle_a_SOURCES += \
	manager/patience.c manager/patience.h \
	manager/plugin_options.c manager/plugin_options.h
