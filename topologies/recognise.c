// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/recognise.h"

bool hd_is_recognised(const struct hd_shapes *shapes)
{
	return shapes->is_trivial || shapes->low || shapes->dragonfly || shapes->grid ||
	       shapes->plus || shapes->tree;
}

void hd_shapes_clear(struct hd_shapes *shapes)
{
	hd_low_diameter_free(shapes->low);
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

static bool dragonfly_is_whole(const struct hd_dragonfly *dragonfly)
{
	const uint32_t n_local =
		dragonfly->is_full ? dragonfly->n_missing_local : dragonfly->n_missing_pattern;

	return !n_local && !dragonfly->n_missing_global && !dragonfly->n_missing_switches;
}

static bool grid_is_whole(const struct hd_grid *grid)
{
	return !grid->n_missing_links && !grid->n_missing_switches && !grid->n_missing_cables;
}

bool hd_shapes_are_whole(const struct hd_shapes *shapes)
{
	if (shapes->low)
		return hd_low_diameter_is_perfect(shapes->low);
	if (shapes->grid)
		return grid_is_whole(shapes->grid);
	if (shapes->dragonfly)
		return dragonfly_is_whole(shapes->dragonfly);
	if (shapes->plus)
		return hd_dragonfly_plus_is_perfect(shapes->plus);
	return shapes->tree && hd_fat_tree_is_perfect(shapes->tree);
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

/*
 * Looks for a Slim Fly or a PolarFly. Their graphs fall into groups, too, and so may be dragonflies
 * of some pattern: an intact one of these comes first, one with missing parts after an intact
 * dragonfly or grid. Groups that users name mean a dragonfly.
 */
static int find_low(const struct hd_fabric *fabric, const struct hd_dragonfly_hints *hints,
		    struct hd_shapes *shapes, struct hd_error *err)
{
	if (hints && hints->group_of_switch)
		return 0;
	return unless_refused(hd_low_diameter_recognise(fabric, &shapes->low, &shapes->no_low),
			      &shapes->no_low, err);
}

/* Leaves either the dragonfly and the grid, or what find_low() found. */
static void take_one(struct hd_shapes *shapes)
{
	if ((shapes->dragonfly && dragonfly_is_whole(shapes->dragonfly)) ||
	    (shapes->grid && grid_is_whole(shapes->grid))) {
		hd_error_set(&shapes->no_low, HD_EREFUSED, "nearer to another topology");
		hd_low_diameter_free(shapes->low);
		shapes->low = NULL;
		return;
	}
	hd_dragonfly_free(shapes->dragonfly);
	hd_grid_free(shapes->grid);
	shapes->dragonfly = NULL;
	shapes->grid = NULL;
	hd_error_set(&shapes->no_dragonfly, HD_EREFUSED, "not a dragonfly: a %s",
		     hd_low_diameter_title(shapes->low));
	hd_error_set(&shapes->no_grid, HD_EREFUSED, "not a grid: a %s",
		     hd_low_diameter_title(shapes->low));
}

int hd_recognise(const struct hd_fabric *fabric, const struct hd_dragonfly_hints *hints,
		 struct hd_shapes *shapes, struct hd_error *err)
{
	int ret;

	*shapes = (struct hd_shapes){ .is_trivial = fabric->n_switches && fabric->n_switches < 3 };
	if (shapes->is_trivial)
		return 0;
	ret = find_low(fabric, hints, shapes, err);
	if (!ret && shapes->low && hd_low_diameter_is_perfect(shapes->low)) {
		take_one(shapes);
		return 0;
	}
	if (!ret)
		ret = unless_refused(hd_dragonfly_recognise(fabric, hints, &shapes->dragonfly,
							    &shapes->no_dragonfly),
				     &shapes->no_dragonfly, err);
	if (!ret)
		ret = unless_refused(
			hd_grid_recognise(fabric, NULL, &shapes->grid, &shapes->no_grid),
			&shapes->no_grid, err);
	if (!ret && shapes->low)
		take_one(shapes);
	if (ret || shapes->low || shapes->dragonfly || shapes->grid)
		return ret;
	ret = unless_refused(hd_dragonfly_plus_recognise(fabric, &shapes->plus, &shapes->no_plus),
			     &shapes->no_plus, err);
	if (ret || shapes->plus)
		return ret;
	return unless_refused(hd_fat_tree_recognise(fabric, &shapes->tree, &shapes->no_tree),
			      &shapes->no_tree, err);
}
