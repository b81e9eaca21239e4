# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_la_SOURCES += \
	sl2vl/lanes.c sl2vl/lanes.h \
	sl2vl/layer_shift.c \
	sl2vl/layer_single.c \
	sl2vl/queue_dbbm.c \
	sl2vl/queue_single.c \
	sl2vl/queue_xordet.c \
	sl2vl/queueing.c \
	sl2vl/registry.c sl2vl/rules.h \
	sl2vl/vlarb.c sl2vl/vlarb.h
