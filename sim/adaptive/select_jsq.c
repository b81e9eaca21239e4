// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/adaptive/selection.h"

const struct hd_selection hd_selection_jsq = {
	.policy.name = "jsq",
	.policy.summary = "the least occupied VC: join the shortest queue",
	.policy.reference = "Fuentes, fairness, contention counters and FlexVC, 5.2.1",
};
