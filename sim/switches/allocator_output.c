// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/model.h"

const struct hd_allocator hd_allocator_output = {
	.policy.name = "output",
	.policy.summary = "outputs grant, inputs accept (iSLIP)",
	.policy.reference =
		"N. McKeown, The iSLIP scheduling algorithm for input-queued switches, 1999",
};
