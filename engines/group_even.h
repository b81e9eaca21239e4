/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Evens out the links of a dragonfly where several global links join two groups: what the rule of
 * hd_group_routes_fill() leaves uneven there, since owners take turns over links without a look at
 * where these end.
 */
#ifndef HD_ENGINES_GROUP_EVEN_H
#define HD_ENGINES_GROUP_EVEN_H

#include "engines/targets.h"
#include "tables/tables.h"
#include "topologies/dragonfly.h"

struct hd_error;

/* The lanes that ways must suit. */
enum hd_group_lanes {
	HD_GROUP_LANES_SHIFT, /* a packet's first link in one layer, all others in the next */
	HD_GROUP_LANES_ORDER, /* by flow: groups in ascending or in descending order */
};

/*
 * Where several links join some two groups (@has_relays), moves entries of @tables, which
 * hd_group_routes_fill() filled with the shortest ways. Ways that move have at most three links and,
 * together with those that do not, no cycle with @lanes. Entries that lead nowhere get such a way,
 * too, if there is one. Flows are those of all pairs of end ports; the LIDs of each LMC offset are
 * evened out by themselves, and no link gets busier than the busiest was. Deterministic. HD_ENOMEM.
 */
int hd_group_even_out(const struct hd_dragonfly *dragonfly, const struct hd_route_targets *targets,
		      enum hd_group_lanes lanes, struct hd_tables *tables, bool *has_relays,
		      struct hd_error *err);

#endif
