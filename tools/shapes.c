// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/shapes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/command.h"
#include "tools/report.h"

static int find_tree(const struct hd_fabric *fabric, const char *no_hosts, struct hd_shapes *shapes,
		     struct hd_error *err)
{
	int ret = hd_fat_tree_recognise_without(fabric, no_hosts, &shapes->tree, &shapes->no_tree);

	if (ret && ret != HD_EREFUSED) {
		*err = shapes->no_tree;
		return ret;
	}
	return 0;
}

int hd_shapes_find(const struct hd_fabric *fabric, const char *groups, const char *no_hosts,
		   struct hd_shapes *shapes, struct hd_error *err)
{
	struct hd_dragonfly_hints hints = { 0 };
	struct hd_error no_tree;
	uint64_t *group_of_switch = NULL;
	int ret = 0;

	*shapes = (struct hd_shapes){ 0 };
	if (groups)
		ret = hd_dragonfly_read_groups(groups, fabric, &group_of_switch, err);
	if (ret)
		return ret;
	/* who says which end nodes are no hosts of a fat tree means one */
	if (no_hosts)
		ret = find_tree(fabric, no_hosts, shapes, err);
	if (ret || shapes->tree) {
		free(group_of_switch);
		return ret;
	}
	no_tree = shapes->no_tree;
	hints.group_of_switch = group_of_switch;
	ret = hd_recognise(fabric, &hints, shapes, err);
	free(group_of_switch);
	/* what was said of the tree without those that are no hosts counts */
	if (!ret && no_hosts) {
		hd_fat_tree_free(shapes->tree);
		shapes->tree = NULL;
		shapes->no_tree = no_tree;
	}
	return ret;
}

/* Pairs of groups without a link, the first by a switch of each; @n 0: there are none. */
static void tell_missing_global(struct hd_fields *fields, const struct hd_fabric *fabric,
				uint32_t n, const uint32_t groups[2], const uint32_t *first,
				const uint32_t *switches)
{
	char one[HD_LABEL_SIZE], other[HD_LABEL_SIZE];

	if (!n)
		return;
	hd_node_label(fabric, switches[first[groups[0]]], one, sizeof(one));
	hd_node_label(fabric, switches[first[groups[1]]], other, sizeof(other));
	hd_fields_add_gap(fields, "missing global",
			  "%" PRIu32 ", first group %" PRIu32 " (%s ...) - group %" PRIu32
			  " (%s ...)",
			  n, groups[0], one, groups[1], other);
}

/*
 * Tells what the shape lacks, with the first of each kind; a group is named by its first switch.
 */
static void tell_missing(struct hd_fields *fields, const struct hd_fabric *fabric,
			 const struct hd_dragonfly *d)
{
	char one[HD_LABEL_SIZE], other[HD_LABEL_SIZE];

	uint32_t n_local = d->is_full ? d->n_missing_local : d->n_missing_pattern;

	if (!n_local && !d->n_missing_global && !d->n_missing_switches)
		hd_fields_add(fields, "missing", "nothing");
	if (d->n_missing_switches)
		hd_fields_add_gap(fields, "missing switches", "%" PRIu32, d->n_missing_switches);
	if (n_local && !d->is_full)
		hd_fields_add_gap(fields, "missing local",
				  "%" PRIu32 ", beside the group that has most", n_local);
	if (n_local && d->is_full) {
		hd_node_label(fabric, d->missing_local[0], one, sizeof(one));
		hd_node_label(fabric, d->missing_local[1], other, sizeof(other));
		hd_fields_add_gap(fields, "missing local", "%" PRIu32 ", first %s - %s",
				  d->n_missing_local, one, other);
	}
	tell_missing_global(fields, fabric, d->n_missing_global, d->missing_global, d->first,
			    d->switches);
}

/* "10x10": the cables of trunks, by dimension; NULL: there are no trunks. */
static const char *describe_trunks(const struct hd_grid *grid, char *buffer, size_t size)
{
	size_t length = 0;
	bool any = false;

	for (unsigned d = 0; d < grid->n_dimensions; d++) {
		any |= grid->cables[d] > 1;
		length += (size_t)snprintf(buffer + length, size - length, "%s%u", d ? "x" : "",
					   grid->cables[d]);
	}
	return any ? buffer : NULL;
}

