/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Selections: of the ports and VCs that are open among those that a routing offers with the lowest
 * rank, which one a packet takes. Every selection is one file that exports a const struct
 * hd_selection.
 */
#ifndef HD_ADAPTIVE_SELECTION_H
#define HD_ADAPTIVE_SELECTION_H

#include "sim/adaptive/routing.h"

struct hd_selection {
	struct hd_policy policy; /* first */

	/*
	 * Of what is open the packet takes what has the least weight, of equals the first. @occupied:
	 * units in the buffer of @vc behind the switch's port, or on their way there. Below
	 * UINT32_MAX. NULL: @occupied.
	 */
	uint32_t (*weight)(struct hd_sight *sight, unsigned vc, uint32_t occupied);
};

extern const struct hd_registry hd_selections;

extern const struct hd_selection hd_selection_highest, hd_selection_jsq, hd_selection_lowest,
	hd_selection_random;

/* Weights of VCs in the order of @rank, below HD_MAX_VCS, and of equals by what is occupied. */
static inline uint32_t hd_selection_by(unsigned rank, uint32_t occupied)
{
	const uint32_t most = (UINT32_MAX >> HD_VC_BITS) - 1;

	return (uint32_t)rank << (32 - HD_VC_BITS) | (occupied < most ? occupied : most);
}

#endif
