/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Lanes of rings by the half of the ring in which the destination is: fewer SLs, where a queue rule
 * also goes by the destination.
 *
 * With datelines (sl2vl/grid_classes.h) the SL says which datelines a flow crosses, which depends
 * on its source. So the SL must have the queue as well: SLs = crossings x queues. Here the SL says,
 * for each ring, in which half the destination is. The switch knows its own position and the
 * direction of the out-port. The three together say whether the dateline is still before a packet:
 *
 *	up from the upper half to the lower half, or down from the lower half to the upper half.
 *
 * Why: a packet goes the shorter way, k / 2 links at most. One that goes up from p and crosses the
 * dateline arrives at p + d - k, with d <= k / 2: so p >= k / 2, and the destination is below k /
 * 2. One that goes up within a half never crosses: it would go more than k / 2 links. The same
 * holds for packets that go down. A packet with the dateline before it uses the upper layer, others
 * use the lower layer, so a packet changes its layer behind the dateline and never back (Dally and
 * Seitz, 1987). The upper layer of a ring ends with the link of the dateline, the lower layer has
 * all links but this one: both are lines, and dependencies lead from the upper to the lower.
 *
 * In rings of odd length the middle coordinate counts as lower for positions. Packets to the middle
 * coordinate never cross the dateline, and their position and direction say so whichever half they
 * count for: from below they go up, from above they go down. So a middle destination counts for the
 * half that its queue suggests.
 *
 * Bands of destinations (bbq, dbbq) tell the halves of one dimension already, or parts of them. So
 * most pairs of a class and a queue do not exist, and the others get the SLs (sl2vl/join.h): three
 * dimensions, two sets of routes and two queues each need 16 SLs and not 32.
 */
#ifndef HD_SL2VL_GRID_HALVES_H
#define HD_SL2VL_GRID_HALVES_H

#include "sl2vl/grid_classes.h"

/* Whether a switch at @coordinate is in the upper half of a ring along @dimension. */
static inline bool hd_is_upper_half(const struct hd_grid *grid, unsigned dimension,
				    uint32_t coordinate)
{
	return coordinate >= (grid->size[dimension] + 1) / 2;
}

/*
 * Fills @layering for @n_sets sets of routes as hd_grid_layering() does, with classes that depend
 * on the destination alone: @offset[LID] + the bits of the halves. HD_EREFUSED: the grid has line
 * switches, or no ring with a dateline, or too few SLs; HD_ENOMEM.
 */
int hd_grid_halves_layering(const struct hd_layer_input *input,
			    const struct hd_grid_classes *classes, unsigned n_sets,
			    const uint8_t *offset, const struct hd_queueing *queueing,
			    struct hd_layering *layering, struct hd_error *err);

#endif
