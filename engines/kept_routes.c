// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/kept_routes.h"

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

static void clear_lfts(struct hd_kept_routes *kept)
{
	hd_kept_clear(&kept->repair);
	hd_tables_free(kept->plain);
	kept->plain = NULL;
	kept->repair_state = HD_KEPT_NOTHING;
}

static void clear_layers(struct hd_kept_routes *kept)
{
	hd_kept_clear(&kept->split);
	hd_tables_free(kept->tables);
	free(kept->rows);
	free(kept->pattern);
	free(kept->classes);
	free(kept->class_row);
	kept->tables = NULL;
	kept->rows = NULL;
	kept->pattern = NULL;
	kept->classes = NULL;
	kept->class_row = NULL;
	kept->split_state = HD_KEPT_NOTHING;
}

void hd_kept_routes_clear(struct hd_kept_routes *kept)
{
	clear_lfts(kept);
	clear_layers(kept);
}

void hd_kept_routes_now_clear(struct hd_kept_routes_now *now)
{
	hd_kept_now_clear(&now->repair);
	hd_kept_now_clear(&now->split);
	free(now->rows);
	now->rows = NULL;
}

int hd_kept_routes_add_lfts(struct hd_kept_routes *kept, struct hd_tables *tables, bool is_final,
			    struct hd_error *err)
{
	int ret = 0;

	clear_lfts(kept);
	if (is_final)
		kept->plain = hd_tables_share(tables);
	else
		ret = hd_tables_new(tables->fabric, &kept->plain, err);
	if (ret)
		return ret;
	if (!is_final)
		memcpy(kept->plain->lft, tables->lft,
		       tables->fabric->n_switches * tables->lft_stride);
	kept->repair_state = HD_KEPT_READY;
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
static int copy_layering(struct hd_kept_routes *kept, const struct hd_tables *tables,
			 const struct hd_layering *layering, struct hd_error *err)
{
	const uint32_t n = tables->fabric->n_switches;
	const size_t n_rows = tables->sl2vl_first[n];
	const size_t n_class_rows = layering->by_destination ? 1 : n;

	kept->n_layers = layering->n_layers;
	kept->n_classes = layering->n_classes;
	kept->by_destination = layering->by_destination;
	kept->n_patterns = layering->n_patterns;
	kept->has_pattern = layering->pattern != NULL;
	kept->rows = make_rows(layering);
	kept->pattern = layering->pattern
				? copy_of(layering->pattern, n_rows * sizeof(*kept->pattern))
				: calloc(n_rows + 1, sizeof(*kept->pattern));
	if (layering->class_of)
		kept->classes = copy_of(layering->class_of, n_class_rows * tables->lft_stride);
	kept->class_row = malloc((n + (size_t)1) * sizeof(*kept->class_row));
	if (!kept->rows || !kept->pattern || (layering->class_of && !kept->classes) ||
	    !kept->class_row)
		return hd_error_nomem(err);
	for (uint32_t s = 0; s < n; s++)
		kept->class_row[s] = s;
	return 0;
}

int hd_kept_routes_add_layers(struct hd_kept_routes *kept, struct hd_tables *tables,
			      const struct hd_layering *layering, struct hd_error *err)
{
	int ret;

	clear_layers(kept);
	kept->tables = hd_tables_share(tables);
	ret = copy_layering(kept, tables, layering, err);
	kept->split_state = ret ? HD_KEPT_NOTHING : HD_KEPT_READY;
	return ret;
}

static int follow_lfts(struct hd_kept_routes *kept, struct hd_error *err)
{
	const struct hd_kept_request request = {
		.tables = kept->plain,
		.has_load = leads_to_end_node,
		.is_host = is_end_node,
	};

	return hd_kept_init(&kept->repair, &request, err);
}

static int follow_layers(struct hd_kept_routes *kept, struct hd_error *err)
{
	const struct hd_kept_request request = {
		.tables = kept->tables,
		.lanes.rows = kept->rows,
		.lanes.pattern = kept->pattern,
		.lanes.classes = kept->classes,
		.lanes.class_row = kept->by_destination ? NULL : kept->class_row,
		.n_lanes = kept->n_layers,
		.n_classes = kept->n_classes,
		.has_load = leads_to_end_node,
		.is_host = is_end_node,
	};

	return hd_kept_init(&kept->split, &request, err);
}

/*
 * Has @follow follow the base, unless that is done, one thread at a time, and prepares @now for it.
 * HD_ERANGE: there is nothing; HD_ENOMEM.
 */
static int prepare(struct hd_kept_routes *kept, enum hd_kept_state *state,
		   int (*follow)(struct hd_kept_routes *kept, struct hd_error *err),
		   const struct hd_kept *base, struct hd_kept_now *now, struct hd_error *err)
{
	int ret = 0;

#pragma omp critical(hd_kept_routes)
	{
		if (*state == HD_KEPT_READY) {
			ret = follow(kept, err);
			*state = ret ? HD_KEPT_REFUSED : HD_KEPT_DONE;
		}
		if (!ret && *state != HD_KEPT_DONE)
			ret = HD_ERANGE;
	}
	if (ret || now->kept)
		return ret;
	ret = hd_kept_now_init(now, base, err);
	if (ret)
		hd_kept_now_clear(now);
	return ret;
}

int hd_kept_routes_loads(struct hd_kept_routes_now *now, struct hd_kept_now **loads,
			 struct hd_error *err)
{
	struct hd_kept_routes *kept = now->kept;
	int ret = prepare(kept, &kept->repair_state, follow_lfts, &kept->repair, &now->repair, err);

	*loads = ret ? NULL : &now->repair;
	return ret == HD_ERANGE ? 0 : ret;
}

/* The lanes of @layering, with the base's own arrays where they are the same. HD_ENOMEM. */
static int find_lanes(struct hd_kept_routes_now *now, const struct hd_layering *layering,
		      struct hd_kept_lanes *lanes, struct hd_error *err)
{
	const struct hd_kept_routes *kept = now->kept;

	free(now->rows);
	now->rows = make_rows(layering);
	if (!now->rows)
		return hd_error_nomem(err);
	*lanes = (struct hd_kept_lanes){
		.rows = now->rows,
		.pattern = layering->pattern ? layering->pattern : kept->pattern,
		.classes = layering->class_of,
		.class_row = layering->by_destination ? NULL : kept->class_row,
	};
	if (layering->n_patterns == kept->n_patterns &&
	    !memcmp(now->rows, kept->rows, kept->n_patterns * sizeof(*kept->rows)))
		lanes->rows = kept->rows;
	return 0;
}

int hd_kept_routes_try_layers(struct hd_kept_routes_now *now, const struct hd_tables *tables,
			      const struct hd_layering *layering, bool *are_sound,
			      struct hd_error *err)
{
	struct hd_kept_routes *kept = now->kept;
	struct hd_kept_lanes lanes;
	int ret;

	*are_sound = false;
	if (!hd_kept_is_worth(&now->luck))
		return 0;
	ret = prepare(kept, &kept->split_state, follow_layers, &kept->split, &now->split, err);
	if (ret || kept->has_pattern != (layering->pattern != NULL))
		return ret == HD_ERANGE ? 0 : ret;
	ret = find_lanes(now, layering, &lanes, err);
	if (!ret)
		ret = hd_kept_follow(&now->split, tables, &lanes, are_sound, err);
	*are_sound = !ret && *are_sound && now->split.is_acyclic;
	hd_kept_learn(&now->luck, *are_sound);
	hd_kept_back(&now->split);
	return ret;
}
