/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Pairs of nodes, of a plan and of a fabric, that are the same (plan/match.h says how they are
 * found).
 */
#ifndef HD_PLAN_PAIRS_H
#define HD_PLAN_PAIRS_H

#include "plan/cable_plan.h"

enum hd_matched_by {
	HD_UNMATCHED,
	HD_BY_NAME,
	HD_BY_GUID,
	HD_BY_STRUCTURE,
	HD_N_MATCHED_BY,
};

struct hd_plan_match {
	const struct hd_fabric *plan, *now;
	uint32_t *to_now;  /* [node of plan] HD_NONE: absent */
	uint32_t *to_plan; /* [node of now] HD_NONE: not planned */
	uint8_t *by;       /* [node of plan] enum hd_matched_by */
	uint32_t n_by[HD_N_MATCHED_BY];
};

void hd_plan_match_clear(struct hd_plan_match *match);

/* Makes a pair, and undoes it. */
void hd_pair(struct hd_plan_match *match, uint32_t planned, uint32_t present,
	     enum hd_matched_by by);
void hd_unpair(struct hd_plan_match *match, uint32_t planned);

/* The port of `now` that is @port of `plan`; HD_NONE: its node is absent, or has no such port. */
uint32_t hd_matched_port(const struct hd_plan_match *match, uint32_t port);

#endif
