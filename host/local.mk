# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What hosts with several LIDs do. The header is for others, too.
pkginclude_HEADERS += host/networks.h
libheddle_la_SOURCES += \
	host/estimate.c host/estimate.h \
	host/lanes.c host/lanes.h \
	host/own_sls.c host/own_sls.h \
	host/page.c host/page.h
