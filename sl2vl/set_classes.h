/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Layers for tables whose entries are port sets along a grid without rings (engines/sets.h). The SL
 * has a bit for each dimension whose two directions need different layers: whether the flow's
 * coordinate has to rise there.
 *
 * Negative-first: dimensions with line switches (KNS) have a bit. On their links, falling packets
 * are in layer 0 and rising packets in layer 1. A packet falls before it rises; the sum of
 * coordinates falls along layer 0 and along links that fall, and rises along the others. Meshes and
 * HyperX need no bit, because each of their links leads in one direction.
 *
 * Minimal: all dimensions but the last have a bit, and each combination of bits is a layer of its
 * own (Linder and Harden, An Adaptive and Fault Tolerant Wormhole Routing Strategy for k-ary
 * n-cubes, IEEE Transactions on Computers, 1991). In one layer all packets move in the same
 * direction along a dimension that has a bit. So a cycle of channels would have to stay in the last
 * dimension; but there a packet keeps its direction (mesh) or takes one hop (HyperX, KNS).
 *
 * A packet to a line switch ends after the hop onto that line; a packet from a line switch begins
 * there. Neither closes a cycle: the former go up in layer 1, the latter come down in layer 0.
 */
#ifndef HD_SL2VL_SET_CLASSES_H
#define HD_SL2VL_SET_CLASSES_H

#include "sl2vl/lanes.h"

/* Whether tables with this structure have such sets. */
static inline bool hd_has_grid_sets(const struct hd_structure *structure)
{
	return structure->grid && structure->sets != HD_GRID_SETS_NONE;
}

/* Fills @layering for them. HD_EREFUSED, with the arithmetic: too few SLs; HD_ENOMEM. */
int hd_grid_sets_layering(const struct hd_layer_input *input, struct hd_layering *layering,
			  struct hd_error *err);

#endif
