// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/recognise.h"

void hd_shapes_clear(struct hd_shapes *shapes)
{
	hd_dragonfly_free(shapes->dragonfly);
	hd_grid_free(shapes->grid);
	hd_dragonfly_plus_free(shapes->plus);
	hd_fat_tree_free(shapes->tree);
	*shapes = (struct hd_shapes){ 0 };
}

bool hd_shapes_prefer_grid(const struct hd_shapes *shapes)
{
	const struct hd_grid *grid = shapes->grid;

	return grid &&
	       (!shapes->dragonfly || (!grid->n_missing_links && !grid->n_missing_switches));
}

/* A fabric of another shape, which @why says, is no error; another one goes to @err. */
static int unless_refused(int ret, const struct hd_error *why, struct hd_error *err)
{
	if (ret == HD_EREFUSED)
		return 0;
	if (ret)
		*err = *why;
	return ret;
}

int hd_recognise(const struct hd_fabric *fabric, const struct hd_dragonfly_hints *hints,
		 struct hd_shapes *shapes, struct hd_error *err)
{
	int ret;

	*shapes = (struct hd_shapes){ .is_trivial = fabric->n_switches && fabric->n_switches < 3 };
	if (shapes->is_trivial)
		return 0;
	ret = unless_refused(
		hd_dragonfly_recognise(fabric, hints, &shapes->dragonfly, &shapes->no_dragonfly),
		&shapes->no_dragonfly, err);
	if (!ret)
		ret = unless_refused(
			hd_grid_recognise(fabric, NULL, &shapes->grid, &shapes->no_grid),
			&shapes->no_grid, err);
	if (ret || shapes->dragonfly || shapes->grid)
		return ret;
	ret = unless_refused(hd_dragonfly_plus_recognise(fabric, &shapes->plus, &shapes->no_plus),
			     &shapes->no_plus, err);
	if (ret || shapes->plus)
		return ret;
	return unless_refused(hd_fat_tree_recognise(fabric, &shapes->tree, &shapes->no_tree),
			      &shapes->no_tree, err);
}
