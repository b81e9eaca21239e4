// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/model.h"

const struct hd_admittance hd_admittance_vl = {
	.policy.name = "vl",
	.policy.summary = "a queue per VL: one without credits does not hold up the others",
};
