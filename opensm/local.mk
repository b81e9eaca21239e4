# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The OpenSM plug-in. opensm loads it by name (event_plugin_name osmheddle), so it has no version in
# its name. osm_switch_...() and the like are the daemon's own: left undefined until it loads us.

if WITH_OPENSM
module_PROGRAMS += libosmheddle.so
endif

# what differs among subnet managers (opensm/sm.h)
opensm_3_3 = opensm/module_3_3.c opensm/port_sets_3_3.c opensm/sm_3_3.c
opensm_5 = opensm/module_5.c opensm/port_sets_5.c opensm/sm_5.c

libosmheddle_so_SOURCES = \
	opensm/ahead.c opensm/ahead.h \
	opensm/alarm.c opensm/alarm.h \
	opensm/arbitration.c opensm/arbitration.h \
	opensm/callbacks.c opensm/callbacks.h \
	opensm/confirm.c opensm/confirm.h \
	opensm/held_links.c opensm/held_links.h \
	opensm/hops.c opensm/hops.h \
	opensm/lane_callbacks.c opensm/lane_callbacks.h \
	opensm/lfts.c opensm/lfts.h \
	opensm/logging.c opensm/logging.h \
	opensm/multicast_proof.c opensm/multicast_proof.h \
	opensm/osm.h \
	opensm/plugin.c opensm/plugin.h \
	opensm/programmed.c opensm/programmed.h \
	opensm/read_back.c opensm/read_back.h \
	opensm/resweep.c opensm/resweep.h \
	opensm/rows.c opensm/rows.h \
	opensm/site_classes.c opensm/site_classes.h \
	opensm/site_qos.c opensm/site_qos.h \
	opensm/port_sets.h opensm/sm.h \
	opensm/smps.c opensm/smps.h \
	opensm/status.c opensm/status.h \
	opensm/strict.c opensm/strict.h \
	opensm/subnet.c opensm/subnet.h \
	opensm/transition.c opensm/transition.h \
	opensm/unanswered.c opensm/unanswered.h \
	opensm/waiting.c opensm/waiting.h
if OPENSM_5
libosmheddle_so_SOURCES += $(opensm_5)
else
libosmheddle_so_SOURCES += $(opensm_3_3)
endif
EXTRA_DIST += $(opensm_3_3) $(opensm_5)
libosmheddle_so_CPPFLAGS = $(AM_CPPFLAGS) $(OPENSM_CPPFLAGS)
libosmheddle_so_LDADD = $(heddle_libs) $(OPENSM_LIBS)
# nodelete: OpenMP's threads outlive a dlclose()
libosmheddle_so_LDFLAGS = $(module_ldflags) -Wl,-z,nodelete -Wl,--version-script=$(srcdir)/opensm/plugin.map
EXTRA_libosmheddle_so_DEPENDENCIES = opensm/plugin.map
EXTRA_DIST += opensm/plugin.map docs/opensm.md
