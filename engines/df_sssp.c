// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * SSSP routing (Hoefler, Schneider and Lumsdaine, 2009): shortest paths, balanced over the whole
 * fabric (engines/light_paths.h). The longest path is as long as the fabric is wide, which is what
 * layer rule `hop` needs a VL for.
 */
#include <stdlib.h>

#include "engines/engines.h"
#include "engines/light_paths.h"
#include "fabric/distances.h"

static int route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		 struct hd_routes *routes, struct hd_error *err)
{
	struct hd_light_paths paths;
	struct hd_route_targets targets = { 0 };
	uint8_t *distances = NULL;
	int ret = hd_light_paths_init(&paths, fabric, err);

	if (!ret)
		ret = hd_route_targets_list(fabric, &targets, err);
	if (!ret)
		ret = hd_switch_distances(fabric, &distances, err);
	for (unsigned pass = 0; !ret && pass < targets.n_passes; pass++)
		ret = hd_light_paths_route_pass(&paths, distances, &targets, pass, false,
						routes->tables, err);
	hd_route_targets_free(&targets);
	free(distances);
	hd_light_paths_clear(&paths);
	return ret;
}

static const struct hd_option options[] = { { NULL, NULL, NULL, NULL } };
static const char *const layer_rules[] = { "hop", "flex", "layered", NULL };

const struct hd_engine hd_engine_df_sssp = {
	.policy.name = "df-sssp",
	.policy.summary =
		"shortest paths balanced over the whole fabric, with a layer for every hop",
	.policy.reference =
		"Hoefler, Schneider and Lumsdaine (2009); DF-DN: Schneider, Bibartiu and Hoefler "
		"(2016)",
	.policy.options = options,
	.layer_rules = layer_rules,
	.route = route,
};
