/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tables of before in which nodes have path SLs that are away now. When they come back, others still
 * send to them by the SLs that they asked for once, so these are theirs again (engines/stable_lanes.h).
 */
#ifndef HD_OPENSM_ABSENT_NODES_H
#define HD_OPENSM_ABSENT_NODES_H

#include "opensm/plugin.h"

/*
 * Tables of @chosen on @now are to follow those of the last sweep, which are kept as older
 * ones where they have nodes that are away now.
 */
void hd_osm_absent_nodes_take(struct hd_osm_engine *engine, const struct hd_fabric *now,
			      const struct hd_engine *chosen);
void hd_osm_absent_nodes_forget(struct hd_osm_engine *engine);

#endif
