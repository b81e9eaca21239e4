// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/model.h"

const struct hd_allocator hd_allocator_input = {
	.policy.name = "input",
	.policy.summary = "inputs propose one head, outputs choose (separable, input first)",
	.input_first = true,
};
