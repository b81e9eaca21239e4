// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/two_orders.h"

#include "engines/dimension_order.h"
#include "engines/targets.h"

#define TWO_LIDS 1 /* LMC */

int hd_two_orders_route(const struct hd_fabric *fabric, const struct hd_route_request *request,
			struct hd_routes *routes, struct hd_error *err)
{
	static const struct hd_dimension_order orders[] = {
		{ .dimension = { 0, 1, 2, 3, 4, 5 } },
		{ .dimension = { 1, 0, 2, 3, 4, 5 } },
	};
	static const struct hd_dimension_order line = { .dimension = { 0 } };
	struct hd_grid *grid;
	int ret = hd_dimension_order_grid(fabric, request->params, &grid, err);

	if (ret)
		return ret;
	ret = hd_route_targets_want_lmc(fabric, TWO_LIDS, err);
	if (ret) {
		hd_grid_free(grid);
		return ret;
	}
	if (grid->n_dimensions == 1)
		return hd_dimension_order_route(fabric, request->params, grid, &line, 1, routes,
						err);
	return hd_dimension_order_route(fabric, request->params, grid, orders, 2, routes, err);
}
