/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Port sets on a Dragonfly+, in addition to finished LFTs (tables/ar.h). */
#ifndef HD_ENGINES_PLUS_SETS_H
#define HD_ENGINES_PLUS_SETS_H

#include "engines/targets.h"
#include "tables/ar.h"
#include "topologies/dragonfly_plus.h"

struct hd_error;

/*
 * The set of an entry has all ports by which a minimal path to a leaf begins: up to any spine with
 * a link to the destination's group that ends at a neighbour of the leaf, over any such link, and
 * down; within a group by any spine. Entries whose port is not among them stay static, and so do
 * all to spines and to LIDs whose group in @via ([LID]) is another than their own. HD_ENOMEM.
 */
int hd_plus_sets(const struct hd_fabric *fabric, const struct hd_dragonfly_plus *plus,
		 const struct hd_route_targets *targets, const uint16_t *via,
		 enum hd_ar_state state, struct hd_tables *tables, struct hd_error *err);

#endif
