/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Selections: which port and VC a packet takes, of those that are open among the offers with the
 * lowest rank. Every selection is one file that exports a const struct hd_selection.
 */
#ifndef HD_ADAPTIVE_SELECTION_H
#define HD_ADAPTIVE_SELECTION_H

#include "sim/adaptive/routing.h"

struct hd_selection {
	struct hd_policy policy; /* first */

	/*
	 * The packet takes the open port and VC with the least weight; of equals, the first.
	 * @occupied: units in the buffer of @vc at the other end of the port's link, or on the
	 * link. The result is below UINT32_MAX. NULL: the weight is @occupied.
	 */
	uint32_t (*weight)(struct hd_sight *sight, unsigned vc, uint32_t occupied);
};

extern const struct hd_registry hd_selections;

extern const struct hd_selection hd_selection_highest, hd_selection_jsq, hd_selection_lowest,
	hd_selection_random;

/* Weights of VCs in the order of @rank, below HD_MAX_VCS; for equal ranks, by @occupied. */
static inline uint32_t hd_selection_by(unsigned rank, uint32_t occupied)
{
	const uint32_t most = (UINT32_MAX >> HD_VC_BITS) - 1;

	return (uint32_t)rank << (32 - HD_VC_BITS) | (occupied < most ? occupied : most);
}

#endif
