// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle_shape_find(): the shape that a fabric has. */
#include <inttypes.h>
#include <stdio.h>

#include "api/api.h"
#include "topologies/recognise.h"

static void add_size(struct heddle_shape *own, uint32_t size)
{
	if (own->n_sizes < sizeof(own->sizes) / sizeof(own->sizes[0]))
		own->sizes[own->n_sizes++] = size;
}

static void tell_trivial(const struct hd_fabric *fabric, struct heddle_shape *own)
{
	own->kind = HEDDLE_SHAPE_TRIVIAL;
	own->is_perfect = 1;
	add_size(own, fabric->n_switches);
	snprintf(own->text, sizeof(own->text), "%s",
		 fabric->n_switches == 1 ? "a single switch" : "two switches");
}

static void tell_dragonfly(const struct hd_dragonfly *d, struct heddle_shape *own)
{
	const uint32_t n_local = d->is_full ? d->n_missing_local : d->n_missing_pattern;

	own->kind = HEDDLE_SHAPE_DRAGONFLY;
	own->is_perfect = !n_local && !d->n_missing_global && !d->n_missing_switches;
	add_size(own, d->a);
	add_size(own, d->p);
	add_size(own, d->h);
	add_size(own, d->n_groups);
	snprintf(own->text, sizeof(own->text),
		 "dragonfly a=%" PRIu32 " p=%" PRIu32 " h=%" PRIu32 " g=%" PRIu32, d->a, d->p, d->h,
		 d->n_groups);
}

static void tell_plus(const struct hd_dragonfly_plus *plus, struct heddle_shape *own)
{
	own->kind = HEDDLE_SHAPE_DRAGONFLY_PLUS;
	own->is_perfect = hd_dragonfly_plus_is_perfect(plus);
	add_size(own, plus->leaves);
	add_size(own, plus->spines);
	add_size(own, plus->hosts);
	add_size(own, plus->h);
	add_size(own, plus->n_groups);
	snprintf(own->text, sizeof(own->text),
		 "Dragonfly+ leaves=%" PRIu32 " spines=%" PRIu32 " hosts=%" PRIu32 " h=%" PRIu32
		 " g=%" PRIu32,
		 plus->leaves, plus->spines, plus->hosts, plus->h, plus->n_groups);
}

static void tell_tree(const struct hd_fat_tree *tree, struct heddle_shape *own)
{
	own->kind = HEDDLE_SHAPE_FAT_TREE;
	own->is_perfect = hd_fat_tree_is_perfect(tree);
	for (unsigned level = 0; level < tree->n_levels; level++)
		add_size(own, tree->n_at[level]);
	snprintf(own->text, sizeof(own->text), "fat tree of %u levels", tree->n_levels);
}

static void tell_low(const struct hd_low_diameter *low, struct heddle_shape *own)
{
	own->kind = low->kind == HD_LOW_SLIMFLY ? HEDDLE_SHAPE_SLIM_FLY : HEDDLE_SHAPE_POLARFLY;
	own->is_perfect = hd_low_diameter_is_perfect(low);
	add_size(own, low->q);
	add_size(own, low->p);
	snprintf(own->text, sizeof(own->text), "%s q=%" PRIu32 " p=%" PRIu32,
		 hd_low_diameter_title(low), low->q, low->p);
}

static bool is_perfect(const struct hd_grid *grid)
{
	return !grid->n_missing_links && !grid->n_missing_switches && !grid->n_missing_cables;
}

static void tell_grid(const struct hd_grid *grid, struct heddle_shape *own)
{
	own->kind = HEDDLE_SHAPE_GRID;
	own->is_perfect = is_perfect(grid);
	for (unsigned d = 0; d < grid->n_dimensions; d++)
		add_size(own, grid->size[d]);
	hd_grid_describe(grid, own->text, sizeof(own->text));
}

/* False: the fabric has none. */
static bool tell(const struct hd_fabric *fabric, const struct hd_shapes *shapes,
		 struct heddle_shape *own)
{
	if (shapes->is_trivial)
		tell_trivial(fabric, own);
	else if (shapes->low)
		tell_low(shapes->low, own);
	else if (hd_shapes_prefer_grid(shapes))
		tell_grid(shapes->grid, own);
	else if (shapes->dragonfly)
		tell_dragonfly(shapes->dragonfly, own);
	else if (shapes->plus)
		tell_plus(shapes->plus, own);
	else if (shapes->tree)
		tell_tree(shapes->tree, own);
	return own->kind != HEDDLE_SHAPE_NONE;
}

enum heddle_status heddle_shape_find(const struct heddle_fabric *fabric, struct heddle_shape *shape,
				     struct heddle_error *error)
{
	struct heddle_shape own;
	struct hd_error err = { 0 };
	struct hd_shapes shapes;
	bool is_known;
	int ret = hd_api_take(&own, sizeof(own), shape, &err);

	if (ret)
		return hd_api_done(error, ret, &err);
	own = (struct heddle_shape){ 0 };
	ret = hd_recognise(fabric->fabric, NULL, &shapes, &err);
	is_known = !ret && tell(fabric->fabric, &shapes, &own);
	if (!ret)
		hd_api_give(&own, sizeof(own), shape);
	if (!ret && !is_known)
		hd_api_no(error, "not recognised: %s; %s; %s; %s; %s", shapes.no_dragonfly.text,
			  shapes.no_grid.text, shapes.no_plus.text, shapes.no_tree.text,
			  shapes.no_low.text);
	hd_shapes_clear(&shapes);
	if (ret || is_known)
		return hd_api_done(error, ret, &err);
	return HEDDLE_NO;
}