static void tell_grid(struct hd_fields *fields, const struct hd_grid *grid, const char *field)
{
	char text[128];

	hd_fields_add(fields, field, "%s", hd_grid_describe(grid, text, sizeof(text)));
	if (describe_trunks(grid, text, sizeof(text)))
		hd_fields_add(fields, "trunks", "%s cables between neighbours", text);
	if (!grid->n_missing_links && !grid->n_missing_switches && !grid->n_missing_cables)
		hd_fields_add(fields, "missing", "nothing");
	if (grid->n_missing_switches)
		hd_fields_add_gap(fields, "missing switches", "%" PRIu32, grid->n_missing_switches);
	if (grid->n_missing_links)
		hd_fields_add_gap(fields, "missing links",
				  "%" PRIu32 " between the switches that are there",
				  grid->n_missing_links);
	if (grid->n_missing_cables)
		hd_fields_add_gap(fields, "missing cables", "%" PRIu32 " of trunks",
				  grid->n_missing_cables);
}

static void tell_pair(struct hd_fields *fields, const struct hd_fabric *fabric, const char *field,
		      uint32_t n, const uint32_t pair[2])
{
	char one[HD_LABEL_SIZE], other[HD_LABEL_SIZE];

	if (n)
		hd_fields_add_gap(fields, field, "%" PRIu32 ", first %s - %s", n,
				  hd_node_label(fabric, pair[0], one, sizeof(one)),
				  hd_node_label(fabric, pair[1], other, sizeof(other)));
}

static void tell_tree(struct hd_fields *fields, const struct hd_fabric *fabric,
		      const struct hd_fat_tree *tree)
{
	char sizes[256] = "";
	int length = 0;

	for (unsigned level = 0; level < tree->n_levels && length < (int)sizeof(sizes); level++)
		length += snprintf(sizes + length, sizeof(sizes) - (size_t)length, "%s%" PRIu32,
				   level ? ", " : "", tree->n_at[level]);
	hd_fields_add(fields, "topology", "fat tree of %u levels, switches from the leaves up: %s",
		      tree->n_levels, sizes);
	if (hd_fat_tree_is_perfect(tree))
		hd_fields_add(fields, "missing", "nothing");
	tell_pair(fields, fabric, "missing cables", tree->n_missing, tree->missing);
	tell_pair(fields, fabric, "odd cables", tree->n_odd, tree->odd);
	tell_pair(fields, fabric, "within a level", tree->n_within, tree->within);
	if (tree->n_apart)
		hd_fields_add_gap(fields, "apart",
				  "%" PRIu32 " pairs of leaves have no path up and down",
				  tree->n_apart);
	if (tree->n_above)
		hd_fields_add(fields, "above leaves",
			      "%" PRIu32 " end nodes, %" PRIu32 " of them aggregation nodes",
			      tree->n_above, tree->n_aggregation);
}

static void tell_plus(struct hd_fields *fields, const struct hd_fabric *fabric,
		      const struct hd_dragonfly_plus *plus)
{
	hd_fields_add(fields, "topology",
		      "Dragonfly+ leaves=%" PRIu32 " spines=%" PRIu32 " hosts=%" PRIu32
		      " h=%" PRIu32 " g=%" PRIu32,
		      plus->leaves, plus->spines, plus->hosts, plus->h, plus->n_groups);
	if (hd_dragonfly_plus_is_perfect(plus))
		hd_fields_add(fields, "missing", "nothing");
	if (plus->n_missing_switches)
		hd_fields_add_gap(fields, "missing switches", "%" PRIu32, plus->n_missing_switches);
	tell_pair(fields, fabric, "missing local", plus->n_missing_local, plus->missing_local);
	tell_missing_global(fields, fabric, plus->n_missing_global, plus->missing_global,
			    plus->first, plus->switches);
	tell_pair(fields, fabric, "odd local", plus->n_odd_local, plus->odd_local);
	tell_pair(fields, fabric, "odd global", plus->n_odd_global, plus->odd_global);
}

