/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Layers for tables whose entries are sets of ports along a grid without rings (engines/sets.h).
 * The SL has a bit for each dimension whose directions have to be told apart: whether the flow's
 * coordinate has to rise there.
 *
 * Negative-first: the bits are those of dimensions with line switches (KNS), on whose links falling
 * packets are in layer 0 and rising ones in layer 1. A packet falls before it rises; the sum of
 * coordinates falls along layer 0, and along links that fall, and rises along the others. Meshes
 * and HyperX need no bit, as their links have one direction.
 *
 * Minimal: the bits are those of all dimensions but the last, and each combination is a layer of
 * its own (Linder and Harden, An Adaptive and Fault Tolerant Wormhole Routing Strategy for k-ary
 * n-cubes, IEEE Transactions on Computers, 1991). In a layer nothing moves both ways along a
 * dimension that has a bit. So a circle of channels would have to stay in the last dimension;
 * but there packets go on in the direction in which they came, on a mesh, or take one hop.
 *
 * A packet to a line switch ends behind the hop onto that line; one from a line switch begins
 * there. Neither closes a circle: the former go up in layer 1, the latter come down in layer 0.
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
