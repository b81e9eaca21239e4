/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routes of a fabric without some links, faster by the baseline of the whole fabric: its loads, by
 * which repairs choose detours (engines/repair.h), and the dependencies of its layers
 * (sl2vl/split.h). Routes are the same as without a baseline.
 */
#ifndef HD_ENGINES_BASELINE_ROUTES_H
#define HD_ENGINES_BASELINE_ROUTES_H

#include "check/baseline.h"
#include "engines/even.h"
#include "sl2vl/lanes.h"
#include "tables/lft_copy.h"

/* The first request follows the flows. */
enum hd_baseline_state {
	HD_BASELINE_NONE,
	HD_BASELINE_READY,   /* to be followed */
	HD_BASELINE_DONE,    /* followed */
	HD_BASELINE_REFUSED, /* too large, or with a cycle */
};

/* Of the whole fabric. Several threads may use it. */
struct hd_baseline_routes {
	struct hd_tables *plain; /* LFTs before detours */
	struct hd_baseline repair;
	enum hd_baseline_state repair_state;

	struct hd_tables *tables; /* complete LFTs */
	struct hd_baseline split;
	enum hd_baseline_state split_state;
	unsigned n_layers, n_classes, n_patterns;
	bool has_pattern, by_destination;
	hd_sl2vl_row *rows; /* [pattern] layers by class */
	uint16_t *pattern;  /* 0 everywhere without has_pattern */
	uint8_t *classes;
	uint32_t *class_row;

	struct hd_even_known *even; /* ways before a search for even loads; NULL: not known */
};

/* Of what is left of it, for one thread. */
struct hd_variant_routes {
	struct hd_baseline_routes *base;
	struct hd_variant repair, split;
	struct hd_variant_tries tries; /* with layers */
	hd_sl2vl_row *rows;
	struct hd_lft_copy lfts; /* of base->plain */
};

void hd_baseline_routes_clear(struct hd_baseline_routes *base);
void hd_variant_routes_clear(struct hd_variant_routes *variant);

/* Keeps the LFTs of @tables, before detours, which @is_final are the last. HD_ENOMEM. */
int hd_baseline_routes_add_lfts(struct hd_baseline_routes *base, struct hd_tables *tables,
				bool is_final, struct hd_error *err);

/* Keeps the layers of @tables' flows. HD_ENOMEM. */
int hd_baseline_routes_add_layers(struct hd_baseline_routes *base, struct hd_tables *tables,
				  const struct hd_layering *layering, struct hd_error *err);

/* Tables for @fabric, with the LFTs of the whole fabric before detours if these fit. HD_ENOMEM. */
int hd_variant_routes_tables(struct hd_variant_routes *variant, const struct hd_fabric *fabric,
			     struct hd_tables **tables, struct hd_error *err);

/* *@loads: what is kept for repairs; NULL: nothing. HD_ENOMEM. */
int hd_variant_routes_loads(struct hd_variant_routes *variant, struct hd_variant **loads,
			    struct hd_error *err);

/* *@are_sound: no cycle of channels is in the layers of @tables' flows. HD_ENOMEM. */
int hd_variant_routes_try_layers(struct hd_variant_routes *variant, const struct hd_tables *tables,
				 const struct hd_layering *layering, bool *are_sound,
				 struct hd_error *err);

#endif