static void tell_low(struct hd_fields *fields, const struct hd_fabric *fabric,
		     const struct hd_low_diameter *low)
{
	const uint32_t first[2] = { low->n_missing ? low->missing[0].a : HD_NONE,
				    low->n_missing ? low->missing[0].b : HD_NONE };

	hd_fields_add(fields, "topology", "%s q=%" PRIu32 " p=%" PRIu32, hd_low_diameter_title(low),
		      low->q, low->p);
	if (hd_low_diameter_is_perfect(low))
		hd_fields_add(fields, "missing", "nothing");
	if (low->n_missing_switches)
		hd_fields_add_gap(fields, "missing switches", "%" PRIu32, low->n_missing_switches);
	tell_pair(fields, fabric, "missing links", low->n_missing, first);
}

void hd_shapes_tell(const struct hd_fabric *fabric, const struct hd_shapes *shapes,
		    struct hd_fields *fields)
{
	const struct hd_dragonfly *d = shapes->dragonfly;
	char why[5][1100];

	if (shapes->is_trivial) {
		hd_fields_add(fields, "topology", "%s",
			      fabric->n_switches == 1 ? "a single switch" : "two switches");
		return;
	}
	if (shapes->low) {
		tell_low(fields, fabric, shapes->low);
		return;
	}
	if (d) {
		hd_fields_add(fields, "topology",
			      "dragonfly a=%" PRIu32 " p=%" PRIu32 " h=%" PRIu32 " g=%" PRIu32,
			      d->a, d->p, d->h, d->n_groups);
		if (!d->is_full)
			hd_fields_add(fields, "groups", "%" PRIu32 " of %" PRIu64 " pairs linked",
				      d->n_pattern_links, d->a * (d->a - UINT64_C(1)) / 2);
		tell_missing(fields, fabric, d);
	}
	if (shapes->grid)
		tell_grid(fields, shapes->grid, d ? "also a grid" : "topology");
	if (shapes->plus)
		tell_plus(fields, fabric, shapes->plus);
	if (shapes->tree)
		tell_tree(fields, fabric, shapes->tree);
	if (d || shapes->grid || shapes->plus || shapes->tree)
		return;
	hd_error_format(&shapes->no_dragonfly, why[0], sizeof(why[0]));
	hd_error_format(&shapes->no_grid, why[1], sizeof(why[1]));
	hd_error_format(&shapes->no_plus, why[2], sizeof(why[2]));
	hd_error_format(&shapes->no_tree, why[3], sizeof(why[3]));
	hd_error_format(&shapes->no_low, why[4], sizeof(why[4]));
	hd_fields_add(fields, "topology", "not recognised: %s; %s; %s; %s; %s", why[0], why[1],
		      why[2], why[3], why[4]);
}

static json_t *json_dragonfly(const struct hd_dragonfly *dragonfly)
{
	json_t *shape = json_object(), *missing = json_object();

	json_object_set_new(shape, "name", json_string("dragonfly"));
	json_object_set_new(shape, "a", json_integer(dragonfly->a));
	json_object_set_new(shape, "p", json_integer(dragonfly->p));
	json_object_set_new(shape, "h", json_integer(dragonfly->h));
	json_object_set_new(shape, "g", json_integer(dragonfly->n_groups));
	json_object_set_new(missing, "switches", json_integer(dragonfly->n_missing_switches));
	json_object_set_new(missing, "local_pairs",
			    json_integer(dragonfly->is_full ? dragonfly->n_missing_local
							    : dragonfly->n_missing_pattern));
	json_object_set_new(missing, "global_pairs", json_integer(dragonfly->n_missing_global));
	json_object_set_new(shape, "local_links", json_integer(dragonfly->n_pattern_links));
	json_object_set_new(shape, "missing", missing);
	return shape;
}

