// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Shortest paths, balanced: every switch sends each destination to the least used of the ports that
 * lead closer to it. Nothing is done about credit loops.
 */
#include "engines/minhop_routes.h"

#include <stdlib.h>

#include "engines/candidates.h"
#include "fabric/distances.h"
#include "support/error.h"

/* For every other switch, the ports of @s whose far end is nearer to it. */
static void list_candidates(const void *context, uint32_t s, struct hd_candidates *candidates)
{
	const uint8_t *distances = context;
	const uint32_t n = candidates->fabric->n_switches;
	const uint8_t *mine = distances + (size_t)s * n;

	hd_candidates_begin(candidates, s);
	for (unsigned i = 0; i < candidates->n_ports; i++) {
		uint8_t port = candidates->ports[i];
		const uint8_t *theirs =
			distances + (size_t)hd_peer_node(candidates->fabric, s, port) * n;

		for (uint32_t to = 0; to < n; to++)
			hd_candidates_add(candidates, to, port, theirs[to] < mine[to]);
	}
}

int hd_minhop_fill(const struct hd_fabric *fabric, enum hd_ar_state state, struct hd_routes *routes,
		   struct hd_error *err)
{
	struct hd_route_targets targets;
	uint8_t *distances = NULL;
	int ret = hd_route_targets_list(fabric, &targets, err);

	if (!ret)
		ret = hd_switch_distances(fabric, &distances, err);
	if (!ret)
		ret = hd_candidates_fill(fabric, &targets, list_candidates, distances, NULL, state,
					 routes->tables, err);
	hd_route_targets_free(&targets);
	free(distances);
	return ret;
}

int hd_minhop_route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		    struct hd_routes *routes, struct hd_error *err)
{
	(void)request;
	return hd_minhop_fill(fabric, HD_AR_STATIC, routes, err);
}
