# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_a_SOURCES += \
	engines/any.c \
	engines/any_ways.c engines/any_ways.h \
	engines/ar_options.c engines/ar_options.h \
	engines/busiest.c engines/busiest.h \
	engines/candidates.c engines/candidates.h \
	engines/choose.c engines/choose.h \
	engines/d3r.c \
	engines/df_minhop.c \
	engines/df_sssp.c \
	engines/dfplus.c \
	engines/dfval.c \
	engines/dimension_order.c engines/dimension_order.h \
	engines/dla.c \
	engines/dmodc.c \
	engines/dmodc_desk.c engines/dmodc_desk.h \
	engines/dmodc_plan.c engines/dmodc_plan.h \
	engines/dmodc_rows.c engines/dmodc_rows.h \
	engines/engine.h \
	engines/engines.c engines/engines.h \
	engines/escape_tree.c engines/escape_tree.h \
	engines/even.c engines/even.h \
	engines/even_known.c engines/even_known.h \
	engines/even_search.c engines/even_search.h \
	engines/even_state.c engines/even_state.h \
	engines/grid_sets.c \
	engines/group_even.c engines/group_even.h \
	engines/group_order.c engines/group_order.h \
	engines/group_paths.c engines/group_paths.h \
	engines/group_routes.c engines/group_routes.h \
	engines/group_sets.c \
	engines/group_shape.c \
	engines/group_vias.c engines/group_vias.h \
	engines/hdor.c \
	engines/heddle.c \
	engines/baseline_routes.c engines/baseline_routes.h \
	engines/layered.c \
	engines/lft_column.c engines/lft_column.h \
	engines/light_paths.c engines/light_paths.h \
	engines/minhop.c \
	engines/minhop_routes.c engines/minhop_routes.h \
	engines/osha.c \
	engines/parx.c \
	engines/previous_lanes.c engines/previous_lanes.h \
	engines/plus_ports.h \
	engines/plus_sets.c engines/plus_sets.h \
	engines/plus_valiant.c engines/plus_valiant.h \
	engines/repair.c engines/repair.h \
	engines/route.c \
	engines/sasha.c \
	engines/sets.h \
	engines/stable_lanes.c engines/stable_lanes.h \
	engines/stable_routes.c engines/stable_routes.h \
	engines/targets.c engines/targets.h \
	engines/tree_sets.c engines/tree_sets.h \
	engines/tree_ways.c engines/tree_ways.h \
	engines/trunks.c engines/trunks.h \
	engines/turn_sets.c engines/turn_sets.h \
	engines/turns.c engines/turns.h \
	engines/two_orders.c engines/two_orders.h \
	engines/updn.c engines/way_columns.c engines/way_columns.h
