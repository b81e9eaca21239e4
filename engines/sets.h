/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sets of ports beside LFTs that are there already (tables/ar.h): what shapes allow. */
#ifndef HD_ENGINES_SETS_H
#define HD_ENGINES_SETS_H

#include "engines/targets.h"
#include "tables/ar.h"
#include "topologies/structure.h"

/*
 * For dragonflies with several links between two groups. A switch that owns links to a LID's group
 * may use any of its own; one that does not, any of its links to the switch that the LFT leads to,
 * or, with @any_owner, to all switches of its group that own some. Routes stay local, global,
 * local. HD_ENOMEM.
 */
int hd_group_sets(const struct hd_route_targets *targets, const struct hd_structure *structure,
		  enum hd_ar_state state, bool any_owner, struct hd_tables *tables,
		  struct hd_error *err);

/*
 * For grids without rings; `sets` of @structure says which. Sets of line switches (KNS) lead to the
 * point of their line that has the destination's coordinate. Where the LFT's port is in no set, the
 * entry becomes the first of its set in @order.
 *
 * Negative-first (Glass and Ni, The Turn Model for Adaptive Routing, ISCA 1992, for meshes; HyperX
 * has longer links of the same directions): packets correct all coordinates first that have to
 * fall, in any order, and then those that have to rise. The sum of coordinates falls with every
 * hop, then rises with every hop, so that links are in an order. Links of a line switch are of
 * both directions; falling packets have a layer of their own there (sl2vl/set_classes.h). Where
 * parts of a mesh or a HyperX are missing, ways may be longer: a packet rises from where it can
 * arrive by rising alone, by the shortest such way, and elsewhere falls to where least is left.
 *
 * Minimal: every port that leads nearer, which is sound by layers alone. Whole shapes only.
 *
 * HD_EREFUSED: a dimension is a ring, or what is missing leaves no such way, with the switch and
 * the port; HD_ENOMEM.
 */
int hd_grid_sets_make(const struct hd_route_targets *targets, const struct hd_structure *structure,
		      const uint8_t *order, enum hd_ar_state state, struct hd_tables *tables,
		      struct hd_error *err);

#endif
