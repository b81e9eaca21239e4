/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What keeps the channels of a grid free of cycles, for the layer rules `dateline` and `class`.
 *
 * Rings: the dateline is the link between the last and the first coordinate. A packet that crosses
 * the dateline of a ring uses the upper layer for all of that ring, another the lower one. With the
 * shorter way around, no packet of the upper layer uses the links half-way around, and none of the
 * lower layer the dateline, so that both layers are lines rather than rings (Dally and Seitz, 1987,
 * with the lane chosen for a whole ring rather than switched at the dateline). Whether a packet
 * crosses depends on its source, so it is in the SL: a class bit for each dimension whose rings
 * have a cycle of channels to break.
 *
 * KNS: a line switch is an end of packets, too. Those to it may have to turn onto its line from one
 * that comes later in the order of dimensions. They do so on the upper layer, in which they end
 * with this very hop. That depends on in-port and out-port alone.
 *
 * From a line switch, packets to a LID whose order begins with another dimension have to turn to
 * that one, a turn that no host's packets make. Those to LIDs behind the first of a port leave the
 * line switch on the first set's layer and go on with their own set's. So there is no such turn
 * from layer to layer of that set: it has room for those that detours around a failed link make
 * (docs/changes.md, "Lanes that stay").
 */
#ifndef HD_SL2VL_GRID_CLASSES_H
#define HD_SL2VL_GRID_CLASSES_H

#include "sl2vl/lanes.h"

struct hd_grid_classes {
	unsigned n_bits;                /* dimensions with datelines: classes are 1 << n_bits */
	uint8_t bit[HD_MAX_DIMENSIONS]; /* [dimension] bit in the class, or HD_NO_DIMENSION */
	bool has_turns;                 /* late turns onto line switches */
	/* [from][to] a packet at LMC offset 0 never goes from dimension `from` on to `to`, unless
	   to the line switch or from it */
	bool is_late[HD_MAX_DIMENSIONS][HD_MAX_DIMENSIONS];
	/* [dimension] packets at LMC offset 1 correct another one before it */
	bool is_behind[HD_MAX_DIMENSIONS];
};

/*
 * Finds what the routes of @input need. HD_EREFUSED: no grid; HD_ENOMEM.
 */
int hd_grid_classes_find(const struct hd_layer_input *input, struct hd_grid_classes *classes,
			 struct hd_error *err);

/*
 * Fills @class_of, [switch * lft_stride + LID], with the class of every flow, which is @offset[LID]
 * more than its dateline bits. HD_ENOMEM.
 */
int hd_grid_classes_fill(const struct hd_layer_input *input, const struct hd_grid_classes *classes,
			 const uint8_t *offset, uint8_t *class_of, struct hd_error *err);

/*
 * Fills @layering for @n_sets sets of routes, one after the other in SLs and layers: class = set *
 * 2^bits + dateline bits. Where there are several, the last may serve as the upper layer for late
 * turns of the first. HD_EREFUSED, with the arithmetic: more classes or layers than @input allows;
 * HD_ENOMEM.
 */
int hd_grid_layering(const struct hd_layer_input *input, const struct hd_grid_classes *classes,
		     unsigned n_sets, struct hd_layering *layering, struct hd_error *err);

#endif
