// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/infer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/faults.h"
#include "plan/edges.h"
#include "plan/suspects.h"
#include "plan/usual.h"
#include "support/error.h"
#include "topologies/recognise.h"

#define VAGUE         16 /* groups count as if one cable of so many differed, */
#define VAGUE_WITHIN  4  /* and one of so many if any cables may be within them */
#define MOST_SUSPECTS 8  /* at most an eighth of the links are left out */

/* Grids */

/* The pairs of a point with those after it along @d. */
static int infer_along(const struct hd_grid *grid, uint32_t point, unsigned d,
		       struct hd_cable_plan *plan)
{
	uint32_t at = hd_grid_coordinate(grid, point, d), size = grid->size[d];
	uint32_t here = grid->switch_at[point];
	uint32_t last = grid->kind[d] == HD_GRID_FULL ? size - 1 : at + 1;
	int ret = 0;

	if (here == HD_NONE)
		return 0;
	if (grid->kind[d] == HD_GRID_SWITCHED)
		return hd_cable_plan_add(plan, here,
					 grid->line_switch[(size_t)d * grid->n_points + point],
					 grid->cables[d]);
	for (uint32_t to = at + 1; !ret && to <= last && to < size; to++)
		ret = hd_cable_plan_add(plan, here,
					grid->switch_at[hd_grid_move(grid, point, d, to)],
					grid->cables[d]);
	/* a ring of two has one link */
	if (!ret && grid->kind[d] == HD_GRID_RING && at == size - 1 && size > 2)
		ret = hd_cable_plan_add(plan, here,
					grid->switch_at[hd_grid_move(grid, point, d, 0)],
					grid->cables[d]);
	return ret;
}

static int infer_grid(const struct hd_grid *grid, struct hd_cable_plan *plan)
{
	int ret = 0;

	plan->n_absent = grid->n_missing_switches;
	for (uint32_t point = 0; !ret && point < grid->n_points; point++)
		for (unsigned d = 0; !ret && d < grid->n_dimensions; d++)
			ret = infer_along(grid, point, d, plan);
	return ret;
}

/* Groups */

static uint32_t count_global(const struct hd_fabric *now, const struct hd_cable_plan *plan,
			     uint32_t s)
{
	uint32_t n = 0;

	hd_for_each_number(number, now, s) {
		uint32_t peer = hd_peer_node(now, s, number);

		n += peer != HD_NONE && hd_is_switch(now, peer) &&
		     hd_cable_plan_may_join(plan, s, peer);
	}
	return n;
}

/*
 * Takes the groups of a shape: their number, the group of each switch, where cables are few.
 * @is_spine or NULL.
 */
static int take_groups(const struct hd_fabric *now, uint32_t n_groups, const uint32_t *group,
		       const bool *is_spine, struct hd_cable_plan *plan)
{
	size_t n = now->n_switches + (size_t)1;

	plan->group = malloc(n * sizeof(*plan->group));
	plan->group_at = malloc((n_groups + (size_t)1) * sizeof(*plan->group_at));
	plan->n_global = malloc(n * sizeof(*plan->n_global));
	if (is_spine)
		plan->is_spine = malloc(n * sizeof(*plan->is_spine));
	if (!plan->group || !plan->group_at || !plan->n_global || (is_spine && !plan->is_spine))
		return HD_ENOMEM;
	plan->n_groups = n_groups;
	memcpy(plan->group, group, now->n_switches * sizeof(*group));
	if (is_spine)
		memcpy(plan->is_spine, is_spine, now->n_switches * sizeof(*is_spine));
	memset(plan->group_at, 0xFF, n_groups * sizeof(*plan->group_at));
	hd_for_each_switch(s, now) {
		uint32_t *at = &plan->group_at[group[s]], n_global = count_global(now, plan, s);

		plan->n_global[s] = n_global;
		if (*at == HD_NONE || n_global < plan->n_global[*at])
			*at = s;
		if (n_global > plan->most_global)
			plan->most_global = n_global;
	}
	return 0;
}

