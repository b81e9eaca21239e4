// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/status.h"

#include "manager/status_file.h"
#include "opensm/logging.h"
#include "opensm/sm.h"
#include "support/clock.h"
#include "support/error.h"

void hd_osm_status_write(struct hd_osm_plugin *plugin, const struct hd_osm_engine *engine)
{
	const struct osm_routing_engine *used = hd_sm_used(plugin->osm);
	const struct hd_engine *chosen = engine ? engine->handout.wanted.chosen : NULL;
	const struct hd_status status = {
		.engine = engine ? engine->name
			  : used ? hd_sm_name(used)
				 : "none",
		.routes = chosen && chosen != engine->engine ? chosen->policy.name : NULL,
		.is_confirmed = plugin->is_confirmed,
		.rollout = &plugin->transition.rollout,
		.now = hd_seconds(),
	};
	struct hd_error err;
	int ret;

	if (!plugin->options.status)
		return;
	ret = hd_status_write(plugin->options.status, &status, &err);
	/* once: the directory is not there, as a rule */
	if (ret && !plugin->has_no_status)
		hd_osm_log(plugin->osm, OSM_LOG_ERROR, "status: %s", err.text);
	plugin->has_no_status = ret;
}
