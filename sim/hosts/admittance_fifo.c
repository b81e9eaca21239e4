// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/model.h"

const struct hd_admittance hd_admittance_fifo = {
	.policy.name = "fifo",
	.policy.summary = "a single queue",
	.single = true,
};
