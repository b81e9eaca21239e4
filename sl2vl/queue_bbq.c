// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Band-based queueing: as many bands of destinations as there are queues (Yebenes et al., OSHA and
 * SASHA, 2019, equation 1). Where numbers count along rows, a band is some rows; with powers of
 * two, it is the high bits of the number.
 */
#include "sl2vl/rules.h"

static unsigned queue(uint32_t id, uint32_t n_destinations, unsigned n_queues)
{
	return (unsigned)((uint64_t)id * n_queues / n_destinations);
}

const struct hd_queue_rule hd_queue_bbq = {
	.policy.name = "bbq",
	.policy.summary = "bands of destinations: number x queues / destinations",
	.policy.reference = "Yebenes et al., OSHA and SASHA (2019), section 2.3, equation 1",
	.queue = queue,
};