/* Every two groups. */
static int infer_global(const struct hd_fabric *now, struct hd_cable_plan *plan)
{
	struct hd_usual usual;
	int ret = hd_usual_between(now, plan, &usual);

	for (uint32_t i = 0; !ret && i < plan->n_groups; i++)
		for (uint32_t j = i + 1; !ret && j < plan->n_groups; j++)
			ret = hd_cable_plan_add(plan, HD_PLAN_GROUP + i, HD_PLAN_GROUP + j,
						hd_usual_cables(&usual, i, j));
	hd_usual_clear(&usual);
	return ret;
}

/*
 * Every two switches of a group for which @is_pair says so; NULL: none, and cables within groups
 * stay as they are.
 */
static int infer_local(const struct hd_fabric *now, struct hd_cable_plan *plan,
		       const uint32_t *first, const uint32_t *switches, const bool *is_spine,
		       bool is_known)
{
	struct hd_usual usual;
	int ret = hd_usual_within(now, plan->group, &usual);

	for (uint32_t g = 0; !ret && is_known && g < plan->n_groups; g++)
		for (uint32_t i = first[g]; !ret && i < first[g + 1]; i++)
			for (uint32_t j = i + 1; !ret && j < first[g + 1]; j++)
				if (!is_spine || is_spine[switches[i]] != is_spine[switches[j]])
					ret = hd_cable_plan_add(
						plan, switches[i], switches[j],
						hd_usual_cables(&usual, switches[i], switches[j]));
	if (!ret && !is_known)
		ret = hd_cable_plan_add_all(plan, &usual);
	hd_usual_clear(&usual);
	return ret;
}

static int infer_dragonfly(const struct hd_fabric *now, const struct hd_dragonfly *dragonfly,
			   struct hd_cable_plan *plan)
{
	int ret = take_groups(now, dragonfly->n_groups, dragonfly->group, NULL, plan);

	plan->n_absent = dragonfly->n_missing_switches;
	plan->is_loose = !dragonfly->is_full;
	if (!ret)
		ret = infer_local(now, plan, dragonfly->first, dragonfly->switches, NULL,
				  dragonfly->is_full);
	return ret ? ret : infer_global(now, plan);
}

static int infer_plus(const struct hd_fabric *now, const struct hd_dragonfly_plus *plus,
		      struct hd_cable_plan *plan)
{
	int ret = take_groups(now, plus->n_groups, plus->group, plus->is_spine, plan);

	plan->n_absent = plus->n_missing_switches;
	if (!ret)
		ret = infer_local(now, plan, plus->first, plus->switches, plus->is_spine, true);
	return ret ? ret : infer_global(now, plan);
}

/* Fat trees */

static int infer_tree(const struct hd_fabric *now, const struct hd_fat_tree *tree,
		      struct hd_cable_plan *plan)
{
	int ret = 0;

	for (uint32_t s = 0; !ret && s < now->n_switches; s++) {
		const struct hd_siblings *siblings;

		if (tree->siblings[s] == HD_NONE)
			continue;
		siblings = &tree->sibling[tree->siblings[s]];
		for (uint32_t i = 0; !ret && i < siblings->n_slots; i++)
			ret = hd_cable_plan_add(plan, s,
						tree->slot_parent[siblings->first_slot + i], 1);
	}
	return ret;
}

/* Slim Fly, PolarFly */

/* Every two switches that are linked, or that the graph links. */
static int infer_low(const struct hd_fabric *now, const struct hd_low_diameter *low,
		     struct hd_cable_plan *plan)
{
	uint32_t *group = calloc(now->n_switches + (size_t)1, sizeof(*group));
	struct hd_usual usual = { 0 };
	int ret = group ? hd_usual_within(now, group, &usual) : HD_ENOMEM;

	plan->n_absent = low->n_missing_switches;
	for (uint32_t i = 0; !ret && i < usual.n_pairs; i++) {
		const uint32_t one = (uint32_t)(usual.pairs[i].pair >> 32);
		const uint32_t other = (uint32_t)usual.pairs[i].pair;

		ret = hd_cable_plan_add(plan, one, other, hd_usual_cables(&usual, one, other));
	}
	for (uint32_t i = 0; !ret && i < low->n_missing; i++) {
		const struct hd_low_pair *pair = &low->missing[i];

		ret = hd_cable_plan_add(plan, pair->a, pair->b,
					hd_usual_cables(&usual, pair->a, pair->b));
	}
	hd_usual_clear(&usual);
	free(group);
	return ret;
}

