/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which end of a planned cable that is missing and which end of a cable that is not planned meet
 * (plan/differ.h). Internal to plan/.
 */
#ifndef HD_PLAN_MEET_H
#define HD_PLAN_MEET_H

#include "plan/edges.h"

/*
 * The cables that plan and fabric do not share, planned ones first. Tip 2 c + e is end e of
 * cable c.
 */
struct hd_odd_cables {
	uint32_t n, n_planned;
	struct hd_cable_edge **edges;
	uint32_t *meets; /* [tip] the tip of the other kind that it meets, or HD_NONE */
};

/* HD_ENOMEM. End with hd_odd_cables_clear(), also after an error. */
int hd_meet(const struct hd_cable_edges *edges, struct hd_odd_cables *odd);
void hd_odd_cables_clear(struct hd_odd_cables *odd);

#endif
