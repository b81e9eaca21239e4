# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_la_SOURCES += \
	sl2vl/flex.h sl2vl/flex_lanes.c sl2vl/flex_spread.c \
	sl2vl/layer_flex.c \
	sl2vl/lanes.c sl2vl/lanes.h \
	sl2vl/layer_shift.c \
	sl2vl/layer_single.c \
	sl2vl/layer_valiant.c \
	sl2vl/queue_bbq.c \
	sl2vl/queue_dbbm.c \
	sl2vl/queue_dbbq.c \
	sl2vl/queue_iodet.c \
	sl2vl/queue_single.c \
	sl2vl/queue_voqsw.c \
	sl2vl/queue_xordet.c \
	sl2vl/queueing.c \
	sl2vl/registry.c sl2vl/rules.h \
	sl2vl/steps.h \
	sl2vl/vlarb.c sl2vl/vlarb.h \
	sl2vl/vlarb_flows.c
libheddle_la_SOURCES += sl2vl/grid_classes.c sl2vl/grid_classes.h
libheddle_la_SOURCES += sl2vl/grid_crossings.c
libheddle_la_SOURCES += sl2vl/lanes.c sl2vl/lanes.h
libheddle_la_SOURCES += sl2vl/layer_class.c
libheddle_la_SOURCES += sl2vl/layer_dateline.c
libheddle_la_SOURCES += sl2vl/layer_shift.c
libheddle_la_SOURCES += sl2vl/layer_single.c
libheddle_la_SOURCES += sl2vl/layer_valiant.c
libheddle_la_SOURCES += sl2vl/queue_bbq.c
libheddle_la_SOURCES += sl2vl/queue_dbbm.c
libheddle_la_SOURCES += sl2vl/queue_dbbq.c
libheddle_la_SOURCES += sl2vl/queue_iodet.c
libheddle_la_SOURCES += sl2vl/queue_single.c
libheddle_la_SOURCES += sl2vl/queue_voqsw.c
libheddle_la_SOURCES += sl2vl/queue_xordet.c
libheddle_la_SOURCES += sl2vl/queueing.c
libheddle_la_SOURCES += sl2vl/registry.c
libheddle_la_SOURCES += sl2vl/rules.h
libheddle_la_SOURCES += sl2vl/vlarb.c sl2vl/vlarb.h
