# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What hosts with several LIDs do. The header is for others, too.
pkginclude_HEADERS += host/networks.h
libheddle_a_SOURCES += \
	host/estimate.c host/estimate.h \
	host/port_networks.c host/port_networks.h \
	host/own_sls.c host/own_sls.h \
	host/page.c host/page.h

# What programs preload: it links nothing, neither heddle's nor libibverbs.
if HAVE_IBVERBS
module_PROGRAMS += libheddle-lids.so
endif
libheddle_lids_so_SOURCES = \
	host/own_sls.c \
	host/preload/choice.c \
	host/preload/families.c \
	host/preload/preload.h \
	host/preload/posts.c \
	host/preload/verbs_symbols.c \
	host/preload/verbs.c \
	support/error.c \
	support/printable.c \
	support/scan.c
libheddle_lids_so_CFLAGS = $(plain_cflags) $(IBVERBS_CFLAGS) -fvisibility=hidden
libheddle_lids_so_LDADD = -ldl -lpthread
libheddle_lids_so_LDFLAGS = $(plain_module_ldflags)