/* Which shape */

/*
 * Cables in which the fabric differs from @plan. Groups fit easily, as any switch may have a cable
 * between two: a HyperX with exchanged cables is a perfect dragonfly. So they come after a shape
 * from which only a few cables differ; more so where groups are not fully linked, as a torus with
 * missing cables fits, too.
 */
static int distance(const struct hd_fabric *now, const struct hd_cable_plan *plan, uint32_t *n)
{
	struct hd_cable_edges edges;
	int ret = hd_cable_edges_list(&edges, plan, NULL, now);

	*n = plan->n_groups ? plan->n_cables / (plan->is_loose ? VAGUE_WITHIN : VAGUE) : 0;
	for (uint32_t i = 0; !ret && i < edges.n_planned; i++)
		*n += edges.planned[i].same == HD_NONE;
	for (uint32_t i = 0; !ret && i < edges.n_present; i++)
		*n += edges.present[i].same == HD_NONE;
	hd_cable_edges_clear(&edges);
	return ret;
}

enum shape { GRID, DRAGONFLY, PLUS, TREE, LOW, N_SHAPES };

/* The plan of a shape; *@plan stays NULL where the fabric has not this shape. */
static int infer(const struct hd_fabric *now, const struct hd_shapes *shapes, enum shape shape,
		 struct hd_cable_plan **plan)
{
	bool is_there[] = { shapes->grid, shapes->dragonfly, shapes->plus, shapes->tree,
			    shapes->low };
	int ret = 0;

	*plan = NULL;
	if (!is_there[shape])
		return 0;
	*plan = calloc(1, sizeof(**plan));
	if (!*plan)
		return HD_ENOMEM;
	if (shape == GRID)
		ret = infer_grid(shapes->grid, *plan);
	else if (shape == DRAGONFLY)
		ret = infer_dragonfly(now, shapes->dragonfly, *plan);
	else if (shape == PLUS)
		ret = infer_plus(now, shapes->plus, *plan);
	else if (shape == TREE)
		ret = infer_tree(now, shapes->tree, *plan);
	else
		ret = infer_low(now, shapes->low, *plan);
	return ret;
}

static void describe(const struct hd_shapes *shapes, enum shape shape, char *text, size_t size)
{
	const struct hd_dragonfly *d = shapes->dragonfly;
	const struct hd_dragonfly_plus *plus = shapes->plus;
	size_t length;

	if (shape == GRID) {
		hd_grid_describe(shapes->grid, text, size);
	} else if (shape == DRAGONFLY) {
		snprintf(text, size, "dragonfly a=%u p=%u h=%u g=%u", d->a, d->p, d->h,
			 d->n_groups);
	} else if (shape == PLUS) {
		snprintf(text, size, "Dragonfly+ leaves=%u spines=%u hosts=%u h=%u g=%u",
			 plus->leaves, plus->spines, plus->hosts, plus->h, plus->n_groups);
	} else if (shape == LOW) {
		snprintf(text, size, "%s q=%u", hd_low_diameter_title(shapes->low), shapes->low->q);
	} else {
		length = (size_t)snprintf(
			text, size, "fat tree of %u levels, switches:", shapes->tree->n_levels);
		for (unsigned l = 0; l < shapes->tree->n_levels && length < size; l++)
			length += (size_t)snprintf(text + length, size - length, " %u",
						   shapes->tree->n_at[l]);
	}
}

/* The nearest plan so far. */
struct nearest {
	struct hd_cable_plan *plan;
	uint32_t distance;
	char *shape;
	size_t size;
};

/* Takes the nearest of all shapes, if it is nearer than what is there. */
static int take_nearest(const struct hd_fabric *now, const struct hd_shapes *shapes,
			struct nearest *nearest)
{
	int ret = 0;

