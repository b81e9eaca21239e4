// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Destination-based buffer management: the low bits of the destination's number
 * (Penaranda et al., 2017, section 3, Figure 2a), here for any number of queues.
 */
#include "sl2vl/rules.h"

static unsigned queue(uint32_t id, uint32_t n_destinations, unsigned n_queues)
{
	return id % n_queues;
}

const struct hd_queue_rule hd_queue_dbbm = {
	.policy.name = "dbbm",
	.policy.summary = "destination modulo the number of queues",
	.policy.reference =
		"Nachiondo, Flich, Duato (2004); Penaranda et al., XORDET (2017), section 3",
	.queue = queue,
};
