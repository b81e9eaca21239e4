// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sl2vl/grid_halves.h"

#include <stdlib.h>

#include "support/error.h"

static bool has_line_switches(const struct hd_grid *grid)
{
	for (unsigned d = 0; d < grid->n_dimensions; d++)
		if (grid->kind[d] == HD_GRID_SWITCHED)
			return true;
	return false;
}

/* Whether the destination @lid at @coordinate counts for the upper half along @dimension. */
static bool counts_as_upper(const struct hd_grid *grid, unsigned dimension, uint32_t coordinate,
			    uint32_t lid, const struct hd_queueing *queueing)
{
	const uint32_t size = grid->size[dimension];

	if (size % 2 && coordinate == size / 2)
		return 2 * queueing->class_of[lid] >= queueing->n_classes;
	return hd_is_upper_half(grid, dimension, coordinate);
}

/* The bits of @lid: the halves that it is in. */
static uint8_t bits_of(const struct hd_grid *grid, const struct hd_grid_classes *classes,
		       uint32_t point, uint32_t lid, const struct hd_queueing *queueing)
{
	unsigned bits = 0;

	for (unsigned d = 0; d < grid->n_dimensions; d++)
		if (classes->bit[d] != HD_NO_DIMENSION &&
		    counts_as_upper(grid, d, hd_grid_coordinate(grid, point, d), lid, queueing))
			bits |= 1u << classes->bit[d];
	return (uint8_t)bits;
}

int hd_grid_halves_layering(const struct hd_layer_input *input,
			    const struct hd_grid_classes *classes, unsigned n_sets,
			    const uint8_t *offset, const struct hd_queueing *queueing,
			    struct hd_layering *layering, struct hd_error *err)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	const struct hd_grid *grid = input->structure->grid;
	struct hd_grid_classes halves = *classes;
	int ret;

	if (has_line_switches(grid) || !classes->n_bits)
		return hd_error_set(err, HD_EREFUSED,
				    "halves of rings need a torus whose rings have datelines");
	halves.by_halves = true;
	ret = hd_grid_layering(input, &halves, n_sets, layering, err);
	if (ret)
		return ret;
	layering->by_destination = true;
	layering->class_of = calloc(1, input->tables->lft_stride);
	if (!layering->class_of)
		return hd_error_nomem(err);
	hd_for_each_lid(lid, fabric) {
		const uint32_t s = fabric->lids[lid].via_switch;
		const uint32_t point = s == HD_NONE ? HD_NONE : grid->point[s];

		layering->class_of[lid] = offset[lid];
		if (point != HD_NONE)
			layering->class_of[lid] += bits_of(grid, &halves, point, lid, queueing);
	}
	return 0;
}
