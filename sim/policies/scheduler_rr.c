// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/model.h"

const struct hd_scheduler hd_scheduler_rr = {
	.policy.name = "rr",
	.policy.summary = "VLs in turn, each with a packet of an in-port's",
};
