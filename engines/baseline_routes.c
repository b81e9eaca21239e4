// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/baseline_routes.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

static bool is_end_node(const struct hd_fabric *fabric, uint32_t port)
{
	return !hd_is_switch(fabric, fabric->ports[port].node);
}

static bool leads_to_end_node(const struct hd_fabric *fabric, uint32_t lid)
{
	return fabric->lids[lid].via_port != 0;
}

static void clear_lfts(struct hd_baseline_routes *base)
{
	hd_baseline_clear(&base->repair);
	hd_tables_free(base->plain);
	base->plain = NULL;
	base->repair_state = HD_BASELINE_NONE;
}

static void clear_layers(struct hd_baseline_routes *base)
{
	hd_baseline_clear(&base->split);
	hd_tables_free(base->tables);
	free(base->rows);
	free(base->pattern);
	free(base->classes);
	free(base->class_row);
	base->tables = NULL;
	base->rows = NULL;
	base->pattern = NULL;
	base->classes = NULL;
	base->class_row = NULL;
	base->split_state = HD_BASELINE_NONE;
}

void hd_baseline_routes_clear(struct hd_baseline_routes *base)
{
	clear_lfts(base);
	clear_layers(base);
	hd_even_known_free(base->even);
	base->even = NULL;
}

void hd_variant_routes_clear(struct hd_variant_routes *variant)
{
	hd_variant_clear(&variant->repair);
	hd_variant_clear(&variant->split);
	hd_lft_copy_clear(&variant->lfts);
	free(variant->rows);
	variant->rows = NULL;
}

int hd_variant_routes_tables(struct hd_variant_routes *variant, const struct hd_fabric *fabric,
			     struct hd_tables **tables, struct hd_error *err)
{
	const struct hd_tables *plain = variant->base->plain;
	int ret = 0;

	*tables = NULL;
	if (plain && !variant->lfts.of)
		ret = hd_lft_copy_init(&variant->lfts, plain, err);
	if (ret)
		return ret;
	return hd_tables_new_by(fabric, plain ? &variant->lfts : NULL, tables, err);
}

int hd_baseline_routes_add_lfts(struct hd_baseline_routes *base, struct hd_tables *tables,
				bool is_final, struct hd_error *err)
{
	int ret = 0;

	clear_lfts(base);
	if (is_final)
		base->plain = hd_tables_share(tables);
	else
		ret = hd_tables_new(tables->fabric, &base->plain, err);
	if (ret)
		return ret;
	if (!is_final)
		memcpy(base->plain->lft, tables->lft,
		       tables->fabric->n_switches * tables->lft_stride);
	base->repair_state = HD_BASELINE_READY;
	return 0;
}

/* The patterns of @layering as rows; NULL: out of memory. */
static hd_sl2vl_row *make_rows(const struct hd_layering *layering)
{
	hd_sl2vl_row *rows = calloc(layering->n_patterns + (size_t)1, sizeof(*rows));

	for (unsigned p = 0; rows && p < layering->n_patterns; p++)
		for (unsigned class = 0; class < layering->n_classes; class ++)
			rows[p] = hd_row_set(rows[p], class, layering->patterns[p][class]);
	return rows;
}

static void *copy_of(const void *from, size_t size)
{
	void *copy = malloc(size + 1);

	if (copy)
		memcpy(copy, from, size);
	return copy;
}

/* Copies @layering, which lanes take apart. HD_ENOMEM. */
static int copy_layering(struct hd_baseline_routes *base, const struct hd_tables *tables,
			 const struct hd_layering *layering, struct hd_error *err)
{
	const uint32_t n = tables->fabric->n_switches;
	const size_t n_rows = tables->sl2vl_first[n];
	const size_t n_class_rows = layering->by_destination ? 1 : n;

	base->n_layers = layering->n_layers;
	base->n_classes = layering->n_classes;
	base->by_destination = layering->by_destination;
	base->n_patterns = layering->n_patterns;
	base->has_pattern = layering->pattern != NULL;
	base->rows = make_rows(layering);
	base->pattern = layering->pattern
				? copy_of(layering->pattern, n_rows * sizeof(*base->pattern))
				: calloc(n_rows + 1, sizeof(*base->pattern));
	if (layering->class_of)
		base->classes = copy_of(layering->class_of, n_class_rows * tables->lft_stride);
	base->class_row = malloc((n + (size_t)1) * sizeof(*base->class_row));
	if (!base->rows || !base->pattern || (layering->class_of && !base->classes) ||
	    !base->class_row)
		return hd_error_nomem(err);
	for (uint32_t s = 0; s < n; s++)
		base->class_row[s] = s;
	return 0;
}

