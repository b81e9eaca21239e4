/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The fabric after a few of the moves that mend it, to be routed. */
#ifndef HD_PLAN_AFTER_MOVES_H
#define HD_PLAN_AFTER_MOVES_H

#include "plan/differ.h"

/*
 * A copy of @now in which @n moves from @first on have been made. What is in a port that a plug
 * comes to is taken out first, because the moves before may not have been made; of a place without
 * a port, the first free one is used. Moves at nodes that the fabric lacks, and at full switches,
 * are left out. @n_made: how many are made. HD_ENOMEM.
 */
int hd_fabric_after_moves(const struct hd_cable_plan *plan, const struct hd_fabric *now,
			  const struct hd_differences *differences, uint32_t first, uint32_t n,
			  uint32_t *n_made, struct hd_fabric **after, struct hd_error *err);

#endif
