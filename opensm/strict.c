// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/strict.h"

#include <stdio.h>
#include <string.h>

#include "opensm/logging.h"
#include "opensm/sm.h"
#include "support/error.h"

int hd_osm_strict_refuse(struct hd_osm_plugin *plugin, const char *what, const char *cause,
			 struct hd_error *err)
{
	struct osm_opensm *osm = plugin->osm;
	char text[sizeof(plugin->barred)];

	snprintf(text, sizeof(text), "%s: %s", what, cause);

	if (!plugin->barred[0])
		plugin->was_no_fallback = *hd_sm_no_fallback(osm);
	*hd_sm_no_fallback(osm) = TRUE;
	if (strcmp(plugin->barred, text) != 0) {
		snprintf(plugin->barred, sizeof(plugin->barred), "%s", text);
		hd_osm_log(osm, OSM_LOG_SYS | OSM_LOG_ERROR,
			   "ATTENTION: strict: %s: heddle's engines send no tables, and OpenSM "
			   "does not fall back to minhop: until this is fixed, switches keep their "
			   "tables and new links stay down. 'event_plugin_options strict=off' "
			   "routes without it",
			   text);
	}
	return hd_error_set(err, HD_EREFUSED, "%s", text);
}

int hd_osm_strict_check(struct hd_osm_plugin *plugin, struct hd_error *err)
{
	const struct hd_plugin_options *options = &plugin->options;

	if (!options->misread[0] || !hd_plugin_options_are_strict(options))
		return 0;
	return hd_osm_strict_refuse(plugin, "event_plugin_options", options->misread, err);
}

void hd_osm_strict_lift(struct hd_osm_plugin *plugin)
{
	if (!plugin->barred[0])
		return;
	*hd_sm_no_fallback(plugin->osm) = plugin->was_no_fallback;
	plugin->barred[0] = '\0';
}
