// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What OpenSM 3.3 finds in libosmheddle.so. It calls create() before it looks at routing_engine,
 * report() for events, and delete() after the engines' destroy().
 */
#include "opensm/plugin.h"

#include <opensm/osm_event_plugin.h>
#include <opensm/osm_version.h>

#if OSM_EVENT_PLUGIN_INTERFACE_VER != 2
#error "this OpenSM has another event plug-in interface than the one that heddle was written for"
#endif

/* The one symbol that OpenSM looks up; its version must be exactly that of the daemon. */
extern osm_event_plugin_t osm_event_plugin;

__attribute__((visibility("default"))) osm_event_plugin_t osm_event_plugin = {
	.osm_version = OSM_VERSION,
	.create = hd_osm_plugin_create,
	.delete = hd_osm_plugin_delete,
	.report = hd_osm_plugin_report,
};
