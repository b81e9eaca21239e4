// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/model.h"

const struct hd_buffering hd_buffering_voqnet = {
	.policy.name = "voqnet",
	.policy.summary = "a queue per destination, with credits of its own, at every in-port",
	.by_output = true,
	.by_destination = true,
};
