// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/model.h"

const struct hd_switch_model hd_switch_iq = {
	.policy.name = "iq",
	.policy.summary = "input-queued, with or without virtual output queues",
};
