// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/hops.h"

#include <stdlib.h>

#include "fabric/distances.h"
#include "opensm/logging.h"
#include "opensm/subnet.h"
#include "support/error.h"

/* What all switches share. */
struct hops {
	const struct hd_fabric *fabric;
	uint8_t *distances;
	uint16_t *lids; /* of switches; 0: none */
};

/* Sets the hops from @sw, switch @s of the fabric, to every switch. False: out of memory. */
static bool set_switch(const struct hops *hops, uint32_t s, osm_switch_t *sw)
{
	const uint32_t n = hops->fabric->n_switches;
	cl_status_t status = CL_SUCCESS;
	struct hd_exits exits;

	hd_exits_find(hops->fabric, hops->distances, s, &exits);
	if (hops->lids[s])
		status |= osm_switch_set_hops(sw, hops->lids[s], 0, 0);
	/* rows of 64 switches stay in the cache while the exits take turns */
	for (uint32_t first = 0; first < n; first += 64)
		for (unsigned i = 0; i < exits.n; i++)
			for (uint64_t left = hd_exits_nearer(&exits, i, first); left;
			     left &= left - 1) {
				const uint32_t d = first + (uint32_t)__builtin_ctzll(left);

				if (hops->lids[d] && exits.mine[d] != HD_UNREACHABLE)
					status |= osm_switch_set_hops(sw, hops->lids[d],
								      exits.port[i], exits.mine[d]);
			}
	return status == CL_SUCCESS;
}

/* False: out of memory. */
static bool prepare(struct hops *hops)
{
	const struct hd_fabric *fabric = hops->fabric;
	struct hd_error err;

	hops->lids = malloc((fabric->n_switches + (size_t)1) * sizeof(*hops->lids));
	if (!hops->lids || hd_switch_distances(fabric, &hops->distances, &err))
		return false;
	hd_for_each_switch(s, fabric)
		hops->lids[s] = fabric->ports[hd_port_index(fabric, s, 0)].lid;
	return true;
}

static bool set_all(struct osm_opensm *osm, const struct hd_fabric *fabric)
{
	struct hops hops = { .fabric = fabric };
	bool is_set = prepare(&hops);

	if (is_set)
		hd_osm_for_each_switch(sw, osm) {
			const uint32_t s = hd_osm_find_index(fabric, sw->p_node);

			is_set &= s == HD_NONE || set_switch(&hops, s, sw);
		}
	free(hops.distances);
	free(hops.lids);
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
