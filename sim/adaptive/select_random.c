// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/adaptive/selection.h"

/* The least of weights that are drawn is any of them with the same probability. */
static uint32_t weight(struct hd_sight *sight, unsigned vc, uint32_t occupied)
{
	(void)vc;
	(void)occupied;
	return hd_sight_below(sight, UINT32_MAX);
}

const struct hd_selection hd_selection_random = {
	.policy.name = "random",
	.policy.summary = "a random VC of a random port",
	.policy.reference = "Fuentes, fairness, contention counters and FlexVC, 5.2.1",
	.weight = weight,
};
