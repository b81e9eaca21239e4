// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * D3R: minimal routes on a dragonfly whose groups are linked inside in any way, and pairwise to one
 * another (described by Maglione-Mathey et al., DLA in OpenSM, sections 2.3 and 5): the best way to
 * the global link, that link, and the best way to the destination's switch. With layer rule `order`
 * two VLs suffice as long as routes inside a group make no cycle. Where several links join two
 * groups that are fully connected inside, some paths are other ones (engines/group_even.h).
 *
 * Layer rule `shift` needs one local link at most before and after the global one. Where groups are
 * fully connected, routes with it are those of dla.
 */
#include <stdlib.h>
#include <string.h>

#include "engines/engines.h"
#include "engines/group_even.h"
#include "engines/group_paths.h"
#include "engines/group_routes.h"
#include "support/error.h"

static bool has_layers(const struct hd_route_request *request, const char *name)
{
	return request->layers && strcmp(request->layers, name) == 0;
}

static int refuse_shift(const struct hd_fabric *fabric, const struct hd_dragonfly *d,
			struct hd_error *err)
{
	return hd_error_set(err, HD_EREFUSED,
			    "layer rule 'shift' needs groups that are fully connected: no link "
			    "between %.64s and %.64s (%u such pairs in all); 'order' does not",
			    hd_node_name(fabric, d->missing_local[0]),
			    hd_node_name(fabric, d->missing_local[1]), d->n_missing_local);
}

/* Other ways than local-global-local, for which layers by stages of a way are made. */
static int even_out(const struct hd_dragonfly *dragonfly, const struct hd_route_targets *targets,
		    const struct hd_route_request *request, struct hd_routes *routes,
		    bool *has_relays, struct hd_error *err)
{
	const enum hd_group_lanes lanes =
		has_layers(request, "shift") ? HD_GROUP_LANES_SHIFT : HD_GROUP_LANES_ORDER;

	if (!dragonfly->is_full || has_layers(request, "flex"))
		return 0;
	return hd_group_even_out(dragonfly, targets, lanes, routes->tables, has_relays, err);
}

static int route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		 struct hd_routes *routes, struct hd_error *err)
{
	struct hd_dragonfly *dragonfly = NULL;
	struct hd_route_targets targets = { 0 };
	const bool is_shift = has_layers(request, "shift");
	uint8_t *local = NULL;
	bool has_relays = false;
	int ret =
		hd_group_routes_recognise(fabric, request->params, HD_GROUPS_ANY, &dragonfly, err);

	if (!ret && is_shift && !dragonfly->is_full)
		ret = refuse_shift(fabric, dragonfly, err);
	if (!ret && !is_shift)
		ret = hd_group_paths_find(fabric, dragonfly, &local, err);
	if (!ret)
		ret = hd_route_targets_list(fabric, &targets, err);
	if (!ret) {
		struct hd_group_ways ways = { .local = local };

		ret = hd_group_routes_fill(fabric, dragonfly, &targets, &ways, routes->tables, err);
	}
	if (!ret)
		ret = even_out(dragonfly, &targets, request, routes, &has_relays, err);
	if (!ret) {
		/* ways inside groups are complete even where links are missing */
		bool is_degraded = dragonfly->n_missing_global;

		hd_structure_take_groups(&routes->structure, dragonfly);
		if (!is_shift)
			routes->structure.is_degraded = is_degraded;
		routes->structure.has_relays = has_relays;
	}
	free(local);
	hd_route_targets_free(&targets);
	hd_dragonfly_free(dragonfly);
	return ret;
}

static const struct hd_option options[] = {
	HD_GROUPS_OPTION,
	{ NULL, NULL, NULL, NULL },
};
static const char *const layer_rules[] = { "order", "order3", "shift", "flex", NULL };

const struct hd_engine hd_engine_d3r = {
	.policy.name = "d3r",
	.policy.summary = "minimal routes on a dragonfly with groups of any pattern: 2 SLs, 2 VLs",
	.policy.reference =
		"D3R, as Maglione-Mathey et al., DLA in OpenSM, sections 2.3 and 5, describe it",
	.policy.options = options,
	.layer_rules = layer_rules,
	.route = route,
};
