# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_a_SOURCES += \
	sl2vl/class_queues.c sl2vl/class_queues.h \
	sl2vl/flex_classes.h \
	sl2vl/flex_copies.c \
	sl2vl/flex_lanes.c \
	sl2vl/flex_spread.c \
	sl2vl/flow_paths.c sl2vl/flow_paths.h \
	sl2vl/flow_turns.c sl2vl/flow_turns.h \
	sl2vl/grid_classes.c sl2vl/grid_classes.h \
	sl2vl/grid_crossings.c \
	sl2vl/grid_halves.c sl2vl/grid_halves.h \
	sl2vl/hop_classes.c sl2vl/hop_classes.h \
	sl2vl/hop_paths.c sl2vl/hop_paths.h \
	sl2vl/join.c sl2vl/join.h \
	sl2vl/lanes.c sl2vl/lanes.h \
	sl2vl/layer_class.c \
	sl2vl/layer_dateline.c \
	sl2vl/layer_destination.c \
	sl2vl/layer_fewest.c \
	sl2vl/layer_flex.c \
	sl2vl/layer_hop.c \
	sl2vl/layer_layered.c \
	sl2vl/layer_order.c \
	sl2vl/layer_plus.c \
	sl2vl/layer_shift.c \
	sl2vl/layer_single.c \
	sl2vl/layer_valiant.c \
	sl2vl/layer_xyxy.c \
	sl2vl/lid_columns.c sl2vl/lid_columns.h \
	sl2vl/queue_bbq.c \
	sl2vl/queue_dbbm.c \
	sl2vl/queue_dbbq.c \
	sl2vl/queue_iodet.c \
	sl2vl/queue_map.c \
	sl2vl/queue_single.c \
	sl2vl/queue_vftree.c \
	sl2vl/queue_voqsw.c \
	sl2vl/queue_xordet.c \
	sl2vl/queueing.c \
	sl2vl/rules.c sl2vl/rules.h \
	sl2vl/set_classes.c sl2vl/set_classes.h \
	sl2vl/split.c sl2vl/split.h \
	sl2vl/valiant.h \
	sl2vl/valiant_hops.c \
	sl2vl/valiant_order.c
EXTRA_DIST += docs/lanes.md
