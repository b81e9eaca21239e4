// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdlib.h>

#include "sim/switches/crossbar.h"
#include "support/error.h"

static int make(struct hd_model *model)
{
	model->arbitration =
		calloc(model->network.first_host_port * (model->network.local_mask + (size_t)1) + 1,
		       sizeof(uint64_t));
	return model->arbitration ? 0 : HD_ENOMEM;
}

/* When @out served @in last: ticks + 1; 0: never. An out-port serves one in-port in a tick. */
static uint64_t *last(const struct hd_model *model, uint32_t out, uint32_t in)
{
	return (uint64_t *)model->arbitration +
	       ((size_t)out << model->network.port_bits | hd_local(model, in));
}

static bool before(const struct hd_model *model, const struct hd_contender *a,
		   const struct hd_contender *b)
{
	return *last(model, a->out, a->in) < *last(model, b->out, b->in);
}

static void served(struct hd_model *model, uint32_t out, uint32_t in)
{
	*last(model, out, in) = model->events.now + 1;
}

const struct hd_arbiter hd_arbiter_lrs = {
	.policy.name = "lrs",
	.policy.summary = "the in-port that the out-port served longest ago",
	.before = before,
	.make = make,
	.served = served,
};
