// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/adaptive/selection.h"

static uint32_t weight(struct hd_sight *sight, unsigned vc, uint32_t occupied)
{
	(void)sight;
	return hd_selection_by(HD_MAX_VCS - 1 - vc, occupied);
}

const struct hd_selection hd_selection_highest = {
	.policy.name = "highest",
	.policy.summary = "the highest VC, of its ports the least occupied",
	.policy.reference = "Fuentes, fairness, contention counters and FlexVC, 5.2.1",
	.weight = weight,
};
