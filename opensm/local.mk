# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The OpenSM plug-in. opensm loads it by name (event_plugin_name osmheddle), so it has no version in
# its name. osm_switch_...() and the like are the daemon's own: left undefined until it loads us.

if WITH_OPENSM
module_PROGRAMS += libosmheddle.so
endif

libosmheddle_so_SOURCES = \
	opensm/ahead.c opensm/ahead.h \
	opensm/alarm.c opensm/alarm.h \
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
libosmheddle_so_CPPFLAGS = $(AM_CPPFLAGS) $(OPENSM_CPPFLAGS)
libosmheddle_so_LDADD = $(heddle_libs) $(OPENSM_LIBS)
# nodelete: OpenMP's threads outlive a dlclose()
libosmheddle_so_LDFLAGS = $(module_ldflags) -Wl,-z,nodelete -Wl,--version-script=$(srcdir)/opensm/plugin.map
EXTRA_libosmheddle_so_DEPENDENCIES = opensm/plugin.map
EXTRA_DIST += opensm/plugin.map docs/opensm.md
