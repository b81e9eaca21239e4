/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How the layer rules `dateline` and `class` keep the channels of a grid free of cycles.
 *
 * Rings: the dateline is the link between the last and the first coordinate. A packet that crosses
 * the dateline of a ring uses the upper layer on the whole ring; other packets use the lower layer.
 * Packets take the shorter direction. So no packet of the upper layer uses the links opposite to
 * the dateline, and none of the lower layer uses the dateline: both layers are lines, not rings
 * (Dally and Seitz, 1987; there a packet changes its lane at the dateline, here it has one lane for
 * the whole ring). Whether a packet crosses depends on its source, so the SL tells it: a class bit
 * for each dimension whose rings have a cycle of channels to break.
 *
 * KNS: packets may also go to a line switch. Such a packet may have to turn onto the switch's line
 * from a line that comes later in the order of dimensions. It makes this turn on the upper layer,
 * and it ends there with this hop. That depends on in-port and out-port alone.
 *
 * A packet from a line switch to a LID whose order begins with another dimension has to turn to
 * that dimension; no host's packets make this turn. A packet to a LID at an LMC offset above 0
 * leaves the line switch on the first set's layer, and goes on with the layer of its own set. So
 * the layers of that set have no such turn, and have room for turns of detours around a failed link
 * (docs/changes.md, "Lanes that stay").
 */
#ifndef HD_SL2VL_GRID_CLASSES_H
#define HD_SL2VL_GRID_CLASSES_H

#include "sl2vl/lanes.h"

struct hd_grid_classes {
	unsigned n_bits;                /* dimensions with datelines: there are 1 << n_bits
					   classes */
	bool by_halves;                 /* a bit is the destination's half of the ring
					   (sl2vl/grid_halves.h), not whether the flow crosses */
	uint8_t bit[HD_MAX_DIMENSIONS]; /* [dimension] bit in the class, or HD_NO_DIMENSION */
	bool has_turns;                 /* late turns onto line switches */
	/*
	 * [from][to] a packet at LMC offset 0 never goes from dimension `from` to `to`, unless it
	 * goes to a line switch or comes from one
	 */
	bool is_late[HD_MAX_DIMENSIONS][HD_MAX_DIMENSIONS];
	/* [dimension] packets at LMC offset 1 correct another dimension first */
	bool is_behind[HD_MAX_DIMENSIONS];
};

/*
 * Finds what the routes of @input need. HD_EREFUSED: no grid; HD_ENOMEM.
 */
int hd_grid_classes_find(const struct hd_layer_input *input, struct hd_grid_classes *classes,
			 struct hd_error *err);

/*
 * Fills @class_of, [switch * lft_stride + LID], with the class of every flow: its dateline bits
 * plus @offset[LID]. HD_ENOMEM.
 */
int hd_grid_classes_fill(const struct hd_layer_input *input, const struct hd_grid_classes *classes,
			 const uint8_t *offset, uint8_t *class_of, struct hd_error *err);

/* The patterns of a dimension with a dateline. */
static inline unsigned hd_grid_ring_patterns(const struct hd_grid_classes *classes)
{
	return classes->by_halves ? 2 : 1;
}

/*
 * Fills @layering for @n_sets sets of routes, one after the other in SLs and layers: class = set *
 * 2^bits + dateline bits. If there are several sets, the first may use the last set's layer as its
 * upper layer for late turns. HD_EREFUSED, with the arithmetic: more classes or layers than @input
 * allows; HD_ENOMEM.
 */
int hd_grid_layering(const struct hd_layer_input *input, const struct hd_grid_classes *classes,
		     unsigned n_sets, struct hd_layering *layering, struct hd_error *err);

#endif
