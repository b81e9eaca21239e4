// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Dimension-order routes on a grid: the SL gives the datelines that a flow crosses, and the flow's
 * lane in a ring is the upper one if it crosses the dateline of that ring (sl2vl/grid_classes.h).
 * Where no ring needs a dateline there is one class, whatever the SL. Where datelines and queues
 * need more SLs than there are, the SL gives the halves of rings that the destination is in
 * (sl2vl/grid_halves.h). Sets of ports, of which there are none on rings, have layers of their own
 * (sl2vl/set_classes.h).
 */
#include <stdlib.h>

#include "sl2vl/grid_halves.h"
#include "sl2vl/rules.h"
#include "sl2vl/set_classes.h"
#include "support/error.h"
#include "support/memory.h"

static int build(const struct hd_layer_input *input, struct hd_layering *layering,
		 struct hd_error *err)
{
	const struct hd_tables *tables = input->tables;
	struct hd_grid_classes classes;
	uint8_t *offset;
	int ret;

	if (hd_has_grid_sets(input->structure))
		return hd_grid_sets_layering(input, layering, err);
	ret = hd_grid_classes_find(input, &classes, err);
	if (!ret)
		ret = hd_grid_layering(input, &classes, 1, layering, err);
	if (ret || !classes.n_bits)
		return ret;
	layering->class_of = hd_alloc_large(tables->fabric->n_switches * tables->lft_stride);
	offset = calloc(1, tables->lft_stride);
	ret = layering->class_of && offset
		      ? hd_grid_classes_fill(input, &classes, offset, layering->class_of, err)
		      : hd_error_nomem(err);
	free(offset);
	return ret;
}

static int build_joint(const struct hd_layer_input *input, const struct hd_queueing *queueing,
		       struct hd_layering *layering, struct hd_error *err)
{
	struct hd_grid_classes classes;
	uint8_t *offset = calloc(1, input->tables->lft_stride);
	int ret = offset ? hd_grid_classes_find(input, &classes, err) : hd_error_nomem(err);

	if (!ret)
		ret = hd_grid_halves_layering(input, &classes, 1, offset, queueing, layering, err);
	free(offset);
	return ret;
}

const struct hd_layer_rule hd_layer_dateline = {
	.policy.name = "dateline",
	.policy.summary = "two layers on rings: the upper one for flows that cross the dateline",
	.policy.reference = "Dally and Seitz (1987)",
	.build = build,
	.build_joint = build_joint,
};
