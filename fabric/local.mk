# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_a_SOURCES += \
	fabric/builder.c fabric/builder.h \
	fabric/csv_sections.c fabric/csv_sections.h \
	fabric/db_csv.c fabric/db_csv.h \
	fabric/distances.c fabric/distances.h \
	fabric/error_counters.c fabric/error_counters.h \
	fabric/fabric.c fabric/fabric.h \
	fabric/fabric_changed.c fabric/fabric_changed.h \
	fabric/fabric_parts.c fabric/fabric_parts.h \
	fabric/faults.c fabric/faults.h \
	fabric/ibnl.c fabric/ibnl.h \
	fabric/lids.c fabric/lids.h \
	fabric/link_list.c fabric/link_list.h \
	fabric/link_rate.c fabric/link_rate.h \
	fabric/names.c fabric/names.h \
	fabric/netfile.h \
	fabric/netfile_line.c fabric/netfile_line.h \
	fabric/netfile_read.c fabric/netfile_write.c \
	fabric/netfile_whose.c fabric/netfile_whose.h \
	fabric/ports_list.c fabric/subnet_list.c \
	fabric/reading.c fabric/reading.h \
	fabric/slow_links.c fabric/slow_links.h \
	fabric/symbols.c fabric/symbols.h \
	fabric/topo_file.c fabric/topo_file.h
EXTRA_DIST += docs/netfile.md