static json_t *json_grid(const struct hd_grid *grid)
{
	json_t *shape = json_object(), *missing = json_object(), *sizes = json_array();
	json_t *cables = json_array();

	for (unsigned d = 0; d < grid->n_dimensions; d++) {
		json_array_append_new(sizes, json_integer(grid->size[d]));
		json_array_append_new(cables, json_integer(grid->cables[d]));
	}
	json_object_set_new(shape, "name", json_string(hd_grid_name(grid)));
	json_object_set_new(shape, "sizes", sizes);
	json_object_set_new(shape, "cables", cables);
	json_object_set_new(missing, "cables", json_integer(grid->n_missing_cables));
	json_object_set_new(missing, "switches", json_integer(grid->n_missing_switches));
	json_object_set_new(missing, "links", json_integer(grid->n_missing_links));
	json_object_set_new(shape, "missing", missing);
	return shape;
}

static json_t *json_plus(const struct hd_dragonfly_plus *plus)
{
	json_t *shape = json_object(), *missing = json_object();

	json_object_set_new(shape, "name", json_string("dragonflyplus"));
	json_object_set_new(shape, "leaves", json_integer(plus->leaves));
	json_object_set_new(shape, "spines", json_integer(plus->spines));
	json_object_set_new(shape, "hosts", json_integer(plus->hosts));
	json_object_set_new(shape, "h", json_integer(plus->h));
	json_object_set_new(shape, "g", json_integer(plus->n_groups));
	json_object_set_new(missing, "switches", json_integer(plus->n_missing_switches));
	json_object_set_new(missing, "local_pairs", json_integer(plus->n_missing_local));
	json_object_set_new(missing, "global_pairs", json_integer(plus->n_missing_global));
	json_object_set_new(shape, "odd_local_links", json_integer(plus->n_odd_local));
	json_object_set_new(shape, "odd_global_links", json_integer(plus->n_odd_global));
	json_object_set_new(shape, "missing", missing);
	return shape;
}

static json_t *json_low(const struct hd_low_diameter *low)
{
	json_t *shape = json_object(), *missing = json_object();

	json_object_set_new(shape, "name", json_string(hd_low_diameter_name(low)));
	json_object_set_new(shape, "q", json_integer(low->q));
	json_object_set_new(shape, "p", json_integer(low->p));
	json_object_set_new(missing, "switches", json_integer(low->n_missing_switches));
	json_object_set_new(missing, "links", json_integer(low->n_missing));
	json_object_set_new(shape, "missing", missing);
	return shape;
}

static json_t *json_tree(const struct hd_fat_tree *tree)
{
	json_t *shape = json_object(), *missing = json_object(), *sizes = json_array();

	for (unsigned level = 0; level < tree->n_levels; level++)
		json_array_append_new(sizes, json_integer(tree->n_at[level]));
	json_object_set_new(shape, "name", json_string("fat tree"));
	json_object_set_new(shape, "levels", sizes);
	json_object_set_new(missing, "cables", json_integer(tree->n_missing));
	json_object_set_new(missing, "leaf_pairs", json_integer(tree->n_apart));
	json_object_set_new(shape, "missing", missing);
	json_object_set_new(shape, "odd_cables", json_integer(tree->n_odd));
	json_object_set_new(shape, "links_within_a_level", json_integer(tree->n_within));
	json_object_set_new(shape, "end_nodes_above_leaves", json_integer(tree->n_above));
	json_object_set_new(shape, "aggregation_nodes", json_integer(tree->n_aggregation));
	return shape;
}

void hd_shapes_json(const struct hd_shapes *shapes, json_t *root)
{
	json_t *grid = shapes->grid ? json_grid(shapes->grid) : json_null();

	json_object_set(root, "grid", grid);
	json_object_set(root, "shape", grid);
	json_decref(grid);
	if (shapes->is_trivial)
		json_object_set_new(root, "shape", json_pack("{s:s}", "name", "trivial"));
	if (shapes->low)
		json_object_set_new(root, "shape", json_low(shapes->low));
	if (shapes->plus)
		json_object_set_new(root, "shape", json_plus(shapes->plus));
	if (shapes->tree)
		json_object_set_new(root, "shape", json_tree(shapes->tree));
	if (shapes->dragonfly)
		json_object_set_new(root, "shape", json_dragonfly(shapes->dragonfly));
	else
		json_object_set_new(root, "no_dragonfly_because",
				    hd_json_text(shapes->no_dragonfly.text));
	if (!shapes->grid)
		json_object_set_new(root, "no_grid_because", hd_json_text(shapes->no_grid.text));
}
