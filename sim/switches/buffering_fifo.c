// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/model.h"

const struct hd_buffering hd_buffering_fifo = {
	.policy.name = "fifo",
	.policy.summary = "a FIFO per VL: its head holds up what is behind",
};
