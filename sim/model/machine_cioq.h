/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* For machines with HD_MACHINE_CIOQ: the compiler sees the switch model's functions. */
#ifndef HD_MODEL_MACHINE_CIOQ_H
#define HD_MODEL_MACHINE_CIOQ_H

#include "sim/switches/switch_cioq.h"

static const struct hd_switch_model hd_machine_hooks = {
	.has_room = hd_cioq_has_room,
	.take = hd_cioq_take,
	.sent = hd_cioq_left,
	.event = hd_cioq_event,
};

#endif
