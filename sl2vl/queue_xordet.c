// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * XORDET (Penaranda et al., 2017, section 4): bit j of the queue is the exclusive or of bits j,
 * j + l, j + 2l, ... of the destination's number, where l = log2 of the number of queues; in other
 * words, the exclusive or of its digits to the base of the number of queues.
 */
#include "sl2vl/rules.h"

static unsigned queue(uint32_t id, uint32_t n_destinations, unsigned n_queues)
{
	unsigned result = 0;

	if (n_queues == 1)
		return 0;
	for (; id; id /= n_queues)
		result ^= id % n_queues;
	return result;
}

const struct hd_queue_rule hd_queue_xordet = {
	.policy.name = "xordet",
	.policy.summary =
		"exclusive or of the destination's digits to the base of the number of queues",
	.policy.reference = "Penaranda et al., XORDET (2017), section 4",
	.power_of_two = true,
	.queue = queue,
};