	for (enum shape shape = GRID; !ret && shape < N_SHAPES; shape++) {
		struct hd_cable_plan *other;
		uint32_t n = UINT32_MAX;

		ret = infer(now, shapes, shape, &other);
		if (!ret && other)
			ret = distance(now, other, &n);
		if (!ret && n < nearest->distance) {
			hd_cable_plan_free(nearest->plan);
			nearest->plan = other;
			nearest->distance = n;
			describe(shapes, shape, nearest->shape, nearest->size);
		} else {
			hd_cable_plan_free(other);
		}
	}
	return ret;
}

/* The shapes of @now without its first @n suspects: switches keep their numbers. */
static int infer_without(const struct hd_fabric *now, const struct hd_suspects *suspects,
			 uint32_t n, struct nearest *nearest, struct hd_error *err)
{
	uint32_t *ports = malloc((n + (size_t)suspects->n_ends + 1) * sizeof(*ports));
	struct hd_fabric *rest;
	struct hd_shapes shapes;
	int ret;

	if (!ports)
		return hd_error_nomem(err);
	memcpy(ports, suspects->ports, n * sizeof(*ports));
	memcpy(ports + n, suspects->ends, suspects->n_ends * sizeof(*ports));
	ret = hd_fabric_without(now, ports, n + (size_t)suspects->n_ends, NULL, 0, &rest, err);
	free(ports);
	if (ret)
		return ret;
	ret = hd_recognise(rest, NULL, &shapes, err);
	if (!ret && take_nearest(now, &shapes, nearest))
		ret = hd_error_nomem(err);
	hd_shapes_clear(&shapes);
	hd_fabric_free(rest);
	return ret;
}

/* Leaves out links with ever more detours, as long as they are few. */
static int infer_with_suspects(const struct hd_fabric *now, struct nearest *nearest,
			       struct hd_error *err)
{
	struct hd_suspects suspects;
	uint32_t n = 0, before = UINT32_MAX;
	int ret = hd_suspects_find(now, &suspects) ? hd_error_nomem(err) : 0;

	for (uint32_t most = 0; !ret && nearest->distance && most <= suspects.usual / 2;
	     most = most ? 2 * most : 1) {
		while (n < suspects.n && suspects.detours[n] <= most)
			n++;
		if (MOST_SUSPECTS * n > suspects.n)
			break;
		if (n != before && (n || suspects.n_ends))
			ret = infer_without(now, &suspects, n, nearest, err);
		before = n;
	}
	hd_suspects_clear(&suspects);
	return ret;
}

/* Says why there is no plan. */
static int refuse(bool is_trivial, struct hd_error *err)
{
	return hd_error_set(err, HD_EINVAL,
			    is_trivial ? "one switch or two fit any topology"
				       : "the fabric has no topology that is known "
					 "(heddle topo says why)");
}

int hd_cable_plan_infer_from(const struct hd_fabric *now, const struct hd_shapes *shapes,
			     bool only_these, struct hd_cable_plan **plan, char *shape, size_t size,
			     bool *is_other, struct hd_error *err)
{
	struct nearest nearest = { .distance = UINT32_MAX, .shape = shape, .size = size };
	uint32_t before;
	int ret = take_nearest(now, shapes, &nearest) ? hd_error_nomem(err) : 0;

	*plan = NULL;
	before = nearest.distance;
	if (!ret && !shapes->is_trivial && !only_these)
		ret = infer_with_suspects(now, &nearest, err);
	*is_other = nearest.distance < before;
	if (!ret && !nearest.plan)
		ret = refuse(shapes->is_trivial, err);
	if (ret)
		hd_cable_plan_free(nearest.plan);
	else
		*plan = nearest.plan;
	return ret;
}

int hd_cable_plan_infer(const struct hd_fabric *now, struct hd_cable_plan **plan, char *shape,
			size_t size, struct hd_error *err)
{
	struct hd_shapes shapes;
	bool is_other;
	int ret = hd_recognise(now, NULL, &shapes, err);

	*plan = NULL;
	if (!ret)
		ret = hd_cable_plan_infer_from(now, &shapes, false, plan, shape, size, &is_other,
					       err);
	hd_shapes_clear(&shapes);
	return ret;
}
