// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Dimension-order routing on meshes, tori and HyperX, and Hybrid-DOR on KNS, where the correction
 * of a dimension is one pass through the switch of a line (Yebenes et al., OSHA and SASHA, section
 * 2.2).
 */
#include <string.h>

#include "engines/ar_options.h"
#include "engines/dimension_order.h"
#include "engines/engines.h"
#include "engines/sets.h"
#include "support/error.h"

/* Reads an order such as "yx"; dimensions that it does not name follow, ascending. */
static int parse_order(const char *text, unsigned n_dimensions, struct hd_dimension_order *order,
		       struct hd_error *err)
{
	static const char names[] = "xyzuvw";
	bool named[HD_MAX_DIMENSIONS] = { false };
	unsigned n = 0;

	for (; text && *text; text++) {
		const char *name = strchr(names, *text);
		unsigned d = name ? (unsigned)(name - names) : HD_MAX_DIMENSIONS;

		if (d >= n_dimensions || named[d])
			return hd_error_set(err, HD_EINVAL,
					    "order: each of the dimensions '%.*s' of this grid at "
					    "most once",
					    (int)n_dimensions, names);
		named[d] = true;
		order->dimension[n++] = (uint8_t)d;
	}
	for (unsigned d = 0; d < n_dimensions; d++)
		if (!named[d])
			order->dimension[n++] = (uint8_t)d;
	return 0;
}

static int make_sets(const struct hd_fabric *fabric, const struct hd_dimension_order *order,
		     enum hd_ar_state state, struct hd_routes *routes, struct hd_error *err)
{
	struct hd_route_targets targets = { 0 };
	int ret = hd_ar_require_whole(routes, err);

	if (!ret)
		ret = hd_route_targets_list(fabric, &targets, err);
	if (!ret)
		ret = hd_negative_first_sets(&targets, routes->structure.grid, order->dimension,
					     state, routes->tables, err);
	hd_route_targets_free(&targets);
	return ret;
}

static int route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		 struct hd_routes *routes, struct hd_error *err)
{
	static const char *const words[] = { "no", "negative-first", NULL };
	struct hd_dimension_order order;
	struct hd_grid *grid;
	enum hd_ar_state state;
	unsigned choice;
	int ret = hd_ar_begin(request->params, words, &choice, &state, routes, err);

	if (!ret)
		ret = hd_dimension_order_grid(fabric, request->params, &grid, err);
	if (ret)
		return ret;
	ret = parse_order(hd_params_get(request->params, "order"), grid->n_dimensions, &order, err);
	if (ret) {
		hd_grid_free(grid);
		return ret;
	}
	ret = hd_dimension_order_route(fabric, request->params, grid, &order, 1, routes, err);
	if (!ret && choice)
		ret = make_sets(fabric, &order, state, routes, err);
	return ret;
}

static const struct hd_option options[] = {
	HD_GRID_OPTIONS,
	HD_AR_OPTIONS("negative-first: AR tables with all ports to lower coordinates that a packet "
		      "needs, then those to higher ones"),
	{ "order", NULL, "dimensions",
	  "order in which they are corrected, such as yx (default: xyzuvw)" },
	{ NULL, NULL, NULL, NULL },
};
static const char *const layer_rules[] = { "dateline", "flex", "single", NULL };

const struct hd_engine hd_engine_hdor = {
	.policy.name = "hdor",
	.policy.summary = "dimension order on meshes, tori, HyperX and KNS",
	.policy.reference = "Dally and Seitz (1987); Yebenes et al., OSHA and SASHA, section 2.2",
	.policy.options = options,
	.layer_rules = layer_rules,
	.any_sl = true,
	.route = route,
};
