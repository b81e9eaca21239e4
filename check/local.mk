# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_a_SOURCES += \
	check/between.c check/between.h \
	check/branch_states.c check/branch_states.h \
	check/branches.c check/branches.h \
	check/channels.c check/channels.h \
	check/check.c check/check.h \
	check/choices.c check/choices.h \
	check/coverage.c check/coverage.h \
	check/cycle.c check/cycle.h \
	check/defects.c check/defects.h \
	check/dependencies.c check/dependencies.h \
	check/destinations.c check/destinations.h \
	check/alike.c check/alike.h \
	check/baseline.c check/baseline.h \
	check/baseline_check.c check/baseline_check.h \
	check/variant.c \
	check/forest.c check/forest.h \
	check/forests.c check/forests.h \
	check/flow_sums.c check/flow_sums.h \
	check/flow_trees.c check/flow_trees.h \
	check/lane_patterns.c \
	check/load.c check/load.h \
	check/multicast.c check/multicast.h \
	check/order.c check/order.h \
	check/plfts.c \
	check/route_tree.c check/route_tree.h \
	check/sources.c \
	check/starved.c check/starved.h \
	check/states.c check/states.h \
	check/view.c check/view.h \
	check/walk.c check/walk.h \
	check/witness.c check/witness.h
