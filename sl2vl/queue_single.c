// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sl2vl/rules.h"

static unsigned queue(uint32_t id, uint32_t n_destinations, unsigned n_queues)
{
	return 0;
}

const struct hd_queue_rule hd_queue_single = {
	.policy.name = "single",
	.policy.summary = "one queue",
	.queue = queue,
};
