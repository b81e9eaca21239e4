// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/hops.h"

#include <stdlib.h>

#include "fabric/distances.h"
#include "opensm/logging.h"
#include "opensm/subnet.h"
#include "support/error.h"

/* Sets the hops from @sw, switch @s of the fabric, to every switch. False: out of memory. */
static bool set_switch(const struct hd_fabric *fabric, const uint8_t *distances, uint32_t s,
		       osm_switch_t *sw)
{
	const uint8_t *mine = distances + (size_t)s * fabric->n_switches;
	cl_status_t status = CL_SUCCESS;
	struct hd_exits exits;

	hd_exits_find(fabric, distances, s, &exits);
	hd_for_each_switch(d, fabric) {
		const uint16_t lid = fabric->ports[hd_port_index(fabric, d, 0)].lid;

		if (!lid || mine[d] == HD_UNREACHABLE)
			continue;
		if (d == s)
			status |= osm_switch_set_hops(sw, lid, 0, 0);
		for (unsigned i = 0; i < exits.n && d != s; i++)
			if (exits.distance[i][d] == mine[d] - 1)
				status |= osm_switch_set_hops(sw, lid, exits.port[i], mine[d]);
	}
	return status == CL_SUCCESS;
}

static bool set_all(struct osm_opensm *osm, const struct hd_fabric *fabric)
{
	struct hd_error err;
	uint8_t *distances;
	bool is_set = true;

	if (hd_switch_distances(fabric, &distances, &err))
		return false;
	hd_osm_for_each_switch(sw, osm) {
		const uint32_t s = hd_osm_find_index(fabric, sw->p_node);

		is_set &= s == HD_NONE || set_switch(fabric, distances, s, sw);
	}
	free(distances);
	return is_set;
}

void hd_osm_hops_give(struct hd_osm_engine *engine)
{
	struct osm_opensm *osm = engine->plugin->osm;

	if (!engine->lacks_hops)
		return;
	engine->lacks_hops = false;
	cl_plock_excl_acquire(&osm->lock);
	if (!set_all(osm, engine->handout.wanted.fabric))
		hd_osm_engine_log(engine, OSM_LOG_ERROR,
				  "no hop counts, so no new multicast trees: out of memory");
	cl_plock_release(&osm->lock);
}
