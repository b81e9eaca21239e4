// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/structure.h"

#include <stdlib.h>

static uint32_t stride_of(const struct hd_grid *grid, unsigned dimension)
{
	uint32_t stride = 1;

	for (unsigned d = 0; d < dimension; d++)
		stride *= grid->size[d];
	return stride;
}

uint32_t hd_grid_coordinate(const struct hd_grid *grid, uint32_t point, unsigned dimension)
{
	return point / stride_of(grid, dimension) % grid->size[dimension];
}

uint32_t hd_grid_move(const struct hd_grid *grid, uint32_t point, unsigned dimension,
		      uint32_t coordinate)
{
	return point + (coordinate - hd_grid_coordinate(grid, point, dimension)) *
			       stride_of(grid, dimension);
}

void hd_grid_free(struct hd_grid *grid)
{
	if (!grid)
		return;
	free(grid->switch_at);
	free(grid->point);
	free(grid->line_switch);
	free(grid->port_dimension);
	free(grid);
}

void hd_structure_clear(struct hd_structure *structure)
{
	free(structure->port_class);
	free(structure->group);
	free(structure->via);
	hd_grid_free(structure->grid);
	*structure = (struct hd_structure){ 0 };
}
