# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The OpenSM plug-in. opensm loads it by name (event_plugin_name osmheddle), so it has no version in
# its name. osm_switch_...() and the like are the daemon's own: left undefined until it loads us.

if WITH_OPENSM
lib_LTLIBRARIES += libosmheddle.la
endif

libosmheddle_la_SOURCES = \
	opensm/ahead.c opensm/ahead.h \
	opensm/blocks.c opensm/blocks.h \
	opensm/classes.c \
	opensm/clock.c opensm/clock.h \
	opensm/confirm.c opensm/confirm.h \
	opensm/dump.c \
	opensm/engine.c \
	opensm/held.c opensm/held.h \
	opensm/hops.c \
	opensm/lanes.c \
	opensm/late.c opensm/late.h \
	opensm/lfts.c opensm/lfts.h \
	opensm/resweep.c opensm/resweep.h \
	opensm/same.c \
	opensm/multicast.c \
	opensm/older.c \
	opensm/options.c opensm/options.h \
	opensm/patience.c opensm/patience.h \
	opensm/plugin.c opensm/plugin.h \
	opensm/silent.c opensm/silent.h \
	opensm/site_lanes.c \
	opensm/site_qos.c \
	opensm/strict.c \
	opensm/subnet.c \
	opensm/transition.c opensm/transition.h
libosmheddle_la_CPPFLAGS = $(AM_CPPFLAGS) $(OPENSM_CPPFLAGS)
libosmheddle_la_LIBADD = libheddle.la $(OPENSM_LIBS)
# nodelete: OpenMP's threads outlive a dlclose()
libosmheddle_la_LDFLAGS = $(module_ldflags) -module -avoid-version -shared \
	-export-symbols-regex '^osm_event_plugin$$' -Wl,-z,nodelete
EXTRA_DIST += docs/opensm.md
