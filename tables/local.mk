# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_a_SOURCES += \
	tables/ar.c tables/ar.h \
	tables/ar_copy.c tables/ar_copy.h \
	tables/ar_dump.c \
	tables/classes.c tables/classes.h \
	tables/classes_file.c \
	tables/diff.c tables/diff.h \
	tables/diff_ar.c tables/diff_ar.h \
	tables/diff_flows.c tables/diff_flows.h \
	tables/diff_match.c tables/diff_match.h \
	tables/diff_pairs.c \
	tables/diff_sources.c tables/diff_sources.h \
	tables/diff_trees.c tables/diff_trees.h \
	tables/diff_vls.c tables/diff_vls.h \
	tables/dump_text.c tables/dump_text.h \
	tables/dumps.h \
	tables/far_dump.c \
	tables/fdbs_dump.c \
	tables/forwarding.c tables/forwarding.h \
	tables/history.c tables/history.h \
	tables/lft_copy.c tables/lft_copy.h \
	tables/lft_dump.c \
	tables/lft_steps.h \
	tables/lmc_of_lids.c tables/lmc_of_lids.h \
	tables/mcfdbs_dump.c \
	tables/onto.c tables/onto.h \
	tables/open.c tables/open.h \
	tables/path_sl_dump.c \
	tables/sl2vl_dump.c \
	tables/slvl_row.c tables/slvl_row.h \
	tables/sl_rows.c tables/sl_rows.h \
	tables/snapshot.c tables/snapshot.h \
	tables/snapshot_files.h \
	tables/snapshot_write.c \
	tables/tables.c tables/tables.h \
	tables/vlarb_csv.c \
	tables/vlarb_dump.c
EXTRA_DIST += docs/formats.md
