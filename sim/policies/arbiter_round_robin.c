// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/model.h"

const struct hd_arbiter hd_arbiter_round_robin = {
	.policy.name = "roundrobin",
	.policy.summary = "in-ports in turn",
};
