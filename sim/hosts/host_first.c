// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/model.h"

const struct hd_host_policy hd_host_first = {
	.policy.name = "first",
	.policy.summary = "the base LID",
};
