/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* For the machine with HD_MACHINE_HIERARCHICAL: the compiler sees the switch model's functions. */
#ifndef HD_MODEL_MACHINE_HIERARCHICAL_H
#define HD_MODEL_MACHINE_HIERARCHICAL_H

#include "sim/switches/hierarchical_allocate.h"

static const struct hd_switch_model hd_machine_hooks = {
	.sent = hd_hierarchical_sent,
	.event = hd_hierarchical_event,
	.enqueue = hd_hierarchical_enqueue,
	.arbitrate = hd_hierarchical_arbitrate,
	.ahead = hd_hierarchical_ahead,
};

#endif
