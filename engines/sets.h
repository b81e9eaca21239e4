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
 * For grids without rings, negative-first (Glass and Ni, The Turn Model for Adaptive Routing, ISCA
 * 1992, for meshes; HyperX has longer links of the same directions): packets correct all
 * coordinates first that have to fall, in any order, and then those that have to rise. Where the
 * LFT's port is none of these, the entry becomes the first of them in @order. Line switches (KNS)
 * send to the point of their line that has the destination's coordinate. Entries of LIDs of line
 * switches stay as they are, but for parallel links. HD_EREFUSED: a dimension is a ring; HD_ENOMEM.
 */
int hd_negative_first_sets(const struct hd_route_targets *targets, const struct hd_grid *grid,
			   const uint8_t *order, enum hd_ar_state state, struct hd_tables *tables,
			   struct hd_error *err);

#endif
