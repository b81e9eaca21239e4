/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Port sets on fat trees, in addition to finished LFTs (tables/ar.h). */
#ifndef HD_ENGINES_TREE_SETS_H
#define HD_ENGINES_TREE_SETS_H

#include "engines/targets.h"
#include "engines/tree_ways.h"
#include "tables/ar.h"

/*
 * The set of an entry has all cables by which a shortest legal path begins (engines/tree_ways.h).
 * Where some of these only fall, all do, so every path rises and then falls in one order of
 * switches. An entry whose port is not among them stays static. HD_ENOMEM.
 */
int hd_tree_sets(const struct hd_tree_ways *ways, const struct hd_route_targets *targets,
		 enum hd_ar_state state, struct hd_tables *tables, struct hd_error *err);

#endif
