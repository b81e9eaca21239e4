/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Evens out the links of a dragonfly in which several global links join two groups. The rule of
 * hd_group_routes_fill() leaves them uneven, because switches use their links round robin and do
 * not look at where these end.
 */
#ifndef HD_ENGINES_GROUP_EVEN_H
#define HD_ENGINES_GROUP_EVEN_H

#include "engines/targets.h"
#include "tables/tables.h"
#include "topologies/dragonfly.h"

struct hd_error;

/* The layers that paths must fit. */
enum hd_group_lanes {
	HD_GROUP_LANES_SHIFT, /* a packet's first link in one layer, all others in the next */
	HD_GROUP_LANES_ORDER, /* by flow: a layer for groups in ascending order, one for descending
				 order */
};

/*
 * If several links join some two groups (@has_relays), moves entries of @tables, which
 * hd_group_routes_fill() filled with shortest paths. A path that moves has at most three links. All
 * paths together have no cycle with @lanes. Entries that lead nowhere get such a path, too, if
 * there is one. Flows are those of all pairs of end ports; the LIDs of each LMC offset are evened
 * out separately, and no link gets busier than the busiest was. Deterministic. HD_ENOMEM.
 */
int hd_group_even_out(const struct hd_dragonfly *dragonfly, const struct hd_route_targets *targets,
		      enum hd_group_lanes lanes, struct hd_tables *tables, bool *has_relays,
		      struct hd_error *err);

#endif
