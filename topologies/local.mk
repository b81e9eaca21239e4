# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_a_SOURCES += \
	topologies/canonical.c topologies/canonical.h \
	topologies/director.c \
	topologies/dragonfly.c topologies/dragonfly.h \
	topologies/dragonfly_groups.c topologies/dragonfly_groups.h \
	topologies/dragonfly_patterns.c topologies/dragonfly_patterns.h \
	topologies/dragonfly_recognise.c \
	topologies/dragonfly_sizes.c topologies/dragonfly_sizes.h \
	topologies/dragonfly_plus.c topologies/dragonfly_plus.h \
	topologies/dragonflyplus.c \
	topologies/embedding.c topologies/embedding.h \
	topologies/finite_field.c topologies/finite_field.h \
	topologies/global_links.c topologies/global_links.h \
	topologies/graph_shape.c topologies/graph_shape.h \
	topologies/grid.c topologies/grid.h topologies/grid_search.h \
	topologies/grid_build.c \
	topologies/grid_lines.c \
	topologies/grid_net.c \
	topologies/grid_order.c \
	topologies/grid_points.c \
	topologies/hyperx.c \
	topologies/jellyfish.c \
	topologies/kns.c \
	topologies/locality.c topologies/locality.h \
	topologies/low_diameter.c topologies/low_diameter.h \
	topologies/mms_graph.c topologies/mms_graph.h \
	topologies/multiplane.c \
	topologies/oft.c \
	topologies/polarfly.c \
	topologies/polarity_graph.c topologies/polarity_graph.h \
	topologies/recognise.c topologies/recognise.h \
	topologies/no_hosts.c topologies/no_hosts.h \
	topologies/reorder.c topologies/reorder.h \
	topologies/rings.c topologies/rings.h \
	topologies/shape.c topologies/shape.h \
	topologies/slimfly.c \
	topologies/structure.c topologies/structure.h \
	topologies/switch_graph.c topologies/switch_graph.h \
	topologies/switch_levels.c topologies/switch_levels.h \
	topologies/pgft.c \
	topologies/fat_tree.c topologies/fat_tree.h \
	topologies/link_class.h \
	topologies/topology.c topologies/topology.h \
	topologies/torus.c \
	topologies/tree.c \
	topologies/union_find.h
EXTRA_DIST += docs/topologies.md
