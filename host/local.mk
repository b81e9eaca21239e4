# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What hosts with several LIDs do. The header is for others, too.
pkginclude_HEADERS += host/networks.h
libheddle_la_SOURCES += \
	host/estimate.c host/estimate.h \
	host/lanes.c host/lanes.h \
	host/own_sls.c host/own_sls.h \
	host/page.c host/page.h

# What programs preload: it links nothing, neither heddle's nor libibverbs.
if HAVE_IBVERBS
lib_LTLIBRARIES += libheddle-lids.la
endif
libheddle_lids_la_SOURCES = \
	host/own_sls.c \
	host/preload/choice.c \
	host/preload/families.c \
	host/preload/lids.h \
	host/preload/posts.c \
	host/preload/symbols.c \
	host/preload/verbs.c \
	support/error.c \
	support/printable.c \
	support/scan.c
libheddle_lids_la_CFLAGS = $(HEDDLE_CFLAGS) $(HARDENING_CFLAGS) $(SANITIZER_FLAGS) $(FUZZER_FLAGS) $(COVERAGE_FLAGS) \
	$(IBVERBS_CFLAGS) -fvisibility=hidden
libheddle_lids_la_LIBADD = -ldl -lpthread
libheddle_lids_la_LDFLAGS = $(SANITIZER_FLAGS) $(COVERAGE_FLAGS) $(HARDENING_LDFLAGS) -module -avoid-version -shared
