// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * IODET (Penaranda et al., XORDET, 2017, section 3, Figure 2c): on links along a dimension of a
 * grid, the queue is the destination's coordinate in that dimension modulo the number of queues v.
 * The SL must give the remainders in all n dimensions, which takes v^n queue classes (fewer where a
 * dimension has fewer than v points). Links of end nodes, which follow no dimension, have the
 * queues of dimension 0.
 */
#include <stdlib.h>

#include "sl2vl/rules.h"
#include "support/error.h"

/* The digits of a queue class are the remainders in each dimension. */
struct digits {
	unsigned radix[HD_MAX_DIMENSIONS];
	unsigned stride[HD_MAX_DIMENSIONS];
	unsigned n_classes;
};

static void plan_digits(const struct hd_grid *grid, unsigned n_queues, struct digits *digits)
{
	digits->n_classes = 1;
	for (unsigned d = 0; d < grid->n_dimensions; d++) {
		digits->radix[d] = grid->size[d] < n_queues ? grid->size[d] : n_queues;
		digits->stride[d] = digits->n_classes;
		digits->n_classes *= digits->radix[d];
	}
}

static unsigned class_of_point(const struct hd_grid *grid, const struct digits *digits,
			       uint32_t point)
{
	unsigned class = 0;

	for (unsigned d = 0; d < grid->n_dimensions; d++)
		class += hd_grid_coordinate(grid, point, d) % digits->radix[d] * digits->stride[d];
	return class;
}

static int build(const struct hd_queue_input *input, struct hd_queueing *queueing,
		 struct hd_error *err)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	const struct hd_grid *grid = input->structure ? input->structure->grid : NULL;
	struct digits digits;

	if (!grid)
		return hd_error_set(err, HD_EREFUSED, "queue rule 'iodet' needs a grid");
	plan_digits(grid, input->n_queues, &digits);
	if (digits.n_classes > HD_MAX_SLS)
		return hd_error_set(err, HD_EREFUSED,
				    "%u queues (iodet) in each of %u dimensions make %u queue "
				    "classes, and there are %u SLs",
				    input->n_queues, grid->n_dimensions, digits.n_classes,
				    HD_MAX_SLS);
	queueing->patterns = calloc(grid->n_dimensions, sizeof(*queueing->patterns));
	queueing->pattern = calloc(fabric->n_ports + (size_t)1, 1);
	queueing->class_of = calloc(1, input->tables->lft_stride);
	if (!queueing->patterns || !queueing->pattern || !queueing->class_of)
		return hd_error_nomem(err);
	queueing->n_classes = digits.n_classes;
	queueing->n_patterns = grid->n_dimensions;
	for (unsigned d = 0; d < grid->n_dimensions; d++)
		for (unsigned class = 0; class < digits.n_classes; class ++)
			queueing->patterns[d][class] =
				(uint8_t)(class / digits.stride[d] % digits.radix[d]);
	hd_for_each_port(p, fabric)
		if (grid->port_dimension[p] != HD_NO_DIMENSION)
			queueing->pattern[p] = grid->port_dimension[p];
	hd_for_each_lid(lid, fabric) {
		uint32_t s = fabric->lids[lid].via_switch;
		uint32_t point = s == HD_NONE ? HD_NONE : grid->point[s];

		if (point != HD_NONE)
			queueing->class_of[lid] = (uint8_t)class_of_point(grid, &digits, point);
	}
	return 0;
}

/* A row for each dimension; links of end nodes have that of dimension 0. */
static int map(const struct hd_queue_input *input, struct hd_queue_map *map, struct hd_error *err)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	const struct hd_grid *grid = input->structure ? input->structure->grid : NULL;
	int ret;

	if (!grid)
		return hd_error_set(err, HD_EREFUSED, "queue rule 'iodet' needs a grid");
	ret = hd_queue_map_rows(input, grid->n_dimensions, map, err);
	if (ret)
		return ret;
	hd_for_each_port(p, fabric)
		if (map->row && grid->port_dimension[p] != HD_NO_DIMENSION)
			map->row[p] = grid->port_dimension[p];
	hd_for_each_lid(lid, fabric) {
		uint32_t s = fabric->lids[lid].via_switch;
		uint32_t point = s == HD_NONE ? HD_NONE : grid->point[s];

		for (unsigned d = 0; point != HD_NONE && d < grid->n_dimensions; d++)
			map->queue[d * map->stride + lid] =
				(uint8_t)(hd_grid_coordinate(grid, point, d) % input->n_queues);
	}
	return 0;
}

const struct hd_queue_rule hd_queue_iodet = {
	.policy.name = "iodet",
	.policy.summary =
		"on a grid, the destination's coordinate in the dimension of the link, modulo "
		"the number of queues",
	.policy.reference = "Penaranda et al., XORDET (2017), section 3, Figure 2c",
	.build = build,
	.map = map,
};
