// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/model.h"

const struct hd_buffering hd_buffering_voq = {
	.policy.name = "voq",
	.policy.summary = "virtual output queues: one per VL and out-port, in a buffer per VL",
	.by_output = true,
};
