# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_a_SOURCES += \
	vlarb/bound.c vlarb/bound.h \
	vlarb/bound_pairs.c vlarb/bound_pairs.h \
	vlarb/class_layout.c vlarb/class_layout.h \
	vlarb/dtable.c vlarb/dtable.h \
	vlarb/dtable_form.c vlarb/dtable_form.h \
	vlarb/dtable_port.c vlarb/dtable_port.h \
	vlarb/guarantee.c vlarb/guarantee.h \
	vlarb/round_entries.c vlarb/round_entries.h \
	vlarb/saturation.c vlarb/saturation.h \
	vlarb/sbt.c vlarb/sbt.h \
	vlarb/sbt_table.c vlarb/sbt_table.h \
	vlarb/shares.c vlarb/shares.h \
	vlarb/vlarb.c vlarb/vlarb.h \
	vlarb/vlarb_classes.c \
	vlarb/vlarb_flows.c \
	vlarb/waits.c vlarb/waits.h
EXTRA_DIST += docs/qos.md
