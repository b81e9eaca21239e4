/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Port sets that topologies allow, in addition to finished LFTs (tables/ar.h). */
#ifndef HD_ENGINES_SETS_H
#define HD_ENGINES_SETS_H

#include "engines/targets.h"
#include "tables/ar.h"
#include "topologies/structure.h"

/*
 * For dragonflies with several links between two groups. A switch that owns links to a LID's group
 * may use any of these. Another switch may use any of its links to the switch that the LFT leads
 * to, or, with @any_owner, to all owners of its group. Paths stay local, global, local. HD_ENOMEM.
 */
int hd_group_sets(const struct hd_route_targets *targets, const struct hd_structure *structure,
		  enum hd_ar_state state, bool any_owner, struct hd_tables *tables,
		  struct hd_error *err);

/*
 * For grids without rings; `sets` of @structure says which sets. Port sets of line switches (KNS)
 * lead to the point of their line that has the destination's coordinate. If the LFT's port is not
 * in the set, the entry becomes the first port of the set in @order.
 *
 * Negative-first (Glass and Ni, The Turn Model for Adaptive Routing, ISCA 1992, for meshes; HyperX
 * has longer links of the same directions): packets first correct all coordinates that have to
 * fall, in any order, and then those that have to rise. The sum of coordinates falls with every
 * hop, then rises with every hop, so packets take links in one order. A link of a line switch
 * serves both directions; falling packets have a layer of their own there (sl2vl/set_classes.h). If
 * parts of a mesh or a HyperX are missing, paths may be longer: a packet rises, by the shortest
 * such path, from a point from which it can arrive by rising alone; elsewhere it falls towards the
 * point with the shortest rest.
 *
 * Minimal: every port that leads nearer; layers make this sound. Only for intact topologies.
 *
 * HD_EREFUSED: a dimension is a ring, or missing parts leave no such path, with the switch and the
 * port; HD_ENOMEM.
 */
int hd_grid_sets_make(const struct hd_route_targets *targets, const struct hd_structure *structure,
		      const uint8_t *order, enum hd_ar_state state, struct hd_tables *tables,
		      struct hd_error *err);

#endif
