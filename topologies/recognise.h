/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The topologies of a fabric: the result of every recogniser, in the order of precedence. */
#ifndef HD_TOPOLOGIES_RECOGNISE_H
#define HD_TOPOLOGIES_RECOGNISE_H

#include "support/error.h"
#include "topologies/dragonfly.h"
#include "topologies/dragonfly_plus.h"
#include "topologies/fat_tree.h"
#include "topologies/grid.h"
#include "topologies/low_diameter.h"

struct hd_shapes {
	/* one switch, or two: any topology fits; the others are NULL */
	bool is_trivial;
	struct hd_low_diameter
		*low; /* Slim Fly or PolarFly, the others are NULL; NULL: the fabric is
					neither, or a whole dragonfly or grid, and why */
	struct hd_error no_low;
	struct hd_dragonfly *dragonfly; /* NULL: the fabric has none, and why */
	struct hd_error no_dragonfly;
	struct hd_grid *grid; /* NULL: the fabric has none, and why */
	struct hd_error no_grid;
	struct hd_dragonfly_plus *plus; /* NULL: the fabric is one of the above, or no Dragonfly+,
					   and why */
	struct hd_error no_plus;
	struct hd_fat_tree *tree; /* NULL: the fabric is one of the above, or no fat tree, and
				     why */
	struct hd_error no_tree;
};

/*
 * Recognises @fabric; @hints (or NULL) are those of a dragonfly. Clear with hd_shapes_clear(), also
 * after an error. HD_ENOMEM, and what hd_dragonfly_recognise() returns except HD_EREFUSED.
 */
int hd_recognise(const struct hd_fabric *fabric, const struct hd_dragonfly_hints *hints,
		 struct hd_shapes *shapes, struct hd_error *err);
void hd_shapes_clear(struct hd_shapes *shapes);

/* Whether the fabric has any of these shapes. */
bool hd_is_recognised(const struct hd_shapes *shapes);

/*
 * Whether the grid comes before the dragonfly: there is no dragonfly, or the grid has all its
 * switches and neighbours; a perfect HyperX of two dimensions is a dragonfly, too.
 */
bool hd_shapes_prefer_grid(const struct hd_shapes *shapes);

/* Whether nothing is missing of the shape that comes first. */
bool hd_shapes_are_whole(const struct hd_shapes *shapes);

#endif
