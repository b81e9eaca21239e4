/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The cables that a fabric lacks of the shape that is nearest to it (plan/infer.h), and those that
 * it has beside them; with the ports that missing cables may have.
 */
#ifndef HD_PLAN_GAPS_H
#define HD_PLAN_GAPS_H

#include "plan/free_ports.h"

struct hd_shapes;

/* Findings are HD_MISSING, HD_EXTRA, HD_MOVED, HD_SWAPPED; rates are found, too, and left alone. */
struct hd_gaps {
	bool is_known;             /* there is a shape; else the rest is not set */
	char shape[128];           /* with its sizes */
	bool is_other;             /* it is none of those that were recognised */
	uint32_t n_missing, n_odd; /* findings */
	struct hd_cable_plan *plan;
	struct hd_differences differences;
	struct hd_free_ports ports;
};

/*
 * @shapes are those of @now, and must be kept; @only_these: no other one is sought. HD_ENOMEM.
 * Clear with hd_gaps_clear(), also after an error.
 */
int hd_gaps_find(const struct hd_fabric *now, const struct hd_shapes *shapes, bool only_these,
		 struct hd_gaps *gaps, struct hd_error *err);
void hd_gaps_clear(struct hd_gaps *gaps);

/* Whether cables of @finding are odd: not where they should be. */
static inline bool hd_is_odd(const struct hd_finding *finding)
{
	return finding->kind == HD_EXTRA || finding->kind == HD_MOVED ||
	       finding->kind == HD_SWAPPED;
}

#endif
