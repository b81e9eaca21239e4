# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_la_SOURCES += \
	fabric/builder.c fabric/builder.h \
	fabric/distances.c fabric/distances.h \
	fabric/fabric.c fabric/fabric.h \
	fabric/faults.h fabric/lids.h fabric/netfile.h
