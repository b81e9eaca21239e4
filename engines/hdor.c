// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Dimension-order routing on meshes, tori and HyperX, and Hybrid-DOR on KNS, where the correction
 * of a dimension is one pass through the switch of a line (Yebenes et al., OSHA and SASHA, section
 * 2.2). Or direction order: what is corrected first are not dimensions but directions, in any
 * order.
 *
 * Direction order needs no more lanes than dimension order. A packet needs one direction of each
 * dimension, and turns only from a direction to one that comes later in the list; the links of
 * a direction are no other direction's. So channels are ordered by direction, and within a
 * direction a mesh's by coordinate, a HyperX's not at all, a ring's by its two layers. The links of
 * a line switch (KNS) are of both directions, which therefore may close a circle; there are no such
 * lists.
 */
#include <string.h>

#include "engines/ar_options.h"
#include "engines/dimension_order.h"
#include "engines/engines.h"
#include "engines/sets.h"
#include "support/error.h"

static const char names[] = "xyzuvw";

/* The dimension that is called @name; HD_MAX_DIMENSIONS: none is. */
static unsigned dimension_named(char name)
{
	const char *at = name ? strchr(names, name) : NULL;

	return at ? (unsigned)(at - names) : HD_MAX_DIMENSIONS;
}

/* Reads an order such as "yx"; dimensions that it does not name follow, ascending. */
static int parse_dimensions(const char *text, unsigned n_dimensions,
			    struct hd_dimension_order *order, struct hd_error *err)
{
	bool named[HD_MAX_DIMENSIONS] = { false };
	unsigned n = 0;

	for (; text && *text; text++) {
		unsigned d = dimension_named(*text);

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

/* Reads an order of directions such as "x+y+x-y-", which names all. */
static int parse_directions(const char *text, const struct hd_grid *grid,
			    struct hd_dimension_order *order, struct hd_error *err)
{
	bool named[HD_MAX_DIMENSIONS][2] = { { false } };

	for (unsigned n = 0; text[n]; n += 2) {
		unsigned d = dimension_named(text[n]);
		bool up = text[n + 1] == '+';

		if (d >= grid->n_dimensions)
			return hd_error_set(err, HD_EINVAL,
					    "order: '%c' is none of the dimensions '%.*s' of this "
					    "grid",
					    text[n], (int)grid->n_dimensions, names);
		if (!up && text[n + 1] != '-')
			return hd_error_set(err, HD_EINVAL,
					    "order: expected + or - behind '%.*s': an order is of "
					    "dimensions or of directions",
					    (int)n + 1, text);
		if (named[d][up])
			return hd_error_set(err, HD_EINVAL, "order: %c%c is there twice", text[n],
					    text[n + 1]);
		named[d][up] = true;
		order->rank[d][up] = (uint8_t)(n / 2);
	}
	for (unsigned d = 0; d < grid->n_dimensions; d++) {
		if (!named[d][0] || !named[d][1])
			return hd_error_set(err, HD_EINVAL, "order: %c%c is missing", names[d],
					    named[d][1] ? '-' : '+');
		if (grid->kind[d] == HD_GRID_SWITCHED)
			return hd_error_set(
				err, HD_EREFUSED,
				"order: both directions of %c share the links of line "
				"switches (KNS): only an order of dimensions is free of "
				"circles there",
				names[d]);
		order->dimension[d] = (uint8_t)d;
	}
	order->by_direction = true;
	return 0;
}

static int parse_order(const struct hd_params *params, const struct hd_grid *grid, bool sets,
		       struct hd_dimension_order *order, struct hd_error *err)
{
	const char *text = hd_params_get(params, "order");

	*order = (struct hd_dimension_order){ .by_direction = false };
	if (!text || !strpbrk(text, "+-"))
		return parse_dimensions(text, grid->n_dimensions, order, err);
	if (sets)
		return hd_error_set(
			err, HD_EINVAL,
			"order: port sets need an order of dimensions, not of directions");
	return parse_directions(text, grid, order, err);
}

static int make_sets(const struct hd_fabric *fabric, const struct hd_dimension_order *order,
		     enum hd_ar_state state, struct hd_routes *routes, struct hd_error *err)
{
	struct hd_route_targets targets = { 0 };
	int ret = hd_route_targets_list(fabric, &targets, err);

	if (!ret)
		ret = hd_grid_sets_make(&targets, &routes->structure, order->dimension, state,
					routes->tables, err);
	hd_route_targets_free(&targets);
	return ret;
}

static int route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		 struct hd_routes *routes, struct hd_error *err)
{
	static const char *const words[] = { "no", "negative-first", "minimal", NULL };
	struct hd_dimension_order order;
	struct hd_grid *grid;
	enum hd_ar_state state;
	unsigned choice;
	int ret = hd_ar_begin(request->params, words, &choice, &state, routes, err);

	if (!ret)
		ret = hd_dimension_order_grid(fabric, request->params, &grid, err);
	if (ret)
		return ret;
	ret = parse_order(request->params, grid, choice, &order, err);
	if (ret) {
		hd_grid_free(grid);
		return ret;
	}
	ret = hd_dimension_order_route(fabric, request->params, grid, &order, 1, routes, err);
	routes->structure.sets = (enum hd_grid_sets)choice;
	if (!ret && choice)
		ret = make_sets(fabric, &order, state, routes, err);
	return ret;
}

static const struct hd_option options[] = {
	HD_GRID_OPTIONS,
	HD_AR_OPTIONS("AR tables: negative-first, with all ports to lower coordinates that a "
		      "packet needs, then all ports to higher ones; or minimal, with all ports "
		      "that lead nearer, on layers by direction"),
	{ "order", NULL, "dimensions|directions",
	  "order of dimensions, such as yx (default: xyzuvw), or of directions, such as x+y+x-y-" },
	{ NULL, NULL, NULL, NULL },
};
static const char *const layer_rules[] = { "dateline", "flex", "single", NULL };

const struct hd_engine hd_engine_hdor = {
	.policy.name = "hdor",
	.policy.summary = "dimension order on meshes, tori, HyperX and KNS",
	.policy.reference = "Dally and Seitz (1987); Yebenes et al., OSHA and SASHA, section 2.2",
	.policy.options = options,
	.layer_rules = layer_rules,
	.loops_with = "single",
	.any_sl = true,
	.route = route,
};
