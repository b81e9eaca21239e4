// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Valiant's algorithm over the groups of a dragonfly (Valiant, 1982; Kim et al., 2008), as static
 * multipathing: the first LID of a host is reached by minimal routes, every other one through an
 * intermediate group of its own. In the group of the destination, packets go to the destination; in
 * the intermediate group, to the destination's group; elsewhere, to the intermediate group. So
 * forwarding depends on the destination LID alone, and paths are at most local, global, local,
 * global, local. For sources in the intermediate group that is the minimal route.
 */
#include <stdlib.h>

#include "engines/engines.h"
#include "engines/group_routes.h"
#include "engines/group_vias.h"
#include "support/error.h"
#include "support/options.h"

static int refuse(const struct hd_dragonfly *dragonfly, struct hd_error *err)
{
	if (dragonfly->n_groups < 2)
		return hd_error_set(err, HD_EREFUSED, "there is no other group to go through");
	return hd_error_set(
		err, HD_EREFUSED,
		"hosts have one LID each, with minimal routes: set an LMC of 1 or more");
}

static int route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		 struct hd_routes *routes, struct hd_error *err)
{
	struct hd_dragonfly *dragonfly = NULL;
	struct hd_route_targets targets = { 0 };
	uint16_t *via = NULL;
	bool minimal, is_spread = false;
	int ret = hd_params_bool(request->params, "minimal", &minimal, err);

	if (!ret)
		ret = hd_group_routes_recognise(fabric, request->params, HD_GROUPS_FULL, &dragonfly,
						err);
	if (!ret)
		ret = hd_route_targets_list(fabric, &targets, err);
	if (!ret)
		ret = hd_group_vias_choose(fabric, &targets, dragonfly->group, dragonfly->n_groups,
					   minimal, &via, &is_spread, err);
	if (!ret && !is_spread)
		ret = refuse(dragonfly, err);
	if (!ret) {
		struct hd_group_ways ways = { .via = via };

		ret = hd_group_routes_fill(fabric, dragonfly, &targets, &ways, routes->tables, err);
	}
	if (!ret) {
		hd_structure_take_groups(&routes->structure, dragonfly);
		routes->structure.via = via;
		via = NULL;
	}
	free(via);
	hd_route_targets_free(&targets);
	hd_dragonfly_free(dragonfly);
	return ret;
}

static const struct hd_option options[] = {
	HD_GROUPS_OPTION,
	{ "minimal", "on", "",
	  "whether the first LID of a host has minimal routes; off: routes through another group" },
	{ NULL, NULL, NULL, NULL },
};
static const char *const layer_rules[] = { "valiant", "flex", NULL };

const struct hd_engine hd_engine_dfval = {
	.policy.name = "dfval",
	.policy.summary =
		"Valiant's routes over the groups of a dragonfly, one for each LID of a host: "
		"8 or 10 SLs, 6 VLs",
	.policy.reference = "Valiant (1982); Kim and Dally (2008); Fuentes, thesis, section 1.4.1",
	.policy.options = options,
	.layer_rules = layer_rules,
	.lmc = 4,
	.host_policy = "roundrobin",
	.scheduler = "vlarb",
	.route = route,
};
