// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdlib.h>

#include "sim/switches/crossbar.h"
#include "support/error.h"

/* When out-ports served in-ports last. */
struct services {
	uint64_t n;      /* until now */
	uint64_t last[]; /* [out-port * ports of a switch + local in-port] 0: never */
};

static int make(struct hd_model *model)
{
	struct services *services =
		calloc(1, sizeof(*services) + model->network.first_host_port *
						      (model->network.local_mask + (size_t)1) *
						      sizeof(*services->last));

	model->arbitration = services;
	return services ? 0 : HD_ENOMEM;
}

static uint64_t *last(const struct hd_model *model, uint32_t out, uint32_t in)
{
	struct services *services = model->arbitration;

	return &services->last[(size_t)out << model->network.port_bits | hd_local(model, in)];
}

static bool before(const struct hd_model *model, const struct hd_contender *a,
		   const struct hd_contender *b)
{
	return *last(model, a->out, a->in) < *last(model, b->out, b->in);
}

static void served(struct hd_model *model, uint32_t out, uint32_t in)
{
	*last(model, out, in) = ++((struct services *)model->arbitration)->n;
}

const struct hd_arbiter hd_arbiter_lrs = {
	.policy.name = "lrs",
	.policy.summary = "the in-port that the out-port served longest ago",
	.before = before,
	.make = make,
	.served = served,
};
