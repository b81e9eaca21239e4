/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The shapes that a fabric has, as `heddle topo` tells them. */
#ifndef HD_TOOLS_SHAPES_H
#define HD_TOOLS_SHAPES_H

#include <jansson.h>

#include "support/error.h"
#include "topologies/dragonfly.h"
#include "topologies/dragonfly_plus.h"
#include "topologies/fat_tree.h"
#include "topologies/grid.h"

struct hd_shapes {
	struct hd_dragonfly *dragonfly; /* NULL: the fabric has none, and why */
	struct hd_error no_dragonfly;
	struct hd_grid *grid; /* NULL: the fabric has none, and why */
	struct hd_error no_grid;
	struct hd_dragonfly_plus *plus; /* NULL: the fabric is one of the above or no Dragonfly+,
					   and why */
	struct hd_error no_plus;
	struct hd_fat_tree *tree; /* NULL: the fabric is another shape or no fat tree, and why */
	struct hd_error no_tree;
};

/*
 * Recognises @fabric; @groups (or NULL) is a file of groups of a dragonfly, @no_hosts (or NULL) one
 * of end nodes that are no hosts of a fat tree. Clear with hd_shapes_clear(), whatever the outcome.
 * What hd_dragonfly_read_groups() and hd_no_hosts_find() return; HD_ENOMEM.
 */
int hd_shapes_find(const struct hd_fabric *fabric, const char *groups, const char *no_hosts,
		   struct hd_shapes *shapes, struct hd_error *err);
void hd_shapes_clear(struct hd_shapes *shapes);

/* Prints fields: the shape and what it lacks. */
void hd_shapes_print(const struct hd_fabric *fabric, const struct hd_shapes *shapes);

/* The same in @root: `shape`, `grid`, and why there is none. */
void hd_shapes_json(const struct hd_shapes *shapes, json_t *root);

#endif
