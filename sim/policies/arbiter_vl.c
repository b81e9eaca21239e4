// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/model.h"

const struct hd_arbiter hd_arbiter_vl = {
	.policy.name = "vl",
	.policy.summary = "VLs by the ports' VL arbitration tables (scheduler vlarb), in-ports in "
			  "turn within one",
	.scheduler = &hd_scheduler_vlarb,
};
