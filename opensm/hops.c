// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/hops.h"

#include <stdlib.h>

#include "fabric/distances.h"
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
			return hd_error_set(err, HD_ENOMEM,
					    "OpenSM takes no hop count for LID %u at '%s'", lid,
					    hd_node_name(fabric, s));
	}
	return 0;
}

int hd_osm_hops_set(struct osm_opensm *osm, const struct hd_fabric *fabric, struct hd_error *err)
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

void hd_osm_hops_clear(struct osm_opensm *osm)
{
	hd_osm_for_each_switch(sw, osm)
		osm_switch_clear_hops(sw);
}
