// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/structure.h"

#include <stdlib.h>

#include "support/error.h"
#include "topologies/dragonfly.h"
#include "topologies/dragonfly_plus.h"

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
	free(structure->is_spine);
	free(structure->layer);
	hd_grid_free(structure->grid);
	*structure = (struct hd_structure){ 0 };
}

void hd_structure_take_groups(struct hd_structure *structure, struct hd_dragonfly *dragonfly)
{
	structure->port_class = dragonfly->port_class;
	structure->n_groups = dragonfly->n_groups;
	structure->group = dragonfly->group;
	structure->is_degraded |= dragonfly->n_missing_local || dragonfly->n_missing_global ||
				  dragonfly->n_missing_switches;
	dragonfly->port_class = NULL;
	dragonfly->group = NULL;
}

void hd_structure_take_plus(struct hd_structure *structure, struct hd_dragonfly_plus *plus)
{
	structure->port_class = plus->port_class;
	structure->n_groups = plus->n_groups;
	structure->group = plus->group;
	structure->is_spine = plus->is_spine;
	structure->is_degraded |= !hd_dragonfly_plus_is_perfect(plus);
	plus->port_class = NULL;
	plus->group = NULL;
	plus->is_spine = NULL;
}

int hd_structure_find_groups(struct hd_structure *structure, const struct hd_fabric *fabric,
			     struct hd_error *err)
{
	struct hd_dragonfly *dragonfly = NULL;
	struct hd_dragonfly_plus *plus = NULL;
	struct hd_error cause;
	int ret = hd_dragonfly_recognise(fabric, NULL, &dragonfly, &cause);

	if (!ret) {
		hd_structure_take_groups(structure, dragonfly);
		hd_dragonfly_free(dragonfly);
	} else if (ret == HD_EREFUSED) {
		ret = hd_dragonfly_plus_recognise(fabric, &plus, &cause);
		if (!ret)
			hd_structure_take_plus(structure, plus);
		hd_dragonfly_plus_free(plus);
	}
	return ret == HD_ENOMEM ? hd_error_nomem(err) : 0;
}
