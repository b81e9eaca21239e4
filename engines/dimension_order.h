/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Dimension-order routes on a grid, one order of dimensions for each LMC offset. The engines hdor,
 * osha and sasha share them. hdor may have an order of directions instead.
 */
#ifndef HD_ENGINES_DIMENSION_ORDER_H
#define HD_ENGINES_DIMENSION_ORDER_H

#include "engines/engine.h"

/* Options that these engines share, for their tables. */
#define HD_GRID_OPTIONS                                                                     \
	{ "coordinates", NULL, "file",                                                      \
	  "file of lines \"GUID X Y ...\" that overrides recognition" },                    \
	{                                                                                   \
		"ties", "split", "", "half-way around a ring: split (by destination) or up" \
	}

/*
 * The order of dimensions for the LIDs at one LMC offset. Or an order of directions, two for each
 * dimension: a packet takes the directions that it needs, by rank. An order of directions must be
 * the only order, on a grid without line switches.
 */
struct hd_dimension_order {
	uint8_t dimension[HD_MAX_DIMENSIONS];
	bool by_direction;
	uint8_t rank[HD_MAX_DIMENSIONS][2]; /* [dimension][0: down, 1: up] */
};

/* The grid of @fabric, by the option "coordinates" if it is set. As hd_grid_recognise(). */
int hd_dimension_order_grid(const struct hd_fabric *fabric, const struct hd_params *params,
			    struct hd_grid **grid, struct hd_error *err);

/*
 * Fills the LFTs of @routes by dimension order on @grid, which @routes then owns: LMC offset i by
 * @orders[i % @n_orders]. Packets take the shorter direction around rings, and pass lines of KNS
 * through their line switch; destinations use parallel links round robin. If the next hop is
 * missing, the entry stays HD_NO_PATH and the structure is marked as degraded. HD_EINVAL: an
 * option; HD_ENOMEM.
 *
 * Two kinds of packets have to turn from a dimension to an earlier one: packets from a line switch
 * whose path begins in another dimension than the switch's, and packets to a line switch. The
 * former turn at coordinate 0 of their line, the latter just before they arrive. Layer rules make
 * these turns safe (sl2vl/grid_classes.h).
 */
int hd_dimension_order_route(const struct hd_fabric *fabric, const struct hd_params *params,
			     struct hd_grid *grid, const struct hd_dimension_order *orders,
			     unsigned n_orders, struct hd_routes *routes, struct hd_error *err);

#endif
