// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/switches/adaptive.h"

static unsigned choose(struct hd_model *model, const struct packet *packet, unsigned first,
		       unsigned n)
{
	struct hd_sight sight = { .random = &model->adaptive->host_random[packet->message.from] };

	return first + hd_sight_below(&sight, n);
}

const struct hd_host_vc hd_host_vc_random = {
	.policy.name = "random",
	.policy.summary = "a random one",
	.choose = choose,
};
