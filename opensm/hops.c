// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/hops.h"

#include <stdlib.h>

#include "fabric/distances.h"
#include "opensm/logging.h"
#include "opensm/subnet.h"
#include "support/error.h"

/* Sets the hops from @sw, switch @s of the fabric, to every switch. */
static int set_switch(const struct hd_fabric *fabric, const uint8_t *distances, uint32_t s,
		      osm_switch_t *sw, struct hd_error *err)
{
	const uint8_t *mine = distances + (size_t)s * fabric->n_switches;
	struct hd_exits exits;

	hd_exits_find(fabric, distances, s, &exits);
	hd_for_each_switch(d, fabric) {
		uint16_t lid = fabric->ports[hd_port_index(fabric, d, 0)].lid;
		cl_status_t status = CL_SUCCESS;

		if (!lid || mine[d] == HD_UNREACHABLE)
			continue;
		if (d == s)
			status = osm_switch_set_hops(sw, lid, 0, 0);
		for (unsigned i = 0; i < exits.n && d != s && status == CL_SUCCESS; i++)
			if (exits.distance[i][d] == mine[d] - 1)
				status = osm_switch_set_hops(sw, lid, exits.port[i], mine[d]);
		if (status != CL_SUCCESS)
			return hd_error_nomem(err);
	}
	return 0;
}

static int set_all(struct osm_opensm *osm, const struct hd_fabric *fabric, struct hd_error *err)
{
	uint8_t *distances;
	int ret = hd_switch_distances(fabric, &distances, err);

	if (ret)
		return ret;
	hd_osm_for_each_switch(sw, osm) {
		const uint32_t s = hd_osm_find_switch(fabric, sw);

		if (!ret && s != HD_NONE)
			ret = set_switch(fabric, distances, s, sw, err);
	}
	free(distances);
	return ret;
}

void hd_osm_hops_give(struct hd_osm_engine *engine)
{
	struct osm_opensm *osm = engine->plugin->osm;
	struct hd_error err = { 0 };

	if (!engine->lacks_hops)
		return;
	engine->lacks_hops = false;
	cl_plock_excl_acquire(&osm->lock);
	if (set_all(osm, engine->handout.wanted.fabric, &err))
		hd_osm_engine_log(engine, OSM_LOG_ERROR,
				  "no hop counts, so no new multicast trees: %s", err.text);
	cl_plock_release(&osm->lock);
}
