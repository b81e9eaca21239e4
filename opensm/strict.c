// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/strict.h"

#include <stdio.h>
#include <string.h>

#include "opensm/logging.h"
#include "support/error.h"

int hd_osm_strict_refuse(struct hd_osm_plugin *plugin, const char *cause, struct hd_error *err)
{
	struct osm_opensm *osm = plugin->osm;

	if (!plugin->barred[0])
		plugin->was_no_fallback = osm->no_fallback_routing_engine;
	osm->no_fallback_routing_engine = TRUE;
	if (strncmp(plugin->barred, cause, sizeof(plugin->barred) - 1) != 0) {
		snprintf(plugin->barred, sizeof(plugin->barred), "%s", cause);
		hd_osm_log(osm, OSM_LOG_SYS | OSM_LOG_ERROR,
			   "ATTENTION: strict: %s: heddle's engines send no tables, and OpenSM "
			   "does not fall back to minhop: until this is fixed, switches keep their "
			   "tables and new links stay down. 'event_plugin_options strict=off' "
			   "routes without it",
			   cause);
	}
	return hd_error_set(err, HD_EREFUSED, "%s", cause);
}

int hd_osm_strict_check(struct hd_osm_plugin *plugin, struct hd_error *err)
{
	const struct hd_plugin_options *options = &plugin->options;
	char cause[sizeof(options->misread) + 64];

	if (!options->misread[0] || !hd_plugin_options_are_strict(options))
		return 0;
	snprintf(cause, sizeof(cause), "event_plugin_options: %s", options->misread);
	return hd_osm_strict_refuse(plugin, cause, err);
}

void hd_osm_strict_lift(struct hd_osm_plugin *plugin)
{
	if (!plugin->barred[0])
		return;
	plugin->osm->no_fallback_routing_engine = plugin->was_no_fallback;
	plugin->barred[0] = '\0';
}
