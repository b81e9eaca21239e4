/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the routes of a whole fabric were, kept for those of what is left of it when links fail: the
 * loads that detours are chosen by (engines/repair.h), and the dependencies of layers
 * (sl2vl/split.h). With it routes are the same as without, and are found sooner.
 */
#ifndef HD_ENGINES_KEPT_ROUTES_H
#define HD_ENGINES_KEPT_ROUTES_H

#include "check/kept.h"
#include "sl2vl/lanes.h"

/* What is followed once it is asked for. */
enum hd_kept_state {
	HD_KEPT_NOTHING,
	HD_KEPT_READY,   /* to be followed */
	HD_KEPT_DONE,    /* followed */
	HD_KEPT_REFUSED, /* it cannot be kept */
};

/* Of the whole fabric. Several threads may use it. */
struct hd_kept_routes {
	struct hd_tables *plain; /* LFTs before detours */
	struct hd_kept repair;
	enum hd_kept_state repair_state;

	struct hd_tables *tables; /* complete LFTs */
	struct hd_kept split;
	enum hd_kept_state split_state;
	unsigned n_layers, n_classes, n_patterns;
	bool has_pattern, by_destination;
	hd_sl2vl_row *rows; /* [pattern] layers by class */
	uint16_t *pattern;  /* 0 everywhere without has_pattern */
	uint8_t *classes;
	uint32_t *class_row;
};

/* Of what is left of it, for one thread. */
struct hd_kept_routes_now {
	struct hd_kept_routes *kept;
	struct hd_kept_now repair, split;
	struct hd_kept_luck luck; /* with layers */
	hd_sl2vl_row *rows;
};

void hd_kept_routes_clear(struct hd_kept_routes *kept);
void hd_kept_routes_now_clear(struct hd_kept_routes_now *now);

/* Keeps the LFTs of @tables, before detours, which @is_final are the last. HD_ENOMEM. */
int hd_kept_routes_add_lfts(struct hd_kept_routes *kept, struct hd_tables *tables, bool is_final,
			    struct hd_error *err);

/* Keeps the layers of @tables' flows. HD_ENOMEM. */
int hd_kept_routes_add_layers(struct hd_kept_routes *kept, struct hd_tables *tables,
			      const struct hd_layering *layering, struct hd_error *err);

/* *@loads: what is kept for repairs; NULL: nothing. HD_ENOMEM. */
int hd_kept_routes_loads(struct hd_kept_routes_now *now, struct hd_kept_now **loads,
			 struct hd_error *err);

/* *@are_sound: no cycle of channels is in the layers of @tables' flows. HD_ENOMEM. */
int hd_kept_routes_try_layers(struct hd_kept_routes_now *now, const struct hd_tables *tables,
			      const struct hd_layering *layering, bool *are_sound,
			      struct hd_error *err);

#endif
