// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What OpenSM 5.x may find in libosmheddle.so. osm_plugin.h says that a plug-in NAME has a symbol
 * NAME_version, and that OpenSM resolves symbols by name; which ones, it does not say. So the other
 * three are a guess, by the names and arguments of osm_plugin_load(), osm_plugin_unload() and
 * osm_opensm_report_event() (docs/opensm.md, "OpenSM 5.x").
 */
#include "opensm/plugin.h"

#include <opensm/osm_plugin.h>

#define EXPORTED __attribute__((visibility("default")))

extern EXPORTED const char *osmheddle_version;
EXPORTED void *osmheddle_load(struct osm_opensm *osm, void *context);
EXPORTED void osmheddle_unload(struct osm_opensm *osm, void *context);
EXPORTED void osmheddle_report(void *context, osm_epi_event_id_t event, void *data);

osm_declare_plugin(osmheddle)

	void *osmheddle_load(struct osm_opensm *osm, void *context)
{
	(void)context;
	return hd_osm_plugin_create(osm);
}

void osmheddle_unload(struct osm_opensm *osm, void *context)
{
	(void)osm;
	hd_osm_plugin_delete(context);
}

void osmheddle_report(void *context, osm_epi_event_id_t event, void *data)
{
	hd_osm_plugin_report(context, event, data);
}
