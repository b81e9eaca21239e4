# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What a subnet manager needs that puts tables into a fabric in use; no OpenSM in here.
libheddle_a_SOURCES += \
	manager/absent_nodes.c manager/absent_nodes.h \
	manager/class_file.c manager/class_file.h \
	manager/handout.c manager/handout.h \
	manager/lane_dumps.c manager/lane_dumps.h \
	manager/lft_blocks.c manager/lft_blocks.h \
	manager/masked_rows.c manager/masked_rows.h \
	manager/multicast_tables.c manager/multicast_tables.h \
	manager/node_tables.c manager/node_tables.h \
	manager/pace.c manager/pace.h \
	manager/patience.c manager/patience.h \
	manager/plugin_options.c manager/plugin_options.h \
	manager/programmed_entries.h \
	manager/repeated_sets.c manager/repeated_sets.h \
	manager/sent_blocks.c manager/sent_blocks.h \
	manager/site_lanes.c manager/site_lanes.h \
	manager/site_qos_options.c manager/site_qos_options.h \
	manager/status_file.c manager/status_file.h \
	manager/status_read.c manager/status_read.h \
	manager/switch_sets.c manager/switch_sets.h \
	manager/unconfirmed.c manager/unconfirmed.h \
	manager/unconfirmed_switches.c manager/unconfirmed_switches.h \
	manager/wanted.c manager/wanted.h