int hd_baseline_routes_add_layers(struct hd_baseline_routes *base, struct hd_tables *tables,
				  const struct hd_layering *layering, struct hd_error *err)
{
	int ret;

	clear_layers(base);
	base->tables = hd_tables_share(tables);
	ret = copy_layering(base, tables, layering, err);
	base->split_state = ret ? HD_BASELINE_NONE : HD_BASELINE_READY;
	return ret;
}

static int follow_lfts(struct hd_baseline_routes *base, struct hd_error *err)
{
	const struct hd_baseline_request request = {
		.tables = base->plain,
		.has_load = leads_to_end_node,
		.is_host = is_end_node,
	};

	return hd_baseline_init(&base->repair, &request, err);
}

static int follow_layers(struct hd_baseline_routes *base, struct hd_error *err)
{
	const struct hd_baseline_request request = {
		.tables = base->tables,
		.lanes.rows = base->rows,
		.lanes.pattern = base->pattern,
		.lanes.classes = base->classes,
		.lanes.class_row = base->by_destination ? NULL : base->class_row,
		.n_lanes = base->n_layers,
		.n_classes = base->n_classes,
		.has_load = leads_to_end_node,
		.is_host = is_end_node,
	};

	return hd_baseline_init(&base->split, &request, err);
}

/*
 * Prepares @variant for @flows, a baseline of @base. The first caller makes @flows by @follow, and
 * the other threads wait. HD_ERANGE: there is no baseline; HD_ENOMEM.
 */
static int prepare(struct hd_baseline_routes *base, enum hd_baseline_state *state,
		   int (*follow)(struct hd_baseline_routes *base, struct hd_error *err),
		   const struct hd_baseline *flows, struct hd_variant *variant,
		   struct hd_error *err)
{
	int ret = 0;

#pragma omp critical(hd_baseline_routes)
	{
		if (*state == HD_BASELINE_READY) {
			ret = follow(base, err);
			*state = ret ? HD_BASELINE_REFUSED : HD_BASELINE_DONE;
		}
		if (!ret && *state != HD_BASELINE_DONE)
			ret = HD_ERANGE;
	}
	if (ret || variant->base)
		return ret;
	ret = hd_variant_init(variant, flows, err);
	if (ret)
		hd_variant_clear(variant);
	return ret;
}

int hd_variant_routes_loads(struct hd_variant_routes *variant, struct hd_variant **loads,
			    struct hd_error *err)
{
	struct hd_baseline_routes *base = variant->base;
	int ret = prepare(base, &base->repair_state, follow_lfts, &base->repair, &variant->repair,
			  err);

	*loads = ret ? NULL : &variant->repair;
	return ret == HD_ERANGE ? 0 : ret;
}

/* The lanes of @layering, with the base's own arrays where they are the same. HD_ENOMEM. */
static int find_lanes(struct hd_variant_routes *variant, const struct hd_layering *layering,
		      struct hd_flow_lanes *lanes, struct hd_error *err)
{
	const struct hd_baseline_routes *base = variant->base;

	free(variant->rows);
	variant->rows = make_rows(layering);
	if (!variant->rows)
		return hd_error_nomem(err);
	*lanes = (struct hd_flow_lanes){
		.rows = variant->rows,
		.pattern = layering->pattern ? layering->pattern : base->pattern,
		.classes = layering->class_of,
		.class_row = layering->by_destination ? NULL : base->class_row,
	};
	if (layering->n_patterns == base->n_patterns &&
	    !memcmp(variant->rows, base->rows, base->n_patterns * sizeof(*base->rows)))
		lanes->rows = base->rows;
	return 0;
}

int hd_variant_routes_try_layers(struct hd_variant_routes *variant, const struct hd_tables *tables,
				 const struct hd_layering *layering, bool *are_sound,
				 struct hd_error *err)
{
	struct hd_baseline_routes *base = variant->base;
	struct hd_flow_lanes lanes;
	int ret;

	*are_sound = false;
	if (!hd_variant_is_worth_asking(&variant->tries))
		return 0;
	ret = prepare(base, &base->split_state, follow_layers, &base->split, &variant->split, err);
	if (ret || base->has_pattern != (layering->pattern != NULL))
		return ret == HD_ERANGE ? 0 : ret;
	ret = find_lanes(variant, layering, &lanes, err);
	if (!ret)
		ret = hd_variant_follow(&variant->split, tables, &lanes, are_sound, err);
	*are_sound = !ret && *are_sound && variant->split.is_acyclic;
	hd_variant_answered(&variant->tries, *are_sound);
	hd_variant_reset(&variant->split);
	return ret;
}
